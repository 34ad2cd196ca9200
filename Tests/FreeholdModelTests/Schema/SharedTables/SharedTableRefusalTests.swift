import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// Classes that share a table have to agree on its columns.
@Suite struct SharedTableRefusalTests {
    class Model: Object {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        override class func _realmObjectName() -> String? { "Thing" }
    }

    final class One: Model {
        @Persisted var text = ""
        @Persisted var count: Int?
    }

    final class Lacking: Model {
        @Persisted var text = ""
    }

    final class Otherwise: Model {
        @Persisted(indexed: true) var title = ""
        @Persisted var count: Int?
        override class func propertiesMapping() -> [String: String] { ["title": "text"] }
    }

    final class OfAnotherType: Model {
        @Persisted var text = ""
        @Persisted var count = 0
    }

    final class Inner: EmbeddedObject {
        @Persisted var text = ""
        @Persisted var count: Int?
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        override class func _realmObjectName() -> String? { "Thing" }
    }

    /// Its own name is that of the others in the file.
    final class Named: Object {
        @Persisted var other = 0
        override class func className() -> String { "Thing" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    enum Word: String, PersistableEnum { case none = "" }

    /// A type that is stored in the same way.
    final class Alike: Model {
        @Persisted var word = Word.none
        @Persisted var number: Int32?
        override class func propertiesMapping() -> [String: String] {
            ["word": "text", "number": "count"]
        }
    }

    private static let remedy =
        """
        . Declare the same columns in both (propertiesMapping() names them), or override \
        _realmObjectName() in one of them to return another name.
        """

    private static let refused: [(ObjectBase.Type, String)] = [
        (
            Lacking.self,
            """
            'SharedTableRefusalTests_Lacking' and 'SharedTableRefusalTests_One' are both \
            'Thing' in the file, but 'SharedTableRefusalTests_Lacking' lacks the column \
            'count' of 'SharedTableRefusalTests_One.count'
            """
        ),
        (
            Otherwise.self,
            """
            'SharedTableRefusalTests_One' and 'SharedTableRefusalTests_Otherwise' are both \
            'Thing' in the file, but column 'text' is 'string' of \
            'SharedTableRefusalTests_One' and 'string, indexed' of \
            'SharedTableRefusalTests_Otherwise'
            """
        ),
        (
            OfAnotherType.self,
            """
            'SharedTableRefusalTests_OfAnotherType' and 'SharedTableRefusalTests_One' are both \
            'Thing' in the file, but column 'count' is 'int' of \
            'SharedTableRefusalTests_OfAnotherType' and 'int?' of 'SharedTableRefusalTests_One'
            """
        ),
        (
            Inner.self,
            """
            'SharedTableRefusalTests_Inner' and 'SharedTableRefusalTests_One' are both \
            'Thing' in the file, but only 'SharedTableRefusalTests_Inner' is an embedded \
            object type
            """
        ),
        (
            Named.self,
            """
            'SharedTableRefusalTests_One' and 'Thing' are both 'Thing' in the file, but \
            'Thing' lacks the column 'text' of 'SharedTableRefusalTests_One.text'
            """
        ),
    ]

    @Test(arguments: refused.indices)
    func disagreementsAreErrors(_ index: Int) throws {
        let (type, message) = Self.refused[index]
        try withTemporaryDirectory { directory in
            let error = #expect(throws: Realm.Error.self) {
                try Realm(
                    configuration: Realm.Configuration(
                        fileURL: directory.file(), objectTypes: [One.self, type]))
            }
            #expect(
                error?.code == .invalidInput
                    && "\(error as Any)".contains("Types \(message)\(Self.remedy)"),
                "\(error as Any)")
        }
    }

    @Test func typesThatAreStoredAlikeAgree() throws {
        try withTemporaryRealm([One.self, Alike.self]) { realm in
            try realm.write {
                realm.create(One.self, value: ["text": "no word", "count": 3] as [String: Any])
            }
            let alike = try #require(realm.objects(Alike.self).first)
            #expect(alike.number == 3 && realm.objects(Alike.self).filter("number == 3").count == 1)
        }
    }
}
