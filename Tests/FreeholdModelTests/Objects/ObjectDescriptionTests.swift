import Foundation
import Testing

@testable import Freehold
import FreeholdRealmTestSupport

@Suite struct ObjectDescriptionTests {
    typealias Dog = ObjectModels.Dog
    typealias Person = ObjectModels.Person

    @Test func listsPropertiesAndIndentsLinks() {
        let id = ObjectId("5f4e1c9f2b3a4d5e6f708192")
        let person = Person(value: [
            "_id": id, "name": "Ann", "portrait": Data([0, 1, 2, 0xab, 4]), "dog": ["Bo"],
        ])
        #expect(
            person.description == """
                ObjectModels_Person {
                \t_id = 5f4e1c9f2b3a4d5e6f708192;
                \tname = Ann;
                \tborn = 2001-01-01 00:00:00 +0000;
                \tportrait = <000102ab 04 — 5 total bytes>;
                \tdog = ObjectModels_Dog {
                \t\tname = Bo;
                \t\tage = 5;
                \t\towner = (null);
                \t};
                \tfriend = (null);
                }
                """)
    }

    @Test func cutsDataAndDepth() {
        let person = Person()
        person.portrait = Data(repeating: 7, count: 100)
        person.friend = person
        let text = person.description
        #expect(
            text.contains(
                "<07070707 07070707 07070707 07070707 07070707 07070707 — 100 total bytes>"))
        #expect(text.contains("\t\t\t\t\tfriend = <Maximum depth exceeded>;"))
        #expect(text.components(separatedBy: "ObjectModels_Person {").count == 6)
        person.friend = nil
    }

    /// Foundation ends the process at the description of such a date.
    @Test func describesDatesBeyondCalendars() {
        let person = Person()
        person.born = Date(timeIntervalSinceReferenceDate: .nan)
        #expect(person.description.contains("\tborn = nan s after 2001-01-01 00:00:00 +0000;\n"))
        person.born = Date(timeIntervalSinceReferenceDate: -1e300)
        #expect(person.description.contains("\tborn = -1e+300 s after"))
    }

    @Test func booleansAndEnumsAreNumbersAndRawValues() {
        let object = ObjectModels.AllTypes()
        object.bool = true
        object.mood = .cross
        #expect(object.description.contains("\tbool = 1;\n"))
        #expect(object.description.contains("\tmood = cross;\n"))
        #expect(object.description.contains("\tlevel = 1;\n"))
    }
}

@Suite struct ObjectEqualityTests {
    @Test func unmanagedObjectsAreEqualToThemselvesOnly() {
        let one = ObjectModels.Numbered(value: [1])
        let other = ObjectModels.Numbered(value: [1])
        #expect(one == one)
        #expect(one != other)
        #expect(!one.isSameObject(as: other))
        #expect(one.isSameObject(as: one))
        #expect(!one.isSameObject(as: nil))
        #expect(Set<Object>([one, other, one]).count == 2)
    }
}
