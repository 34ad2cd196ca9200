import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Objects with collections nested in any values.
enum Nest {
    class Box: Object {
        @Persisted var text: String
        @Persisted var any: AnyRealmValue
        @Persisted var values: List<AnyRealmValue>
        @Persisted var names: Map<String, Int>
    }

    static func withRealm(_ body: (Realm) throws -> Void) throws {
        try withTemporaryRealm([Box.self]) { try body($0) }
    }

    static func elsewhere(
        _ realm: Realm, _ body: @escaping @Sendable (Realm) throws -> Void
    ) throws { try Book.elsewhere(realm) { try body($0) } }
}
