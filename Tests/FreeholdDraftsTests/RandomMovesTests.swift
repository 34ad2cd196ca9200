import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// A draft that adds rows, and is saved and rebased again and again while others add rows to the
/// same tables; undone and redone between. Whatever was got from it at any time must show what a
/// plain model says, and observers must have been told what leads there.
@Suite struct RandomMovesTests {
    private typealias Item = MovedWorld.Item

    /// Something that was got from the draft; throws if it does not show the state.
    private typealias Handle = (MovedWorld.State) throws -> Void

    @Test(arguments: [false, true]) func handles(withUndo: Bool) throws {
        var random = Seed.random()
        for _ in 1...20 {
            try withTemporaryRealm(MovedWorld.all) { realm in
                let draft = try realm.draft()
                try run(MovedWorldEditor(draft), realm, withUndo: withUndo, &random)
                try draft.save()
                #expect(try realm.check().isEmpty)
            }
        }
    }

    private func run(
        _ editor: MovedWorldEditor, _ realm: Realm, withUndo: Bool,
        _ random: inout SeededGenerator
    ) throws {
        let draft = editor.draft
        var handles: [Handle] = []
        var (undo, redo): ([MovedWorld.State], [MovedWorld.State]) = ([], [])
        for _ in 1...30 {
            let before = editor.state
            switch random.int(0...9) {
            case 0, 1, 2, 3, 4:
                try draft.realm.write { for _ in 0...random.int(0...4) { editor.edit(&random) } }
                if draft.undoNames.count > undo.count { (undo, redo) = (undo + [before], []) }
            case 5 where withUndo && !undo.isEmpty:
                #expect(try draft.undo())
                redo.append(before)
                editor.state = undo.removeLast()
            case 6 where withUndo && !redo.isEmpty:
                #expect(try draft.redo())
                undo.append(before)
                editor.state = redo.removeLast()
            case 7:
                try MovedWorld.editElsewhere(
                    realm.configuration, UInt64(random.int(0...1_000_000_000)))
            case 8: try draft.save()
            default: try draft.rebase()
            }
            for _ in 0...2 { if let made = handle(editor, &random) { handles.append(made) } }
            try checkObjects(editor)
            for handle in handles { try handle(editor.state) }
        }
    }

    // MARK: Objects

    private func checkObjects(_ editor: MovedWorldEditor) throws {
        for (name, object) in editor.objects {
            guard let state = editor.state.items[name] else {
                try #require(object.isInvalidated, "\(name) is gone")
                continue
            }
            try #require(!object.isInvalidated, "\(name) is there")
            let any: MovedWorld.AnyState =
                switch (object.any, state.any) {
                case (.none, _): .none
                case (.object(let held), _): .object((held as? Item)?.name ?? "?")
                case (.list(let list), .nested(let id, _, _)):
                    .nested(
                        id, object: list[0].dictionaryValue?["object"]?.object(Item.self)?.name,
                        numbers: list[1].listValue?.map { $0.intValue ?? -1 } ?? [])
                default: .object("??")
                }
            let now = MovedWorld.ItemState(
                number: object.number, link: object.link?.name,
                items: object.items.map(\.name), words: Array(object.words),
                parts: object.parts.map(\.name), any: any)
            try #require(object.name == name && now == state)
        }
        for (code, object) in editor.codes {
            let state = editor.state.codes[code]
            try #require(object.isInvalidated == (state == nil), "code \(code)")
            if let state { try #require(object.code == code && object.item?.name == state) }
        }
        let parts = Set(editor.state.items.values.flatMap(\.parts))
        for (name, part) in editor.parts {
            try #require(part.isInvalidated == !parts.contains(name), "part \(name)")
            if !part.isInvalidated { try #require(part.name == name) }
        }
    }

    // MARK: Handles

    private func handle(_ editor: MovedWorldEditor, _ random: inout SeededGenerator) -> Handle? {
        guard let name = editor.pick(&random), let item = editor.objects[name] else { return nil }
        switch random.int(0...4) {
        case 0: return query(editor.draft, name, item, &random)
        case 1: return list(name, item, &random)
        case 2: return nested(name, item, editor.state)
        case 3: return backlinks(name, item, &random)
        default: return codes(editor.draft, name, item, &random)
        }
    }

    private func query(
        _ draft: Draft, _ name: String, _ item: Item, _ random: inout SeededGenerator
    ) -> Handle {
        let all = draft.objects(Item.self)
        let linking: Results<Item> =
            switch random.int(0...4) {
            case 0: all.where { $0.link == item }
            case 1: all.filter("link IN %@", [item])
            case 2: all.sorted(by: \.name).where { $0.link == item && $0.number >= 0 }
            case 3: all.where { $0.link == item }.distinct(by: [\.name])
            default: all.filter("link.name != 'x' AND NOT link != %@", item)
            }
        let containing: Results<Item> =
            switch random.int(0...2) {
            case 0: all.where { $0.items.contains(item) }
            case 1: all.filter("SUBQUERY(items, $item, $item == %@).@count > 0", item)
            default: all.filter("ANY items == %@", item)
            }
        let holding = all.where { $0.any == .object(item) }
        return { state in
            try #require(linking.map(\.name).sorted() == state.names { $0.link == name })
            try #require(
                containing.map(\.name).sorted() == state.names { $0.items.contains(name) })
            try #require(holding.map(\.name).sorted() == state.names { $0.any == .object(name) })
        }
    }

    private func list(
        _ name: String, _ item: Item, _ random: inout SeededGenerator
    ) -> Handle {
        let (items, words, parts) = (item.items, item.words, item.parts)
        let sorted = items.sorted(by: \.name)
        let sortedWords = words.sorted(ascending: false)
        return { state in
            guard let now = state.items[name] else {
                try #require(items.isInvalidated && words.isInvalidated && parts.isInvalidated)
                try #require(sorted.isEmpty && sortedWords.isInvalidated)
                return
            }
            try #require(!items.isInvalidated && !words.isInvalidated && !parts.isInvalidated)
            try #require(items.map(\.name) == now.items && Array(words) == now.words)
            try #require(parts.map(\.name) == now.parts)
            try #require(sorted.map(\.name) == now.items.sorted())
            try #require(Array(sortedWords) == now.words.sorted(by: >))
        }
    }

    /// Collections nested in an any value. They are themselves again if their value returns.
    private func nested(_ name: String, _ item: Item, _ state: MovedWorld.State) -> Handle? {
        guard case .nested(let id, _, _) = state.items[name]?.any, let list = item.any.listValue,
            let map = list[0].dictionaryValue, let numbers = list[1].listValue
        else { return nil }
        return { state in
            guard case .nested(id, let object, let now) = state.items[name]?.any else {
                try #require(list.isInvalidated && map.isInvalidated && numbers.isInvalidated)
                return
            }
            try #require(!list.isInvalidated && list.count == 2)
            try #require(map["object"]?.object(Item.self)?.name == object)
            try #require(numbers.map(\.intValue) == now)
        }
    }

    private func backlinks(
        _ name: String, _ item: Item, _ random: inout SeededGenerator
    ) -> Handle {
        let (owners, linking) = (item.owners, item.linking)
        let sorted = owners.sorted(by: \.name)
        return { state in
            let times = state.items.flatMap { owner, state in
                state.items.filter { $0 == name }.map { _ in owner }
            }.sorted()
            try #require(owners.map(\.name).sorted() == times)
            try #require(linking.map(\.name).sorted() == state.names { $0.link == name })
            try #require(sorted.map(\.name) == times)
        }
    }

    private func codes(
        _ draft: Draft, _ name: String, _ item: Item, _ random: inout SeededGenerator
    ) -> Handle {
        let codes = draft.objects(MovedWorld.Code.self).where { $0.item == item }
        let sections = codes.sectioned(
            by: { String($0.code.suffix(1)) }, sortDescriptors: ["code"])
        return { state in
            let now = state.codes.filter { $0.value == name }.map(\.key).sorted()
            try #require(codes.map(\.code).sorted() == now)
            try #require(sections.flatMap { $0.map(\.code) }.sorted() == now)
        }
    }
}
