import ArgumentParser
import Foundation
import Freehold
import FreeholdStorage
import Glibc

/// What a worker is to run: a sequence of a seed, or one that is given.
struct ModelRequest: Codable {
    var seed: UInt64 = 0
    var count = 0
    var sequence: ModelSequence?
    var isTraced = false
}

struct ModelReply: Codable {
    /// Nil if the realm and the model agree.
    var difference: String?
    var trace: [String] = []
}

/// Runs sequences, one a line, in a process that may trap or hang.
struct ModelWorkerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model-worker", shouldDisplay: false)

    @Argument var directory: String
    @Option var trace: String?

    func run() async throws { try await work() }

    @ModelActor private func work() async throws {
        signal(SIGPIPE, SIG_IGN)
        let peer = ModelPeerProcess()
        let directory = URL(fileURLWithPath: directory)
        var number = 0
        while let line = readLine() {
            let request = try JSONDecoder().decode(ModelRequest.self, from: Data(line.utf8))
            let sequence =
                request.sequence ?? ModelSequence(seed: request.seed, count: request.count)
            number += 1
            let place = directory.appendingPathComponent("\(getpid())-\(number)")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            var reply = ModelReply()
            // Written as it comes: a trap leaves what led to it.
            let file = request.isTraced ? trace.flatMap { fopen($0, "w") } : nil
            let session = ModelSession(
                sequence, in: place, peer: peer,
                trace: file.map { file in
                    { text in
                        fputs(text + "\n", file)
                        fflush(file)
                    }
                })
            reply.difference = await session.run()
            do {
                try session.closePeer()
            } catch {
                reply.difference = reply.difference ?? "\(error)"
            }
            if let file { fclose(file) }
            session.closeAll()
            reply.difference = reply.difference ?? Self.differenceOfOpenFiles(in: place)
            if reply.difference != nil { peer.kill() }
            try FileManager.default.removeItem(at: place)
            print(String(decoding: try JSONEncoder().encode(reply), as: UTF8.self))
            fflush(nil)
        }
    }

    /// A file that stays open after everything of it was released: other threads may release
    /// some of it a little later.
    private static func differenceOfOpenFiles(in directory: URL) -> String? {
        let deadline = Date(timeIntervalSinceNow: 5)
        while true {
            let files = ProcessFigures.openFiles(in: directory.path)
            if files.isEmpty { return nil }
            if Date() > deadline {
                return
                    """
                    after everything was closed these files are open: \
                    \(files.map { $0.dropFirst(directory.path.count) })
                    """
            }
            usleep(1000)
        }
    }
}
