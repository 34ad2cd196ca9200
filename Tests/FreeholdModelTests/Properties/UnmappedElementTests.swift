import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

private final class CodeHolder: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var code: Code?
    @Persisted var own = Code(persistedValue: "four")!
    @Persisted var codes: List<Code>
    @Persisted var sure: MutableSet<Code>
    @Persisted var keyed: Map<String, Code>
    @Persisted var maybe: List<Code?>
    @Persisted var group: MutableSet<Code?>
    @Persisted var named: Map<String, Code?>
}

private struct Spot: CustomPersistable {
    var height = 0
    typealias PersistedType = SpotRecord
    init(persistedValue: SpotRecord) { height = persistedValue.height }
    init(_ height: Int) { self.height = height }
    var persistableValue: SpotRecord { SpotRecord(value: [height]) }
}

private final class SpotRecord: EmbeddedObject {
    @Persisted var height = 7
}

private final class SpotHolder: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var spots: Map<String, Spot>
    @Persisted var maybe: Map<String, Spot?>
}

/// Elements that no value of the program stands for: realms store them, as Realm does, and
/// optional elements read them as nil.
@Suite struct UnmappedElementTests {
    private let values: [String: Any] = [
        "maybe": ["four", "toolong"], "group": ["no"], "named": ["a": "x", "b": "four"],
    ]

    private func verify(_ holder: CodeHolder) {
        #expect(
            holder.maybe.map { $0?.text } == ["four", nil] && holder.group.map { $0?.text } == [nil]
        )
        #expect(
            holder.named["a"]??.text == nil && holder.named["b"]??.text == "four"
                && holder.named.count == 2)
        let stored = holder.realm?.dynamicObject(
            ofType: CodeHolder.className(), forPrimaryKey: holder.id)
        #expect((stored?["maybe"] as? List<String?>).map { Array($0) } == ["four", "toolong"])
    }

    @Test func assigned() throws {
        try withTemporaryRealm([CodeHolder.self]) { realm in
            let holder = CodeHolder()
            try realm.write {
                realm.add(holder)
                for (name, value) in values { holder.setValue(value, forKey: name) }
                holder["codes"] = ["no"]
            }
            verify(holder)
            #expect(holder.codes.count == 1)
            try realm.write { holder["codes"] = ["four"] }
            #expect(holder.codes[0].text == "four")
        }
    }

    @Test func created() throws {
        try withTemporaryRealm([CodeHolder.self]) { realm in
            try realm.write {
                let value = values.merging(["id": 1]) { $1 }
                verify(realm.create(CodeHolder.self, value: value))
                let updated = realm.create(
                    CodeHolder.self, value: ["id": 1, "maybe": ["a"]] as [String: Any],
                    update: .modified)
                #expect(updated.maybe.map { $0?.text } == [nil])
                verify(realm.create(CodeHolder.self, value: value, update: .modified))
            }
        }
    }

    /// Unmanaged objects have no place for them: nil where there can be one, as in Realm.
    @Test func unmanaged() throws {
        let holder = CodeHolder(value: values)
        #expect(
            holder.maybe.map { $0?.text } == ["four", nil] && holder.group.map { $0?.text } == [nil]
        )
        #expect(
            holder.named.count == 2 && holder.named["b"]??.text == "four"
                && holder.named["a"]??.text == nil)
        holder["code"] = "four"
        #expect(holder.code?.text == "four")
        holder["code"] = "toolong"
        #expect(holder.code == nil && holder["code"] == nil)
        holder.setValue(["no"], forKey: "maybe")
        #expect(holder.maybe.count == 1 && holder.maybe[0]?.text == nil)
        // Where there can be none, they are counted, and replaced by what is assigned next.
        let counted = CodeHolder(value: [
            "codes": ["toolong", "four"], "sure": ["no"], "keyed": ["a": "no"],
        ])
        #expect(counted.codes.count == 2 && counted.sure.count == 1 && counted.keyed.count == 1)
        counted.setValue(["four"], forKey: "codes")
        counted.sure.removeAll()
        counted.keyed.removeAll()
        #expect(counted.codes[0].text == "four" && counted.sure.isEmpty && counted.keyed.count == 0)
        try withTemporaryRealm([CodeHolder.self]) { realm in
            try realm.write { realm.add(holder) }
            #expect(holder.code == nil && holder.maybe.count == 1)
        }
    }

    @Test(arguments: [
        "property", "list", "loop", "append", "add", "set", "map", "subscript", "wrong type",
        "both", "null",
    ])
    func unmanagedWhereThereIsNoNil(_ way: String) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [way = way as String] in
            switch way {
            case "property": _ = CodeHolder(value: ["own": "toolong"])
            case "list": _ = CodeHolder(value: ["codes": ["four", "toolong"]]).codes[0]
            case "loop": for _ in CodeHolder(value: ["codes": ["toolong"]]).codes {}
            case "append":
                CodeHolder(value: ["codes": ["toolong"]]).codes.append(
                    Code(persistedValue: "four")!)
            case "add":
                try withTemporaryRealm([CodeHolder.self]) { realm in
                    try realm.write { realm.add(CodeHolder(value: ["codes": ["toolong"]])) }
                }
            case "set": _ = CodeHolder(value: ["sure": ["toolong"]]).sure.first
            case "map": _ = CodeHolder(value: ["keyed": ["a": "toolong"]]).keyed["a"]
            case "subscript": CodeHolder()["own"] = "toolong"
            case "null": _ = CodeHolder(value: ["codes": ["toolong", nil] as [Any?]])
            case "both": _ = CodeHolder(value: ["codes": ["toolong", 1.5] as [Any]])
            default: _ = CodeHolder(value: ["maybe": [1.5]])
            }
        }
        expectMessage(
            result,
            ["wrong type", "both", "null"].contains(way)
                ? "Invalid value" : "Could not convert value 'toolong' to type 'Code'.")
    }

    /// As in Realm: where there can be no null, it is the default of the value.
    @Test func nullInMaps() throws {
        let value: [String: Any] = [
            "id": 1, "spots": ["a": NSNull(), "b": Spot(2)], "maybe": ["a": NSNull()],
        ]
        func verify(_ holder: SpotHolder) {
            #expect(
                holder.spots["a"]?.height == 7 && holder.spots["b"]?.height == 2
                    && holder.spots.count == 2)
            #expect(holder.maybe.count == 1 && holder.maybe["a"]??.height == nil)
        }
        verify(SpotHolder(value: value))
        try withTemporaryRealm([SpotHolder.self, SpotRecord.self]) { realm in
            try realm.write {
                verify(realm.create(SpotHolder.self, value: value))
                verify(realm.create(SpotHolder.self, value: value, update: .modified))
            }
        }
    }
}
