import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// Runs `body` with a realm of a new file that keeps history, and checks the file afterwards.
func withHistory<Result>(
    _ policy: Realm.HistoryPolicy? = .kept(for: .forever), key: Data? = nil,
    sourceLocation: SourceLocation = #_sourceLocation, _ body: (Realm) throws -> Result
) throws -> Result {
    try withTemporaryDirectory { directory in
        let realm = try Realm(configuration: history(of: directory, policy, key))
        let result = try body(realm)
        realm.refresh()
        #expect(try realm.check().isEmpty, sourceLocation: sourceLocation)
        return result
    }
}

func history(
    of directory: TemporaryDirectory, _ policy: Realm.HistoryPolicy? = .kept(for: .forever),
    _ key: Data? = nil
) -> Realm.Configuration {
    var configuration = Realm.Configuration(
        fileURL: directory.file(), encryptionKey: key,
        objectTypes: [Order.self, Customer.self, Line.self, Memo.self])
    configuration.history = policy
    return configuration
}

extension HistoryChange {
    /// For comparisons: `Order 1 inserted`.
    var text: String {
        switch kind {
        case .inserted: "\(object) inserted"
        case .deleted: "\(object) deleted"
        case .updated(let properties): "\(object) updated " + properties.joined(separator: ",")
        }
    }
}

extension HistoryTransaction {
    var texts: [String] { changes.map(\.text) }
}
