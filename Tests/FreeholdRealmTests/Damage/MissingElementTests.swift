import Foundation
@testable import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import Testing

/// Elements, links and backlinks that lead to rows that do not exist: they are invalidated or
/// nil, read as zero and null, and nothing is committed any more.
@Suite struct MissingElementTests {
    private static let texts = ["item 0", "", "item 2"]

    @Test(arguments: [false, true]) func loopsOverElements(isFrozen: Bool) throws {
        try Damaged.withFile { file in
            let box = isFrozen ? file.box.freeze() : file.box
            var texts: [String] = []
            var invalidated: [Bool] = []
            for item in box.items {
                invalidated.append(item.isInvalidated)
                texts.append(item.text)
                #expect(
                    item.isInvalidated
                        == (item.number == 0 && item.optional == nil && item.data.isEmpty
                            && item.text.isEmpty))
            }
            #expect(texts == Self.texts && invalidated == [false, true, false])
            #expect(box.keyeds.map(\.text) == ["keyed 0", "", "keyed 2"])
            #expect(Array(box.itemSet).map(\.text).sorted() == ["", "item 0", "item 2"])
            #expect(box.parts.map(\.name) == ["part 0", "", "part 2"])
            #expect(
                box.itemMap.map { $0.value?.text }.count == 3
                    && box.itemMap.values.compactMap { $0?.text }.sorted() == [
                        "", "item 0", "item 2",
                    ])
            #expect(
                box.partMap.values.compactMap { $0?.name }.sorted() == ["", "mapped 0", "mapped 2"])
            #expect(Array(box.items.reversed()).map(\.text) == Self.texts.reversed())
            file.expectDamageKnown()
        }
    }

    @Test func positions() throws {
        try Damaged.withFile { file in
            let box = file.box
            #expect(
                box.items[1].text == "" && box.items[1].isInvalidated && box.keyeds[1].id == 0
                    && box.parts[1].name == "")
            #expect(box.items.first?.text == "item 0" && box.items.last?.text == "item 2")
            #expect(box.itemMap["b"]??.isInvalidated == true && box.partMap["b"]??.name == "")
            #expect(
                box.items.sorted(by: \.number).map(\.text).count == 3
                    && box.items.where { $0.number == 1 }.isEmpty)
            #expect(box.items.objects(at: [0, 1]).map(\.text) == ["item 0", ""])
            #expect(box.items.index(of: box.items[1]) == 1)
            #expect(box.items.filter("text == ''").count == 0 && box.items.max(of: \.number) == 2)
            #expect(Array(box.items.distinct(by: ["text"])).count >= 2)
            #expect(box.items.sectioned(by: \.text).count >= 2)
            #expect(
                (box.items.value(forKey: "text") as? [String])?.count == 3 || box.items.count == 3)
            #expect(!box.items.description.isEmpty && !box.description.isEmpty)
            file.expectDamageKnown()
        }
    }

    @Test(arguments: [false, true]) func linksAndAnyValues(isFrozen: Bool) throws {
        try Damaged.withFile { file in
            let box = isFrozen ? file.box.freeze() : file.box
            #expect(box.item == nil && file.store.isDamaged)
            #expect(box.keyed == nil && box.part == nil)
            #expect(
                box.any == .none && box.anys[1] == .none && box.anyMap["k"] == AnyRealmValue.none)
            #expect(
                box.anys.map { $0 }.count == 3 && box.nested.listValue?[0] == AnyRealmValue.none)
            #expect(box.nested.listValue?[2].dictionaryValue?["k"] == AnyRealmValue.none)
            file.expectDamageKnown()
        }
    }

    /// Of an object without a row, in a file that is known to be damaged.
    @Test func frozenCollectionsAreEmpty() throws {
        try Damaged.withFile { file in
            let item = file.box.items[1]
            #expect(item.isInvalidated && file.store.isDamaged)
            #expect(
                item.words.freeze().isEmpty && item.friends.freeze().isEmpty
                    && item.ids.freeze().isEmpty && item.marks.freeze().count == 0)
            #expect(
                item.words.sorted().freeze().isEmpty
                    && item.friends.sorted(by: \.number).freeze().isEmpty)
            #expect(item.words.freeze().thaw()?.isEmpty ?? true)
            file.expectDamageKnown()
        }
    }

    @Test func frozenNestedCollectionsAreEmpty() throws {
        try Damaged.withFile { file in
            let nested = try #require(file.other.nested.listValue)
            let inner = try #require(nested[2].dictionaryValue)
            let elements = try #require(file.other.nestedElements[0].listValue)
            let writeSet = try file.store.beginWrite()
            try writeSet.mutableTable(writeSet.catalog["Damaged_Box"]!.id).deleteRows(
                [file.other.key], areUnlinked: true)
            _ = try file.store.commit(writeSet)
            file.realm.refresh()
            #expect(file.box.item == nil && file.store.isDamaged)
            #expect(
                nested.freeze().isEmpty && inner.freeze().count == 0 && elements.freeze().isEmpty)
            file.expectDamageKnown()
        }
    }

    /// Each of these is the first to see the damage.
    @Test(arguments: [
        "link", "any", "element", "key", "map", "embedded", "query", "dynamic", "dynamic element",
        "projection path", "kvc",
    ]) func eachFindsIt(way: String) throws {
        try Damaged.withFile { file in
            let box = file.box
            switch way {
            case "link": #expect(box.item == nil)
            case "any": #expect(box.any == .none)
            case "element": #expect(box.items[1].isInvalidated)
            case "key": #expect(box.keyed?.text == nil)
            case "map": #expect(box.itemMap["b"]??.text == "")
            case "embedded": #expect(box.part?.inner == nil)
            case "query":
                #expect(
                    box.items.where { $0.friend.number > 100 }.count == 0
                        && file.realm.objects(Damaged.Box.self).filter("item.number > keyed.id")
                            .isEmpty
                )
            case "dynamic":
                #expect(
                    file.realm.dynamicObjects("Damaged_Box").compactMap { $0.item as? ObjectBase }
                        .count == 1)
            case "dynamic element":
                for box in file.realm.dynamicObjects("Damaged_Box") {
                    let items = try #require(box.items as? List<DynamicObject>)
                    #expect(Array(items).map { $0["text"] as? String }.count == 3)
                }
            case "projection path": #expect(box.value(forKeyPath: "item.text") == nil)
            default: #expect((box["items"] as? List<Damaged.Item>)?[1].text == "")
            }
            file.expectDamageKnown()
        }
    }

    @Test func backlinksOfAnOwnerThatIsGone() throws {
        try Damaged.withFile(.sources) { file in
            for item in file.realm.objects(Damaged.Item.self) where item.number < 10 {
                for box in item.lists {
                    #expect(
                        box.isInvalidated && box.name == "" && box.items.isEmpty && box.item == nil
                            && box.any == .none)
                }
                for box in item.boxes { #expect(box.isInvalidated && box.itemMap.count == 0) }
                #expect(
                    item.lists.first?.name ?? "" == ""
                        && item.lists.map(\.name).allSatisfy { $0 == "" })
            }
            #expect(file.realm.object(ofType: Damaged.Box.self, forPrimaryKey: "box") == nil)
            file.expectDamageKnown()
        }
    }

    @Test(arguments: [false, true]) func indexEntriesOfRowsThatAreGone(isInTransaction: Bool) throws
    {
        try Damaged.withFile(keepsIndexes: true) { file in
            if isInTransaction { file.realm.beginWrite() }
            let found = file.realm.objects(Damaged.Item.self).where { $0.number == 1 }
            for item in found { #expect(item.isInvalidated && item.text == "") }
            #expect(
                found.first?.text ?? "" == "" && found.map(\.text).allSatisfy { $0 == "" }
                    && found.freezeIfOutside(isInTransaction).map(\.text).allSatisfy { $0 == "" })
            if found.count > 0 { file.expectDamageKnown() }
        }
    }
}

extension Results {
    fileprivate func freezeIfOutside(_ isInTransaction: Bool) -> Results {
        isInTransaction ? self : freeze()
    }
}
