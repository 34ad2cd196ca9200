import ArgumentParser
import Foundation
import Freehold
import FreeholdStorage

/// What the other process is told to do.
struct ModelPeerRequest: Codable {
    enum Action: String, Codable { case open, write, begin, read, hold, release, close }
    var action: Action
    var path = ""
    var isEncrypted = false
    var isTiny = false
    var isSynced = false
    var schemaVersion: UInt64 = 0
    var count = 0
    var number = 0
}

struct ModelPeerReply: Codable {
    var time = 0
    var fingerprint: UInt64 = 0
    var difference: String?
}

/// The other process: reads what there is, changes it as the numbers that it is given say, and
/// says what it then has.
struct ModelPeerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "model-peer", shouldDisplay: false)

    func run() throws {
        let peer = ModelPeer()
        while let line = readLine() {
            var reply = ModelPeerReply()
            do {
                reply = try peer.perform(
                    JSONDecoder().decode(ModelPeerRequest.self, from: Data(line.utf8)))
            } catch {
                reply.difference = "\(error)"
            }
            print(String(decoding: try JSONEncoder().encode(reply), as: UTF8.self))
            fflush(nil)
        }
    }
}

private final class ModelPeer {
    private let scheduler = ManualScheduler()
    private var realm: Realm?
    private var held: Realm?

    func perform(_ request: ModelPeerRequest) throws -> ModelPeerReply {
        if request.action == .open {
            (realm, held) = (nil, nil)
            TestHooks.install(request.isTiny ? .tiny : TestHooks())
            var configuration = Realm.Configuration(
                fileURL: URL(fileURLWithPath: request.path),
                encryptionKey: request.isEncrypted ? ModelSession.key(1) : nil,
                schemaVersion: request.schemaVersion,
                objectTypes: ModelClasses.all)
            configuration.durability = request.isSynced ? .full : .none
            realm = try Realm(configuration: configuration, scheduler: scheduler)
            return ModelPeerReply()
        }
        if request.action == .close {
            (realm, held) = (nil, nil)
            return ModelPeerReply()
        }
        guard let realm else { throw ModelDifference("the other process has no realm open") }
        switch request.action {
        case .write, .begin:
            realm.beginWrite()
            let changes = ModelChanges(PlainModel(reading: realm), realm: realm)
            for change in ModelOperation.changes(request.count, from: request.number, local: false)
            { try changes.apply(change) }
            changes.finish()
            if let difference = changes.model.difference(fromRealm: realm) {
                throw ModelDifference("the other process, in its transaction:\n\(difference)")
            }
            if request.action == .begin { return ModelPeerReply() }
            try realm.commitWrite()
            return reply(realm)
        case .read:
            realm.refresh()
            scheduler.runAll()
            let problems = try realm.check()
            if !problems.isEmpty {
                throw ModelDifference(
                    "check() says in the other process: \(problems.joined(separator: "; "))")
            }
            return reply(realm)
        case .hold:
            realm.refresh()
            let frozen = realm.freeze()
            held = frozen
            return reply(frozen)
        default:
            guard let frozen = held else {
                throw ModelDifference("the other process holds nothing")
            }
            held = nil
            return reply(frozen)
        }
    }

    private func reply(_ realm: Realm) -> ModelPeerReply {
        let model = PlainModel(reading: realm)
        // Links back, too.
        return ModelPeerReply(
            time: model.time, fingerprint: model.fingerprint,
            difference: model.difference(fromRealm: realm))
    }
}

/// The other process, seen from the first. It lives on from sequence to sequence, unless one
/// kills it.
final class ModelPeerProcess {
    private var child: ModelChild?

    func ask(_ request: ModelPeerRequest) throws -> ModelPeerReply {
        let child = try child ?? ModelChild(["model-peer"])
        self.child = child
        child.send(String(decoding: try JSONEncoder().encode(request), as: UTF8.self))
        switch child.receive(seconds: 60) {
        case .line(let line):
            let reply = try JSONDecoder().decode(ModelPeerReply.self, from: Data(line.utf8))
            if let difference = reply.difference {
                throw ModelDifference("the other process: \(difference)")
            }
            return reply
        case .ended:
            throw ModelDifference("the other process ended, told to \(request.action): \(kill())")
        case .silent:
            throw ModelDifference(
                "the other process did not answer in 60 s, told to \(request.action)")
        }
    }

    @discardableResult
    func kill() -> String {
        defer { child = nil }
        return child?.kill() ?? "it is not there"
    }
}
