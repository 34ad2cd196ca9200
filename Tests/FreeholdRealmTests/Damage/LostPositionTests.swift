import Foundation
@testable import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import Testing

/// Positions that a program computed from a count, used after damage took the elements: they
/// read as empty, zero or invalidated, and nothing traps.
@Suite struct LostPositionTests {
    /// Each collection loses its elements inside of a transaction: a change of it finds that
    /// its checksum is wrong.
    enum Way: String, CaseIterable {
        case mapIndex, mapIteration, mapKeys
        case listSlice, listPrefix, setSlice, setPosition, anyCollection, anySlice
        case results, resultsSlice, resultsArray, resultsMap, resultsObjects
        case sections, sectionsPath, sectionsSlice, section, sectionSlice, sectionIndices
    }

    @Test(arguments: Way.allCases) func collectionsThatLoseTheirElements(way: Way) throws {
        try withLosingItem { item, loseElements in
            let (words, ids, marks) = (item.words, item.ids, item.marks)
            let sorted = words.sorted()
            let sections = words.sectioned(by: { $0.first.map(String.init) ?? "" })
            let section = try #require(sections.first)
            let any = AnyRealmCollection(words)
            let results = AnyRealmCollection(sorted)
            let pairs = marks.makeIterator()
            let slice = words[1..<3]
            #expect(
                words.count == 3 && ids.count == 3 && marks.count == 3 && sorted.count == 3
                    && sections.count == 2 && section.count == 1 && Array(sorted).count == 3)
            #expect(
                any.count == 3 && results.count == 3 && !slice.isEmpty && sections.last?.count == 2)
            loseElements()
            for _ in 0..<2 {
                switch way {
                case .mapIndex:
                    let entry = marks[MapIndex(offset: 2)]
                    #expect(entry.key == "" && entry.value == 0)
                case .mapIteration:
                    #expect(Array(IteratorSequence(pairs)).count == 3 && Array(marks).isEmpty)
                case .mapKeys:
                    #expect(marks.keys.isEmpty && marks.values.isEmpty && marks["two"] == nil)
                case .listSlice:
                    #expect(
                        words[1..<3].map { $0 } == ["", ""] && slice.map { $0 } == ["", ""]
                            && slice.count == 2)
                case .listPrefix:
                    #expect(
                        Array(words.prefix(2)).isEmpty && Array(words.dropFirst(2)).isEmpty
                            && words.suffix(1).isEmpty)
                case .setSlice: #expect(ids[1..<3].map { $0 } == [0, 0])
                case .setPosition: #expect(ids[2] == 0 && ids.objects(at: [1, 2]) == [0, 0])
                case .anyCollection:
                    #expect(any[2] == "" && results[2] == "" && any.objects(at: [2]) == [""])
                case .anySlice:
                    #expect(any[0..<3].count == 3 && results[0..<3].map { $0 } == ["", "", ""])
                case .results:
                    #expect(sorted[2] == "" && sorted.first ?? "" == "" && sorted.last ?? "" == "")
                case .resultsSlice:
                    let slice = sorted[0..<3]
                    #expect(
                        slice.map { $0 } == ["", "", ""] && slice.count == 3
                            && slice.dropFirst(1).count == 2 && slice.reversed() == ["", "", ""])
                case .resultsArray:
                    #expect(
                        Array(sorted).allSatisfy { $0 == "" }
                            && Array(words.distinct()).allSatisfy { $0 == "" })
                case .resultsMap:
                    let texts: [String] = sorted.map { $0 }
                    #expect(texts.allSatisfy { $0 == "" })
                case .resultsObjects: #expect(sorted.objects(at: [0, 2]) == ["", ""])
                case .sections:
                    #expect(
                        sections[1].isInvalidated && sections[1].isEmpty && sections[1].key == "t")
                    #expect(sections.map(\.key).isEmpty)
                case .sectionsPath:
                    #expect(
                        sections[IndexPath(item: 1, section: 1)] == ""
                            && sections[IndexPath(item: 7, section: 0)] == "")
                case .sectionsSlice:
                    let keys: [String] = sections[0..<2].map(\.key)
                    #expect(keys == ["o", "t"] && sections[0..<2].count == 2)
                case .section: #expect(section[0] == "" && section.isInvalidated && section.isEmpty)
                case .sectionSlice:
                    #expect(section[0..<1].map { $0 } == [""] && section[0..<1].count == 1)
                case .sectionIndices:
                    var position = section.startIndex
                    section.formIndex(after: &position)
                    section.formIndex(before: &position)
                    #expect(
                        position == 0 && section.distance(from: 0, to: 1) == 1
                            && section.index(0, offsetBy: 1) == 1)
                }
            }
        }
    }

    /// In a sound file, such positions trap, with Realm's text.
    @Test(arguments: ["map", "slice", "section"]) func positionsBeyondTheEndOfSoundCollections(
        way: String
    ) async {
        let result: ExitTest.Result?
        switch way {
        case "map":
            result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
            {
                try withTemporaryRealm(Damaged.types) { realm in
                    try realm.write { realm.create(Damaged.Item.self).marks["a"] = 1 }
                    _ = realm.objects(Damaged.Item.self)[0].marks[MapIndex(offset: 1)]
                }
            }
        case "slice":
            result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
            {
                try withTemporaryRealm(Damaged.types) { realm in
                    try realm.write { _ = realm.create(Damaged.Item.self) }
                    _ = realm.objects(Damaged.Item.self)[0..<2]
                }
            }
        default:
            result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
            {
                try withTemporaryRealm(Damaged.types) { realm in
                    try realm.write { _ = realm.create(Damaged.Item.self) }
                    _ = realm.objects(Damaged.Item.self).sectioned(by: \.text)[1]
                }
            }
        }
        expectMessage(
            result,
            """
            Index \(way == "slice" ? 2 : 1) is out of bounds (must be less than \
            \(way == "slice" ? 2 : 1)).
            """
        )
    }

    /// The row that has them is gone in a newer version, and damage is known: collections in
    /// its any values are empty.
    @Test(arguments: [
        "get", "set", "slice", "objects", "replace", "insert", "remove", "removeSubrange",
        "offsets", "move", "moveOffsets", "swap", "map", "mapSet",
    ])
    func nestedCollectionsThatLoseTheirElements(way: String) throws {
        try Damaged.withFile { file in
            let nested = try #require(file.other.nested.listValue)
            let inner = try #require(nested[2].dictionaryValue)
            let count = nested.count
            #expect(count == 3 && inner.count == 1)
            let writeSet = try file.store.beginWrite()
            try writeSet.mutableTable(writeSet.catalog["Damaged_Box"]!.id).deleteRows(
                [file.other.key], areUnlinked: true)
            _ = try file.store.commit(writeSet)
            file.realm.refresh()
            #expect(file.box.item == nil && file.store.isDamaged)
            file.realm.beginWrite()
            switch way {
            case "get": #expect(nested[count - 1] == .none)
            case "set": nested[count - 1] = .int(1)
            case "slice":
                #expect(
                    nested[1..<count].count == 2 && nested[1..<count].map { $0 } == [.none, .none])
            case "objects": #expect(nested.objects(at: [0, 2]) == [.none, .none])
            case "replace": nested.replaceSubrange(1..<count, with: [.int(1)])
            case "insert": nested.insert(.int(1), at: count)
            case "remove": nested.remove(at: count - 1)
            case "removeSubrange": nested.removeSubrange(1..<count)
            case "offsets": nested.remove(atOffsets: [0, count - 1])
            case "move": nested.move(from: count - 1, to: 0)
            case "moveOffsets": nested.move(fromOffsets: [count - 1], toOffset: 0)
            case "swap": nested.swapAt(0, count - 1)
            case "map":
                let entry = inner[MapIndex(offset: 0)]
                #expect(entry.key == "" && entry.value == .none)
            default:
                inner["k"] = .int(1)
                inner.removeObject(for: "k")
            }
            file.expectDamageKnown()
        }
    }

    /// One property of the objects of a list that lost them.
    @Test(arguments: [false, true]) func projectedCollections(isSlice: Bool) throws {
        try Damaged.withFile { file in
            let box = file.other
            let texts = box.items.projectTo.text
            #expect(texts.count == 3)
            let writeSet = try file.store.beginWrite()
            try writeSet.mutableTable(writeSet.catalog["Damaged_Box"]!.id).deleteRows(
                [box.key], areUnlinked: true)
            _ = try file.store.commit(writeSet)
            file.realm.refresh()
            #expect(file.box.item == nil && file.store.isDamaged)
            if isSlice {
                #expect(texts[1..<3].map { $0 } == ["", ""] && texts[1..<3].count == 2)
            } else {
                #expect(texts[2] == "" && texts.isEmpty)
            }
            file.expectDamageKnown()
        }
    }

    /// An item with three elements in each collection, and a function that makes the
    /// collections lose them, in a transaction.
    private func withLosingItem(_ body: (Damaged.Item, () -> Void) throws -> Void) throws {
        try Damaged.withFile { file in
            let item = file.other.items[0]
            try file.realm.write {
                item.words.append(objectsIn: ["one", "two", "three"])
                item.ids.insert(objectsIn: [0x1122_3344, 0x1122_3355, 0x1122_3366])
                for (index, key) in ["one", "two", "three"].enumerated() { item.marks[key] = index }
            }
            // A byte of each small leaf, whose checksum then is wrong.
            try Damaged.changeEntries(of: [.clusters], file.store) {
                Damaged.replace(Array("two".utf8), by: Array("twx".utf8), in: &$0)
                Damaged.replace([0x44, 0x33, 0x22, 0x11], by: [0x43, 0x33, 0x22, 0x11], in: &$0)
            }
            file.realm.refresh()
            try body(item) {
                file.realm.beginWrite()
                item.words.append("new")
                item.ids.insert(1)
                item.marks["new"] = 1
                item.words.removeAll()
                item.ids.removeAll()
                item.marks.removeAll()
                #expect(
                    file.store.isDamaged && item.words.isEmpty && item.ids.isEmpty
                        && item.marks.count == 0)
            }
            file.expectDamageKnown()
        }
    }
}
