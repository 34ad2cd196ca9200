import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// Forms of values that Realm's own tests use: what literals accept and refuse, what
/// collections give by name, and texts.
@Suite struct RealmValueFormsTests {
    enum Forms {
        static let all: [ObjectBase.Type] = [Owner.self, Flag.self, Other.self]

        final class Owner: Object {
            @Persisted var name = ""
            @Persisted var ratio: Float
            @Persisted var flag: Flag?
            @Persisted var numbers: Map<String, Int>
            @Persisted var flags: Map<String, Flag?>
            @Persisted var flagList: List<Flag>
            @Persisted var flagSet: MutableSet<Flag>
            @Persisted var tags: MutableSet<String>
        }

        final class Flag: Object {
            @Persisted var isSet = false
        }

        final class Other: Object {
            @Persisted var number = 7
        }
    }

    @available(*, deprecated) final class Legacy: Object, Codable {
        @Persisted var id = 0
        var optional = RealmOptional<Int>()
        var property = RealmProperty<Double?>()
    }

    @Test func anEmptyArrayIsAnEmptyMap() throws {
        try withTemporaryRealm(Forms.all) { realm in
            try realm.write {
                let owner = realm.create(
                    Forms.Owner.self, value: ["name": "a", "numbers": [Int]()] as [String: Any])
                #expect(owner.numbers.count == 0)
                owner.numbers["x"] = 1
                owner["numbers"] = [Any]()
                #expect(owner.numbers.count == 0)
            }
            #expect(Forms.Owner(value: ["flags": [Any]()]).flags.count == 0)
        }
    }

    private static let isThreadSanitized = dlsym(nil, "__tsan_init") != nil

    /// Each was accepted: as 1, as an object with its defaults, as null.
    @Test(.disabled(if: isThreadSanitized, "ThreadSanitizer does not survive a fork."))
    func wrongValuesAreRefused() async {
        let number = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = Forms.Owner(value: ["ratio": true])
        }
        expectMessage(
            number, "Invalid value 'true' of type 'Bool' for 'float' property", "Owner.ratio'")
        let link = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Forms.Owner(value: ["flag": Forms.Other()])
        }
        expectMessage(link, "Invalid value 'RealmValueFormsTests_Forms_Other {", "Owner.flag'")
        let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Forms.Owner(value: ["flagList": [Forms.Other()]])
        }
        expectMessage(list, "Invalid value 'RealmValueFormsTests_Forms_Other {", "Owner.flagList'")
        let map = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Forms.Owner(value: ["flags": ["a": "text"]])
        }
        expectMessage(map, "Invalid value 'text' of type 'String' for", "Owner.flags'")
        let created = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try RealmValueFormsTests.write {
                $0.create(Forms.Owner.self, value: ["flag": Forms.Other()])
            }
        }
        expectMessage(created, "Invalid value 'RealmValueFormsTests_Forms_Other {", "Owner.flag'")
        let named = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try RealmValueFormsTests.write {
                $0.create(Forms.Owner.self)["flag"] = $0.create(Forms.Other.self)
            }
        }
        expectMessage(named, "Invalid value 'RealmValueFormsTests_Forms_Other {", "Owner.flag'")
    }

    private static func write(_ body: (Realm) -> Void) throws {
        let realm = try Realm(
            configuration: .init(inMemoryIdentifier: "forms", objectTypes: Forms.all))
        try realm.write { body(realm) }
    }

    @Test func numbersOfJSONAreAccepted() throws {
        let json = try JSONSerialization.jsonObject(
            with: Data(#"{"ratio": 1, "name": "a", "flag": {"isSet": true}}"#.utf8))
        let owner = Forms.Owner(value: json)
        #expect(owner.ratio == 1 && owner.flag?.isSet == true)
    }

    @Test func setsGiveObjectsByName() throws {
        try withTemporaryRealm(Forms.all) { realm in
            try realm.write {
                let owner = realm.create(
                    Forms.Owner.self,
                    value: ["tags": ["a"], "flagSet": [["isSet": true]]] as [String: Any])
                let tags: [AnyObject] = owner.tags.value(forKey: "self")
                #expect(tags.map { "\($0)" } == ["a"])
                let flags: [AnyObject] = owner.flagSet.value(forKey: "isSet")
                #expect(flags.count == 1)
                let listed: [AnyObject] = owner.flagList.value(forKey: "isSet")
                #expect(listed.isEmpty)
            }
        }
    }

    @Test func textsBeginWithTheTypesName() throws {
        try withTemporaryRealm(Forms.all) { realm in
            let all = AnyRealmCollection(realm.objects(Forms.Flag.self))
            #expect(all.description.hasPrefix("AnyRealmCollection<"), "\(all)")
        }
    }

    @available(*, deprecated) @Test func legacyPropertiesAreCodable() throws {
        let legacy = Legacy()
        legacy.optional.value = 3
        legacy.property.value = 1.5
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let data = try encoder.encode(legacy)
        let copy = try JSONDecoder().decode(Legacy.self, from: data)
        #expect(copy.optional.value == 3 && copy.property.value == 1.5)
        let empty = try JSONDecoder().decode(RealmOptional<Int>.self, from: Data("null".utf8))
        #expect(empty.value == nil)
    }
}
