import Foundation
import Freehold
import Observation

/// What realms have in them whose limits are tried.
final class LimitNote: Object, Observable {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var number = 0
    @Persisted var text = ""
    @Persisted var friends: List<LimitNote>
}

extension Realm.Configuration {
    static let limitKey = Data((0..<64).map { UInt8($0) &* 29 &+ 5 })

    static func limits(_ path: String, isEncrypted: Bool = false) -> Realm.Configuration {
        Realm.Configuration(
            fileURL: URL(fileURLWithPath: path), encryptionKey: isEncrypted ? limitKey : nil,
            objectTypes: [LimitNote.self])
    }
}

extension Realm {
    /// A small transaction.
    func putNote(_ id: Int, text: String = "a") throws {
        try write {
            create(
                LimitNote.self, value: ["id": id, "number": id % 10, "text": text], update: .all)
        }
    }
}

/// The code of what a body throws: nil if it throws nothing, and an error of `Realm.Error`'s or
/// none.
enum LimitOutcome: CustomStringConvertible {
    case success
    case typed(Realm.Error)
    case untyped(any Error)

    init(_ body: () throws -> Void) {
        do {
            try body()
            self = .success
        } catch let error as Realm.Error {
            self = .typed(error)
        } catch {
            self = .untyped(error)
        }
    }

    var isSuccess: Bool { if case .success = self { true } else { false } }

    var code: Realm.Error.Code? { if case .typed(let error) = self { error.code } else { nil } }

    var description: String {
        switch self {
        case .success: "success"
        case .typed(let error): "\(error.code): \(error.localizedDescription)"
        case .untyped(let error): "untyped: \(error)"
        }
    }
}
