import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Any values that link to objects of classes that the realm's schema lacks: they come as
/// dynamic objects.
@Suite struct ClassesBesideSchemaTests {
    final class Holder: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var value: AnyRealmValue
        @Persisted var values: List<AnyRealmValue>
        @Persisted var named: Map<String, AnyRealmValue>

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Other: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var name = ""
        @Persisted var holder: Holder?
        @Persisted var next: Other?
        @Persisted var others: List<Other>
        @Persisted var part: Part?

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Part: EmbeddedObject {
        @Persisted var size = 0

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private static let all: [ObjectBase.Type] = [Holder.self, Other.self, Part.self]

    /// A realm that knows `Holder` only, whose object 1 links to `Other` 1 in four ways, and
    /// one that knows all.
    private func withRealms(
        _ body: (_ realm: Realm, _ whole: Realm, _ scheduler: ManualScheduler) throws -> Void
    ) throws {
        try withTemporaryRealm(Self.all) { whole in
            try whole.write {
                let holder = Holder(value: ["id": 1])
                let other = Other(
                    value: [
                        "id": 1, "name": "a", "part": [5],
                        "next": ["id": 2, "name": "b"] as [String: Any],
                    ] as [String: Any])
                other.holder = holder
                if let next = other.next { other.others.append(objectsIn: [other, next]) }
                holder.value = .object(other)
                holder.values.append(objectsIn: [.int(1), .object(other)])
                holder.named["o"] = .fromArray([.object(other)])
                whole.add(other)
                whole.add(Holder(value: ["id": 2]))
            }
            var configuration = whole.configuration
            configuration.objectTypes = [Holder.self]
            let scheduler = ManualScheduler()
            let realm = try Realm(configuration: configuration, scheduler: scheduler)
            try body(realm, whole, scheduler)
            whole.refresh()
        }
    }

    @Test func areRead() throws {
        try withRealms { realm, _, _ in
            #expect(
                realm.schema.objectSchema.map(\.className) == ["ClassesBesideSchemaTests_Holder"])
            let holder = try #require(realm.object(ofType: Holder.self, forPrimaryKey: 1))
            let other = try #require(holder.value.dynamicObject)
            #expect(other.name as? String == "a" && other["id"] as? Int == 1)
            #expect(other.objectSchema.className == "ClassesBesideSchemaTests_Other")
            #expect((other.part as? DynamicObject)?.size as? Int == 5)
            let next = try #require(other.next as? DynamicObject)
            #expect(next.name as? String == "b" && next.next == nil)
            #expect((other.holder as? DynamicObject)?.id as? Int == 1)
            #expect(
                (other.others as? List<DynamicObject>)?.map { $0.name as? String } == ["a", "b"])
            #expect(holder.values[1] == holder.value && holder.value == .object(other))
            #expect(holder.named["o"]?.listValue?.first == holder.value)
            #expect(holder.value.object(Other.self) == nil, "The class is not the realm's.")
            #expect(holder.description.contains("name = a"))
            #expect(
                realm.objects(Holder.self).where { $0.value == .object(other) }.map(\.id) == [1])
        }
    }

    @Test func areFrozenAndReferredTo() throws {
        try withRealms { realm, whole, _ in
            let holder = try #require(realm.object(ofType: Holder.self, forPrimaryKey: 1))
            let other = try #require(holder.value.dynamicObject)
            let frozen = other.freeze()
            #expect(frozen.isFrozen && holder.freeze().value.dynamicObject?.name as? String == "a")
            try whole.write { whole.object(ofType: Other.self, forPrimaryKey: 1)?.name = "c" }
            realm.refresh()
            #expect(
                other.name as? String == "c" && frozen.name as? String == "a"
                    && frozen.thaw()?.name as? String == "c")
            let reference = ThreadSafeReference(to: other)
            let configuration = realm.configuration
            #expect(
                try onNewThread {
                    try Realm(configuration: configuration).resolve(reference)?.name as? String
                } == "c")
            let encoded = try onNewThread { [frozen = Frozen(holder)] in
                try JSONEncoder().encode(frozen)
            }
            #expect(String(decoding: encoded, as: UTF8.self).contains(#""name":"c""#))
        }
    }

    @Test func areObservedAndWritten() throws {
        try withRealms { realm, whole, scheduler in
            let holder = try #require(realm.object(ofType: Holder.self, forPrimaryKey: 1))
            let other = try #require(holder.value.dynamicObject)
            var told: [String] = []
            let token = other.observe { (change: ObjectChange<DynamicObject>) in
                switch change {
                case .change(_, let properties): told += properties.map(\.name)
                case .deleted: told.append("deleted")
                case .error(let error): told.append("\(error)")
                }
            }
            func deliver() {
                repeat {
                    realm.waitForNotifier()
                    scheduler.runAll()
                    realm.waitForNotifier()
                } while scheduler.workCount > 0
            }
            deliver()
            try whole.write { whole.object(ofType: Other.self, forPrimaryKey: 1)?.name = "c" }
            deliver()
            #expect(told == ["name"])
            try realm.write {
                other.name = "d"
                let next = other.next
                other.next = nil
                other.next = next
                other.part = nil
                (other.others as? List<DynamicObject>)?.removeLast()
                realm.object(ofType: Holder.self, forPrimaryKey: 2)?.value = .object(other)
                realm.add(Holder(value: ["id": 3, "value": other]))
            }
            whole.refresh()
            let written = try #require(whole.object(ofType: Other.self, forPrimaryKey: 1))
            #expect(
                written.next?.name == "b" && written.part == nil && written.others.count == 1
                    && whole.dynamicObjects("ClassesBesideSchemaTests_Part").isEmpty)
            #expect(
                whole.objects(Holder.self).compactMap { $0.value.object(Other.self)?.name } == [
                    "d", "d", "d",
                ])
            try realm.write { realm.delete(other) }
            deliver()
            #expect(told.last == "deleted" && other.isInvalidated && holder.value == .none)
            #expect(holder.values.count == 2 && holder.values[1] == .none)
            withExtendedLifetime(token) {}
        }
    }

    /// Their class would have to be merged, too.
    @Test func areNotMerged() throws {
        try withRealms { realm, _, _ in
            try withTemporaryRealm([Holder.self]) { target in
                let error = #expect(throws: Realm.Error.self) {
                    try realm.writeCopy(configuration: target.configuration)
                }
                #expect(
                    "\(error as Any)".contains(
                        "ClassesBesideSchemaTests_Other' is not managed by the Realm"))
                target.refresh()
                #expect(target.objects(Holder.self).isEmpty)
            }
        }
    }

    /// A class of the same name with a property more, as another program may declare it.
    final class Wider: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var name = ""
        @Persisted var holder: Holder?
        @Persisted var next: Wider?
        @Persisted var others: List<Wider>
        @Persisted var part: Part?
        @Persisted var added = 7

        override class func className() -> String { Other.className() }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test func widenedByOthers() throws {
        try withRealms { realm, whole, _ in
            let holder = try #require(realm.object(ofType: Holder.self, forPrimaryKey: 1))
            let other = try #require(holder.value.dynamicObject)
            var configuration = whole.configuration
            configuration.objectTypes = [Holder.self, Wider.self, Part.self]
            let wider = try Realm(configuration: configuration, scheduler: ManualScheduler())
            try wider.write { wider.object(ofType: Wider.self, forPrimaryKey: 1)?.name = "z" }
            realm.refresh()
            #expect(
                other.name as? String == "z" && holder.value.dynamicObject?.name as? String == "z")
            realm.invalidate()
            #expect(realm.objects(Holder.self).first?.value.dynamicObject?.name as? String == "z")
        }
    }
}
