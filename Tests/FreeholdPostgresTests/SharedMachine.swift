import Foundation
import Freehold
import FreeholdPostgres
import FreeholdSharing
import FreeholdStorage
import FreeholdTestSupport
import Testing

/// A machine that writes at random in every way there is, and records what it was told.
actor SharedMachine {
    static let classes = SharedShop.classes + SharedNotes.classes

    nonisolated let index: Int
    nonisolated let configuration: Realm.Configuration
    private let upstream: PostgresUpstream
    /// Whether it makes snapshots, cuts the log and begins epochs, too.
    private let beginsEpochs: Bool
    private let history: Locked<SharedHistory>
    private var random: SeededGenerator
    private var realm: Realm?
    private var shared: SharedRealm?
    private var listening: Task<Void, any Error>?
    private var number = 0
    /// The last rejection that was told. The machine may have been closed before the loop was done
    /// with it: it comes again then, before any other. A commit has one for each object.
    private let lastTold = Locked<[SharedHistory.Rejection]?>(nil)

    init(
        _ index: Int, _ file: URL, _ upstream: PostgresUpstream, seed: UInt64,
        beginsEpochs: Bool, _ history: Locked<SharedHistory>
    ) {
        self.index = index
        self.upstream = upstream
        self.beginsEpochs = beginsEpochs
        self.history = history
        configuration = Realm.Configuration(fileURL: file, objectTypes: Self.classes)
        random = SeededGenerator(seed: seed)
    }

    // MARK: Sharing

    func open() async throws {
        var options = SharingOptions()
        options.longestRetry = 0.5
        // Each snapshot cuts the log.
        if beginsEpochs { options.retention = 0 }
        let shared = try await SharedRealm(
            configuration, upstream: upstream, name: "shop", options: options)
        self.shared = shared
        if realm == nil { realm = try await Realm.open(configuration: configuration) }
        listening = Task { [history, index, lastTold] in
            var isFirst = true
            for try await rejection in shared.rejections {
                let told = rejection.changes.map { change in
                    SharedHistory.Rejection(
                        machine: index, commit: rejection.commit, className: change.className,
                        key: Self.text(change.primaryKey))
                }
                let isAgain = lastTold.exchange(told) == told && isFirst
                isFirst = false
                if isAgain {
                    history.withLock { $0.toldAgainCount += 1 }
                    continue
                }
                if rejection.reason == .lostByServer {
                    _ = history.withLock { $0.losers.insert(index) }
                    continue
                }
                #expect(rejection.reason == .objectDeleted)
                history.withLock { $0.rejections += told }
            }
        }
    }

    private static func text(_ key: DraftValue) -> String {
        switch key {
        case .int(let number): "\(number)"
        case .string(let text): text
        default: "\(key)"
        }
    }

    func close() async throws {
        await shared?.close()
        shared = nil
        // Ends with the shared realm.
        try await listening?.value
    }

    func synchronize() async throws { try await shared?.synchronize() }

    /// Makes the objects that all machines have. Before any machine writes.
    func begin(_ machines: Int) async throws {
        try await open()
        try await shared?.writeShared(timeout: .seconds(600)) { realm in
            if !realm.objects(Account.self).isEmpty { return }
            SharedShop.begin(in: realm)
            SharedNotes.begin(machines, in: realm)
        }
        try await close()
    }

    /// Waits until all rejections are read; verifies the file and ends.
    ///
    /// - Returns: The identity of the file.
    func finish() async throws -> UUID {
        let realm = try #require(realm)
        while try #require(try SharedFileStatus(of: realm)).rejected > 0 { await Task.yield() }
        let identity = try #require(try SharedFileStatus(of: realm)).client
        try await close()
        realm.refresh()
        #expect(try realm.check().isEmpty)
        return identity
    }

    // MARK: Writing

    func run(_ steps: Int, step: @Sendable () -> Void) async throws {
        try await open()
        for _ in 0..<steps {
            if beginsEpochs, random.once(in: 12) { try await beginAnew() }
            switch random.int(0...19) {
            case 0:
                try await close()
                try await open()
            case 1...4: try await transfer()
            case 5...7: try await writeLater()
            case 8...10: try saveDraft()
            default: try write()
            }
            step()
        }
        try await close()
    }

    /// Makes a snapshot, or an epoch of one, if the server answers.
    private func beginAnew() async throws {
        do {
            if random.once(in: 2) {
                try await shared?.makeSnapshot()
            } else {
                try await shared?.beginEpoch()
            }
        } catch let error as SharingError where [.unreachable, .logGone].contains(error.code) {
            // The server is away, or the machine that was to write an epoch's snapshot.
        }
    }

    private func change(_ realm: Realm, _ number: Int) {
        SharedShop.change(in: realm, &random)
        SharedNotes.add(number, of: index, in: realm)
    }

    private func write() throws {
        let realm = try #require(realm)
        number += 1
        let place = history.withLock { $0.begin(machine: index, number) }
        try realm.write { change(realm, number) }
        history.withLock { $0.end(place, .done) }
    }

    private func writeLater() async throws {
        let realm = try #require(realm)
        number += 1
        let place = history.withLock { $0.begin(machine: index, number) }
        try await realm.asyncWrite { change(realm, number) }
        history.withLock { $0.end(place, .done) }
    }

    private func saveDraft() throws {
        let realm = try #require(realm)
        number += 1
        let place = history.withLock { $0.begin(machine: index, number) }
        realm.refresh()
        let draft = try realm.draft()
        defer { draft.discard() }
        change(draft.realm, number)
        do {
            try draft.save()
            history.withLock { $0.end(place, .done) }
        } catch is DraftConflict {
            // Commits of others came in between.
            history.withLock { $0.end(place, .notDone) }
        }
    }

    private func transfer() async throws {
        let shared = try #require(shared)
        let (from, to) = (
            random.int(0...SharedShop.accounts - 1), random.int(0...SharedShop.accounts - 1)
        )
        let (amount, id) = (random.int(1...40), UUID())
        number += 1
        let (number, index) = (number, index)
        let place = history.withLock { $0.begin(machine: index, number, isShared: true) }
        do {
            try await shared.writeShared(timeout: .seconds(5)) { realm in
                SharedNotes.add(number, of: index, isShared: true, in: realm)
                guard let payer = realm.object(ofType: Account.self, forPrimaryKey: from),
                    let payee = realm.object(ofType: Account.self, forPrimaryKey: to),
                    payer.balance >= amount
                else { return }
                payer.balance -= amount
                payee.balance += amount
                realm.create(
                    Receipt.self, value: ["id": id, "from": from, "to": to, "amount": amount])
            }
            history.withLock { $0.end(place, .done) }
        } catch let error as SharingError
            where [.unreachable, .tooManyConflicts, .logGone].contains(error.code)
        {
            history.withLock { $0.end(place, .notDone) }
        } catch let error as SharingError where error.code == .outcomeUnknown {
            history.withLock { $0.end(place, .unknown) }
        }
    }
}
