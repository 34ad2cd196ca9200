import Foundation
@testable import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import Testing

/// Types that not every stored value is a value of, and that have no default. Where damage
/// leaves nothing that converts, another stored value stands in.
@Suite struct StandInTests {
    struct Tag: FailableCustomPersistable, Hashable {
        let text: String
        init?(persistedValue: String) {
            guard persistedValue.count == 4 else { return nil }
            text = persistedValue
        }
        var persistableValue: String { text }
    }

    struct Amount: FailableCustomPersistable, Equatable {
        let number: Int
        init?(persistedValue: Int) {
            guard persistedValue > 0 else { return nil }
            number = persistedValue
        }
        var persistableValue: Int { number }
    }

    /// Stored as an embedded object whose default is no such value.
    struct Span: FailableCustomPersistable, Equatable {
        let length: Int
        init(_ length: Int) { self.length = length }
        init?(persistedValue: StoredSpan) {
            guard persistedValue.length > 0 else { return nil }
            length = persistedValue.length
        }
        var persistableValue: StoredSpan {
            let stored = StoredSpan()
            stored.length = length
            return stored
        }
    }

    final class StoredSpan: EmbeddedObject {
        @Persisted var length = 0
    }

    final class Holder: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var tag: Tag
        @Persisted var tags: List<Tag>
        @Persisted var tagSet: MutableSet<Tag>
        @Persisted var tagMap: Map<String, Tag>
        @Persisted var amount: Amount
        @Persisted var amounts: List<Amount>
        @Persisted var span: Span
        @Persisted var spans: List<Span>
        @Persisted var spanMap: Map<String, Span?>
    }

    enum Way: String, CaseIterable {
        case property, list, positions, set, map, mapPositions, frozen, sorted, sections,
            sectionsOfObjects
        case maximum, sum, average, sumOfList, maximumOfList, sumOfFrozen
        case embedded, embeddedList, embeddedPositions, embeddedMap, embeddedIterator, description,
            name
    }

    /// Beside a damaged object there is a sound one.
    @Test(arguments: Way.allCases) func anotherStoredValueStandsIn(way: Way) throws {
        try withTemporaryDirectory { directory in
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: directory.file(), objectTypes: [Holder.self, StoredSpan.self]))
            try Self.fill(realm, 1...2)
            let store = try Store.open(Store.Options(path: directory.file().path))
            try Self.damage(store)
            realm.refresh()
            let holder = try #require(realm.object(ofType: Holder.self, forPrimaryKey: 1))
            let all = realm.objects(Holder.self)
            #expect(!store.isDamaged)
            let sound: Set<String> = ["good", "firs"]
            // By name: a key path needs a value of each property that it leads over, and these
            // have no default.
            switch way {
            case .property: #expect(sound.contains(holder.tag.text))
            case .list: #expect(holder.tags.map(\.text).allSatisfy(sound.contains))
            case .positions: #expect((0..<3).allSatisfy { sound.contains(holder.tags[$0].text) })
            case .set: #expect(Array(holder.tagSet).map(\.text).allSatisfy(sound.contains))
            case .map:
                #expect(
                    holder.tagMap.values.map(\.text).allSatisfy(sound.contains)
                        && sound.contains(holder.tagMap["bad"]?.text ?? ""))
            case .mapPositions:
                #expect(
                    (0..<2).allSatisfy {
                        sound.contains(holder.tagMap[MapIndex(offset: $0)].value.text)
                    })
            case .frozen:
                #expect(
                    holder.freeze().tags.map(\.text).allSatisfy(sound.contains)
                        && sound.contains(holder.freeze().tag.text))
            case .sorted: #expect(holder.tags.sorted().map(\.text).allSatisfy(sound.contains))
            case .sections:
                #expect(holder.tags.sectioned(by: { $0.text }).allKeys.allSatisfy(sound.contains))
            case .sectionsOfObjects:
                #expect(
                    all.sectioned(by: { $0.tag.text }, sortDescriptors: ["id"]).allKeys.allSatisfy(
                        sound.contains))
            case .maximum:
                #expect((all.min(ofProperty: "amount") as Amount?).map { $0.number > 0 } ?? true)
            case .sum: #expect((all.sum(ofProperty: "amount") as Amount).number > 0)
            case .average:
                #expect(
                    (all.average(ofProperty: "amount") as Amount?).map { $0.number > 0 } ?? true)
            case .sumOfList: #expect(holder.amounts.sum().number > 0)
            case .maximumOfList: #expect((holder.amounts.min()?.number ?? 1) > 0)
            case .sumOfFrozen:
                #expect((all.freeze().sum(ofProperty: "amount") as Amount).number > 0)
            case .embedded: #expect(holder.span.length > 0)
            case .embeddedList: #expect(Array(holder.spans).allSatisfy { $0.length > 0 })
            case .embeddedPositions: #expect((0..<2).allSatisfy { holder.spans[$0].length > 0 })
            case .embeddedMap: #expect(holder.spanMap["bad"] != nil)
            case .embeddedIterator: for span in holder.spans { #expect(span.length > 0) }
            case .description:
                #expect(
                    !holder.description.isEmpty && !holder.tags.description.isEmpty
                        && sound.contains(holder.tag.text))
            case .name:
                #expect(holder["tag"] is String && holder.value(forKey: "tags") is List<Tag>)
            }
            if way != .embeddedMap { #expect(store.isDamaged) }
            #expect(try !realm.check().isEmpty)
            let error = #expect(throws: Realm.Error.self) { try realm.write {} }
            #expect(error?.code == .corrupted)
        }
    }

    /// A file without a single value of the type: a function that can neither throw nor return
    /// ends the process, and says that the file is damaged.
    @Test func nothingStandsIn() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let directory = try TemporaryDirectory()
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: directory.file(), objectTypes: [Holder.self, StoredSpan.self]))
            try Self.fill(realm, 1...1)
            try Self.damage(try Store.open(Store.Options(path: directory.file().path)))
            realm.refresh()
            _ = realm.objects(Holder.self)[0].tag
        }
        expectMessage(result, "is damaged", "Tag")
    }

    /// The object 1 has values that are to be damaged, the others have none.
    private static func fill(_ realm: Realm, _ ids: ClosedRange<Int>) throws {
        try realm.write {
            for id in ids {
                let holder = Holder()
                holder.id = id
                holder.tag = Tag(persistedValue: id == 1 ? "evil" : "good")!
                holder.amount = Amount(persistedValue: id == 1 ? number : 5)!
                holder.span = Span(id == 1 ? number : 5)
                if id == 1 {
                    holder.tags.append(
                        objectsIn: ["firs", "evil", "good"].map { Tag(persistedValue: $0)! })
                    holder.tagSet.insert(
                        objectsIn: ["evil", "good"].map { Tag(persistedValue: $0)! })
                    holder.tagMap["bad"] = Tag(persistedValue: "evil")
                    holder.tagMap["good"] = Tag(persistedValue: "good")
                    holder.amounts.append(
                        objectsIn: [number, 5].map { Amount(persistedValue: $0)! })
                    holder.spans.append(objectsIn: [Span(number), Span(5)])
                    holder.spanMap["bad"] = Span(number)
                }
                realm.add(holder)
            }
        }
    }

    private static func damage(_ store: Store) throws {
        let changed = try Damaged.changeEntries(of: [.clusters, .elements], store) { bytes in
            Damaged.replace(Array("evil".utf8), by: Array("\u{E9}il".utf8), in: &bytes)
            Damaged.replace(bytesOf(number), by: bytesOf(-1 << 60), in: &bytes)
        }
        #expect(changed >= 4)
    }

    private static let number = 0x1122_3344_5566_7788
    private static func bytesOf(_ number: Int) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}
