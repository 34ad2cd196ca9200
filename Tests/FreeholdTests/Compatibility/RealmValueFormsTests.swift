import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// Forms of values that Realm's own tests use: what literals accept and refuse, what collections give by name, and texts.
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
                let owner = realm.create(Forms.Owner.self, value: ["name": "a", "numbers": [Int]()] as [String: Any])
                #expect(owner.numbers.count == 0)
                owner.numbers["x"] = 1
                owner["numbers"] = [Any]()
                #expect(owner.numbers.count == 0)
            }
            #expect(Forms.Owner(value: ["flags": [Any]()]).flags.count == 0)
        }
    }

    /// Each was accepted: as 1, as an object with its defaults, as null.
    @Test(.disabled(if: dlsym(nil, "__tsan_init") != nil, "ThreadSanitizer does not survive a fork."))
    func wrongValuesAreRefused() async {
        await #expect(processExitsWith: .failure) { _ = Forms.Owner(value: ["ratio": true]) }
        await #expect(processExitsWith: .failure) { _ = Forms.Owner(value: ["flag": Forms.Other()]) }
        await #expect(processExitsWith: .failure) { _ = Forms.Owner(value: ["flagList": [Forms.Other()]]) }
        await #expect(processExitsWith: .failure) { _ = Forms.Owner(value: ["flags": ["a": "text"]]) }
        await #expect(processExitsWith: .failure) {
            let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "forms", objectTypes: Forms.all))
            try realm.write { realm.create(Forms.Owner.self, value: ["flag": Forms.Other()]) }
        }
        await #expect(processExitsWith: .failure) {
            let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "forms", objectTypes: Forms.all))
            try realm.write { realm.create(Forms.Owner.self)["flag"] = realm.create(Forms.Other.self) }
        }
    }

    @Test func numbersOfJSONAreAccepted() throws {
        let json = try JSONSerialization.jsonObject(with: Data(#"{"ratio": 1, "name": "a", "flag": {"isSet": true}}"#.utf8))
        let owner = Forms.Owner(value: json)
        #expect(owner.ratio == 1 && owner.flag?.isSet == true)
    }

    @Test func setsGiveObjectsByName() throws {
        try withTemporaryRealm(Forms.all) { realm in
            try realm.write {
                let owner = realm.create(Forms.Owner.self, value: ["tags": ["a"], "flagSet": [["isSet": true]]] as [String: Any])
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
