package import Freehold

/// A program as a reader of one page of the documentation writes it.
///
/// It has to run as it is: in debug builds by the tests, in release builds by `torture programs`,
/// as the compiler's faults differ.
package struct NaturalProgram: Sendable, CustomStringConvertible {
    package let name: String
    package var description: String { name }
    /// Returns what was wrong.
    package let run: @Sendable (Realm.Configuration) async throws -> [String]

    init(_ name: String, _ run: @escaping @Sendable (Realm.Configuration) async throws -> [String])
    {
        self.name = name
        self.run = run
    }

    package static let all =
        actorInitialisers + actorInitialisersWithExecutors + tasks + loops + executorPreferences
}

package final class Note: Object {
    @Persisted(primaryKey: true) package var id: Int
    @Persisted package var text: String
}

/// The differences, by what they are of.
func differences(_ pairs: (name: String, found: Int, expected: Int)...) -> [String] {
    pairs.filter { $0.found != $0.expected }.map { "\($0.name) is \($0.found), not \($0.expected)" }
}
