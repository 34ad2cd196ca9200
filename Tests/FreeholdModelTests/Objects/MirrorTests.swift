import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// What `Mirror` shows, and with it `dump`, and what Swift Testing prints of an expectation
/// that fails: never the insides of a realm. They are as large as the file, and what locks
/// protect would be read without them.
@Suite struct MirrorTests {
    /// Into everything that can be come by, as Swift Testing does.
    private struct Walk {
        private var seen: Set<ObjectIdentifier> = []
        private(set) var count = 0
        /// The library's types of which something was shown.
        private(set) var opened: Set<String> = []

        mutating func visit(_ value: Any) {
            count += 1
            let mirror = Mirror(reflecting: value)
            if count > 10_000
                || mirror.displayStyle == .class
                    && !seen.insert(ObjectIdentifier(value as AnyObject)).inserted
            {
                return
            }
            var current: Mirror? = mirror
            while let one = current {
                if !one.children.isEmpty { opened.insert(_typeName(one.subjectType)) }
                for child in one.children { visit(child.value) }
                current = one.superclassMirror
            }
        }
    }

    private func expectLittle(_ value: Any, _ name: String) {
        var walk = Walk()
        walk.visit(value)
        #expect(walk.count < 150, "\(name) shows \(walk.opened.sorted())")
        // What is not counted may be gone. Bindings are not, while their realm is there.
        let inside = walk.opened.filter {
            $0.hasPrefix("Swift.Unmanaged<") && !$0.contains("ClassBinding")
                || $0.contains(".Locked<") || $0.hasSuffix("RealmCore") || $0.hasSuffix("Snapshot")
                || $0.hasSuffix("WriteSet")
        }
        #expect(inside.isEmpty, "\(name)")
    }

    @Test func insidesAreNotShown() throws {
        try withTemporaryRealm(Fixture.all) { realm in
            try realm.write {
                for id in 100..<3_000 {
                    realm.create(
                        Fixture.Person.self,
                        value: [
                            "id": id, "age": id,
                            "friend": realm.object(ofType: Fixture.Person.self, forPrimaryKey: 100)
                                as Any,
                        ])
                }
            }
            let subject = try ConfinedSubject(realm)
            #expect(
                subject.people.sorted(byKeyPath: "age").last?.id == 2_999
                    && subject.people.count == 2_901)
            try realm.write { subject.numbers.append(objectsIn: 0..<3_000) }
            for child in Mirror(reflecting: subject).children {
                expectLittle(child.value, child.label ?? "")
            }
            expectLittle(subject.people.where { $0.age > 0 }.sorted(byKeyPath: "name"), "sorted")
            expectLittle(Frozen(subject.people), "frozen")
            expectLittle(ThreadSafeReference(to: subject.person), "reference")
            expectLittle(AnyRealmCollection(subject.people), "any collection")
            expectLittle(realm.configuration, "configuration")
            // Read in a transaction with many changes.
            try realm.write {
                for person in subject.people { person.age += 1 }
                expectLittle(subject.person, "an object in a transaction")
                expectLittle(realm, "a realm in a transaction")
            }
            var text = ""
            dump(subject.person, to: &text)
            #expect(text.split(separator: "\n").count < 150)
        }
    }

    /// Those of no realm show what they have, as other classes do.
    @Test func unmanagedObjectsShowTheirWrappers() {
        let labels = Mirror(reflecting: Fixture.Person(id: 1)).children.compactMap(\.label)
        #expect(labels == ["_id", "_name", "_age", "_dog", "_friend", "_admirers"])
    }
}
