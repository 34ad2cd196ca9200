import Foundation
import Testing
import FreeholdRealmTestSupport

/// What the compiler refuses of declarations and calls that cannot work.
@Suite struct DeclarationTests {
    private static let models = """
        import Freehold

        class Address: EmbeddedObject { @Persisted var city = "" }
        class Order: Object {
            @Persisted(primaryKey: true, autoIncrement: true) var id: Int
            @Persisted(deleteRule: .cascade) var other: Order?
            @Persisted(deleteRule: .deny) var first: Order? = nil
            @Persisted var address: Address?
        }

        """

    private static let refused: [(code: String, words: String)] = [
        ("func a(_ realm: Realm) { realm.add(Address()) }", "Address"),
        ("func b(_ realm: Realm) { realm.create(Address.self) }", "Object"),
        ("func c(_ realm: Realm) { _ = realm.objects(Address.self) }", "RealmFetchable"),
        (
            "func d(_ realm: Realm) { _ = realm.object(ofType: Address.self, forPrimaryKey: 1) }",
            "Object"
        ),
        (
            "class E: Object { @Persisted(deleteRule: .cascade) var address: Address? }",
            "_Relationship"
        ),
        ("class F: Object { @Persisted(deleteRule: .cascade) var count: Int? }", "_Relationship"),
        (
            "class G: Object { @Persisted(primaryKey: true, autoIncrement: true) var id: String }",
            "_AutoIncrementable"
        ),
        (
            "class H: Object { @Persisted(primaryKey: true, autoIncrement: true) var id: Int? }",
            "_AutoIncrementable"
        ),
        (
            "class I: Object { @Persisted(primaryKey: true, autoIncrement: true) var id = 0 }",
            "begins without a value"
        ),
    ]

    @Test func declarationsThatCannotWorkDoNotCompile() throws {
        let compiler = try #require(
            SwiftCompiler(), "There is no swiftc on the PATH or in /opt/swift/usr/bin.")
        try withTemporaryDirectory { directory in
            let file = directory.file("declarations.swift")
            try DeclarationTests.models.write(to: file, atomically: false, encoding: .utf8)
            let sound = try compiler.check([file], followsValues: false)
            #expect(sound.status == 0, "\(sound.output)")
            try (DeclarationTests.models + DeclarationTests.refused.map { $0.code + "\n" }.joined())
                .write(to: file, atomically: false, encoding: .utf8)
            let errors = try compiler.check([file], followsValues: false).output.components(
                separatedBy: "\n"
            ).filter { $0.hasPrefix(file.path) }
            let first = DeclarationTests.models.split(
                separator: "\n", omittingEmptySubsequences: false
            ).count
            for (offset, line) in DeclarationTests.refused.enumerated() {
                let found = errors.filter {
                    $0.hasPrefix("\(file.path):\(first + offset):") && $0.contains(": error: ")
                }
                #expect(
                    found.contains { $0.contains(line.words) },
                    "\(line.code) has the errors \(found)")
            }
        }
    }
}
