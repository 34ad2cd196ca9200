import Dispatch
import Foundation
import Freehold

enum FreshModel {
    final class Mark: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var number = 0

        convenience init(number: Int) {
            self.init()
            self.number = number
        }
    }

    static func configuration(_ path: String) -> Realm.Configuration {
        var configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: path), objectTypes: [Mark.self])
        configuration.durability = .none
        return configuration
    }

    static func set(_ realm: Realm, _ number: Int) { mark(realm)?.number = number }

    static func mark(_ realm: Realm) -> Mark? { realm.object(ofType: Mark.self, forPrimaryKey: 0) }

    static func number(_ realm: Realm) -> Int { mark(realm)?.number ?? -1 }
}

/// Who commits: each way returns when the commit was acknowledged.
struct FreshWriters: Sendable {
    static let ways = 6

    private actor Model: Freehold.ModelActor {
        let modelExecutor: ModelExecutor
        init(_ configuration: Realm.Configuration) { modelExecutor = ModelExecutor(configuration) }
        func write(_ number: Int) throws { try realm.write { FreshModel.set(try realm, number) } }

        func asyncWrite(_ number: Int) async throws {
            let realm = try realm
            try await realm.asyncWrite { FreshModel.set(realm, number) }
        }
    }

    private actor Plain {
        private let realm: Realm
        init(_ configuration: Realm.Configuration) async throws {
            realm = try await Realm.open(configuration: configuration)
        }
        func write(_ number: Int) throws { try realm.write { FreshModel.set(realm, number) } }
        func asyncWrite(_ number: Int) async throws {
            try await realm.asyncWrite { FreshModel.set(realm, number) }
        }
    }

    private let configuration: Realm.Configuration
    private let model: Model
    private let plain: Plain
    private let queue = DispatchQueue(label: "fresh.writer")

    init(_ configuration: Realm.Configuration) async throws {
        self.configuration = configuration
        model = Model(configuration)
        plain = try await Plain(configuration)
    }

    func write(_ number: Int, _ way: Int) async throws {
        switch way {
        case 0: try await model.write(number)
        case 1: try await model.asyncWrite(number)
        case 2: try await plain.write(number)
        case 3: try await plain.asyncWrite(number)
        case 4: try await writeAsync(number)
        default:
            try await Realm.performBackgroundTask(configuration: configuration) { realm in
                try realm.write { FreshModel.set(realm, number) }
            }
        }
    }

    private func writeAsync(_ number: Int) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            queue.async {
                do {
                    let realm = try Realm(configuration: configuration, queue: queue)
                    realm.writeAsync {
                        FreshModel.set(realm, number)
                    } onComplete: { error in
                        if let error {
                            continuation.resume(throwing: error)
                        } else {
                            continuation.resume()
                        }
                    }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }
}
