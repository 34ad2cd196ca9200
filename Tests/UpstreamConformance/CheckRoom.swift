package import Foundation
package import FreeholdSharing
package import Testing

/// A realm of an upstream, and connections to it.
package struct CheckRoom: Sendable {
    let upstream: any Upstream
    let name = "realm \(UUID())"

    init(_ upstream: any Upstream) { self.upstream = upstream }

    /// Makes the realm and connects a new client.
    func begin() async throws -> any UpstreamConnection {
        try await upstream.create(name)
        return try await connect()
    }

    func connect(as client: UpstreamClient = .random()) async throws -> any UpstreamConnection {
        try await upstream.connect(to: name, as: client)
    }
}

extension UpstreamClient {
    package static func random() -> UpstreamClient {
        UpstreamClient(id: UUID(), previousToken: UUID(), nextToken: UUID(), name: "test")
    }

    /// The client as it connects the next time.
    package func again() -> UpstreamClient {
        UpstreamClient(id: id, previousToken: nextToken, nextToken: UUID(), name: name)
    }
}

extension PushedCommit {
    /// A commit whose payload tells its number.
    package static func numbered(_ number: Int64, _ text: String = "") -> PushedCommit {
        PushedCommit(
            clientSequence: number, format: Int32(number % 7),
            payload: Data("\(number) \(text)".utf8))
    }
}

extension UpstreamConnection {
    /// Pushes commits of the client's numbers.
    @discardableResult
    package func push(
        _ numbers: ClosedRange<Int64>, in epoch: Int64 = 1, expecting head: Int64? = nil
    ) async throws -> PushAnswer {
        try await push(numbers.map { .numbered($0) }, in: epoch, expecting: head)
    }

    /// All commits after a number, however many calls that takes.
    package func allCommits(
        after sequence: Int64 = 0, in epoch: Int64 = 1, upTo byteCount: Int = 1 << 20
    )
        async throws -> [LoggedCommit]
    {
        var all: [LoggedCommit] = []
        while true {
            let found = try await commits(
                after: all.last?.sequence ?? sequence, in: epoch, upTo: byteCount)
            if found.isEmpty { return all }
            all += found
        }
    }

    func writeSnapshot(
        epoch: Int64 = 1, sequence: Int64, pieces: [Data], isEncrypted: Bool = false,
        schemaVersion: Int64 = 0
    ) async throws {
        let rest = Pieces(pieces)
        try await write(
            UpstreamSnapshot(
                epoch: epoch, sequence: sequence,
                byteCount: Int64(pieces.reduce(0) { $0 + $1.count }), isEncrypted: isEncrypted,
                schemaVersion: schemaVersion)
        ) { await rest.next() }
    }

    /// - Parameters:
    ///   - epoch: The new one; without it, the one after the one that ends.
    ///   - pieces: The snapshot that it begins with; nil for none.
    package func beginEpoch(
        _ endedEpoch: Int64, expecting known: Int64, epoch: Int64? = nil, head: Int64,
        onlyIfUnseeded: Bool = false, pieces: [Data]? = nil
    ) async throws -> UpstreamState? {
        let request = UpstreamEpochRequest(
            endedEpoch: endedEpoch, expectedHead: known, epoch: epoch ?? endedEpoch + 1,
            head: head, onlyIfUnseeded: onlyIfUnseeded)
        let rest = Pieces(pieces ?? [])
        let snapshot = pieces.map { pieces in
            UpstreamSnapshot(
                epoch: request.epoch, sequence: head,
                byteCount: Int64(pieces.reduce(0) { $0 + $1.count }), isEncrypted: false)
        }
        return try await beginEpoch(request, with: snapshot) { await rest.next() }
    }

    func readSnapshot(_ snapshot: UpstreamSnapshot) async throws -> Data {
        let read = Pieces([])
        try await self.read(snapshot) { await read.append($0) }
        return await read.all
    }
}

extension Data {
    /// Bytes that differ by their place, in pages of 64 KB.
    static func patterned(byteCount: Int, _ first: UInt8 = 0) -> Data {
        let page = Data((0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) &+ first })
        var data = Data(capacity: byteCount + page.count)
        while data.count < byteCount { data.append(page) }
        return data.prefix(byteCount)
    }
}

/// Pieces of a snapshot that are read or written one by one.
actor Pieces {
    private var pieces: [Data]

    init(_ pieces: [Data]) { self.pieces = pieces }

    var all: Data { pieces.reduce(into: Data()) { $0.append($1) } }

    func next() -> Data? { pieces.isEmpty ? nil : pieces.removeFirst() }

    func append(_ piece: Data) { pieces.append(piece) }
}

/// Expects an error of sharing with a code, a message and a remedy.
package func expectError(
    _ code: SharingError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async {
    do {
        try await body()
        Issue.record("Nothing was thrown, not \(code).", sourceLocation: sourceLocation)
    } catch let error as SharingError {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        #expect(!error.message.isEmpty && !error.remedy.isEmpty, sourceLocation: sourceLocation)
    } catch {
        Issue.record("\(error) was thrown, not \(code).", sourceLocation: sourceLocation)
    }
}
