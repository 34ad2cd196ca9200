import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Observers of a draft that adds rows, and is saved and rebased again and again while others add
/// rows to the same tables: what they are told leads to what there is.
@Suite struct RandomMoveObserversTests {
    private typealias Item = MovedWorld.Item

    /// What an observer was told.
    private final class Mirror {
        let name: String
        /// The object whose deletion ends the observation; nil for none.
        let owner: String?
        var token: NotificationToken?
        var rows: [Row] = []
        var current: () -> [Row] = { [] }
        var isDeleted = false

        struct Row: Equatable {
            var name: String
            var number = 0
        }

        init(_ name: String, of owner: String? = nil) {
            self.name = name
            self.owner = owner
        }

        func apply(_ now: [Row], _ deletions: [Int], _ insertions: [Int], _ modifications: [Int]) {
            var next: [Row?] = rows
            for index in modifications { next[index] = nil }
            for index in deletions.sorted(by: >) { next.remove(at: index) }
            for index in insertions.sorted() { next.insert(now[index], at: index) }
            rows = next.enumerated().map { index, row in
                row ?? (index < now.count ? now[index] : Row(name: "?"))
            }
        }
    }

    @Test(arguments: [false, true]) func mirrors(withUndo: Bool) throws {
        var random = Seed.random()
        for _ in 1...20 {
            try withTemporaryRealm(MovedWorld.all) { realm in
                let scheduler = ManualScheduler()
                let stepped = try Realm(
                    configuration: realm.configuration, scheduler: scheduler)
                let editor = MovedWorldEditor(try stepped.draft())
                try run(editor, realm, scheduler, withUndo: withUndo, &random)
                #expect(try realm.check().isEmpty)
            }
        }
    }

    private func run(
        _ editor: MovedWorldEditor, _ realm: Realm, _ scheduler: ManualScheduler,
        withUndo: Bool, _ random: inout SeededGenerator
    ) throws {
        let draft = editor.draft
        var (undo, redo): ([MovedWorld.State], [MovedWorld.State]) = ([], [])
        var mirrors = [all(draft), sorted(draft), sections(draft), controller(draft)]
        func deliver() {
            draft.realm.refresh()
            scheduler.runAll()
        }
        // The objects that were gone at a time since the last check.
        var gone: Set<String> = []
        for _ in 1...30 {
            let before = editor.state
            switch random.int(0...9) {
            case 0...4:
                func edit() { for _ in 0...random.int(0...4) { editor.edit(&random) } }
                // Edits outside of a block are delivered later.
                if withUndo { try draft.realm.write(edit) } else { edit() }
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
            gone.formUnion(editor.objects.keys.filter { editor.state.items[$0] == nil })
            // Edits are often not delivered before the next save.
            if random.once(in: 2) { continue }
            deliver()
            try check(&mirrors, editor.state, gone)
            gone = []
            if let name = editor.pick(&random), let item = editor.objects[name] {
                mirrors += made(draft, name, item)
                deliver()
            }
        }
        deliver()
        try check(&mirrors, editor.state, gone)
        for mirror in mirrors { mirror.token?.invalidate() }
    }

    private func check(
        _ mirrors: inout [Mirror], _ state: MovedWorld.State, _ gone: Set<String>
    ) throws {
        for mirror in mirrors {
            if let owner = mirror.owner, gone.contains(owner) {
                let isTold =
                    mirror.isDeleted || mirror.rows.isEmpty || state.items[owner] != nil
                try #require(isTold, "\(mirror.name) of \(owner), which is deleted")
                mirror.token?.invalidate()
                mirror.token = nil
                continue
            }
            try #require(!mirror.isDeleted, "\(mirror.name) of \(mirror.owner ?? "?")")
            let now = mirror.current()
            try #require(mirror.rows == now, "\(mirror.name) of \(mirror.owner ?? "?")")
        }
        mirrors.removeAll { $0.token == nil }
    }

    // MARK: Observers

    private func rows(_ items: some RealmCollection<Item>) -> [Mirror.Row] {
        items.map { Mirror.Row(name: $0.name, number: $0.number) }
    }

    private func observe<Items: RealmCollection>(
        _ items: Items, _ name: String, of owner: String? = nil
    ) -> Mirror where Items.Element == Item {
        let mirror = Mirror(name, of: owner)
        mirror.current = { rows(items) }
        mirror.token = items.observe { [unowned mirror] change in
            switch change {
            case .initial(let items): mirror.rows = rows(items)
            case .update(let items, let deletions, let insertions, let modifications):
                mirror.apply(
                    items.isInvalidated ? [] : rows(items), deletions, insertions, modifications)
            case .error(let error): Issue.record(error)
            }
        }
        return mirror
    }

    private func all(_ draft: Draft) -> Mirror { observe(draft.objects(Item.self), "all") }

    private func sorted(_ draft: Draft) -> Mirror {
        observe(draft.objects(Item.self).sorted(by: \.number), "sorted")
    }

    /// In rows, each section begins with its key.
    private func sections(_ draft: Draft) -> Mirror {
        typealias Sections = SectionedResults<Int, Item>
        let sections = draft.objects(Item.self).sectioned(by: \.number, ascending: true)
        let mirror = Mirror("sections")
        func content(_ sections: Sections) -> [[Mirror.Row]] {
            sections.map { [Mirror.Row(name: "section \($0.key)")] + rows($0) }
        }
        func rows(_ section: ResultsSection<Int, Item>) -> [Mirror.Row] {
            section.map { Mirror.Row(name: $0.name, number: $0.number) }
        }
        mirror.current = { content(sections).flatMap { $0 } }
        var known: [[Mirror.Row]] = []
        mirror.token = sections.observe { [unowned mirror] change in
            switch change {
            case .initial(let sections): known = content(sections)
            case .update(
                let sections, let deletions, let insertions, _, let inserted, let deleted):
                let now = content(sections)
                for path in deletions.sorted(by: >) where !deleted.contains(path.section) {
                    known[path.section].remove(at: path.item + 1)
                }
                for section in deleted.sorted(by: >) { known.remove(at: section) }
                for section in inserted.sorted() { known.insert([now[section][0]], at: section) }
                for path in insertions.sorted() {
                    known[path.section].insert(
                        now[path.section][path.item + 1], at: path.item + 1)
                }
            }
            mirror.rows = known.flatMap { $0 }
        }
        return mirror
    }

    private func controller(_ draft: Draft) -> Mirror {
        let items = draft.objects(Item.self).sorted(by: \.name)
        let controller = ListController(items)
        let mirror = Mirror("controller")
        func shown(_ item: Item) -> Mirror.Row { Mirror.Row(name: item.name, number: item.number) }
        mirror.rows = controller.objects(in: 0).map(shown)
        mirror.current = {
            let now = rows(items)
            return controller.objects(in: 0).map(shown) == now ? now : []
        }
        mirror.token = controller.observe { [unowned mirror] batch in
            for step in batch.steps {
                switch step {
                case .deleteItem(let path): mirror.rows.remove(at: path.item)
                case .insertItem(let path):
                    mirror.rows.insert(shown(controller.object(at: path)), at: path.item)
                case .updateItem(let path):
                    mirror.rows[path.item] = shown(controller.object(at: path))
                case .deleteSection, .insertSection: break
                }
            }
        }
        return mirror
    }

    /// Observers of what belongs to an object.
    private func made(_ draft: Draft, _ name: String, _ item: Item) -> [Mirror] {
        let object = Mirror("object", of: name)
        object.rows = [Mirror.Row(name: name, number: item.number)]
        object.current = { [Mirror.Row(name: item.name, number: item.number)] }
        object.token = item.observe { [unowned object] change in
            switch change {
            case .change(let item, let properties):
                if properties.contains(where: { $0.name == "number" }) {
                    object.rows[0].number = item.number
                }
            case .deleted: object.isDeleted = true
            case .error(let error): Issue.record(error)
            }
        }
        let words = Mirror("words", of: name)
        words.current = { item.words.map { Mirror.Row(name: $0) } }
        words.token = item.words.observe { [unowned words] change in
            switch change {
            case .initial(let list): words.rows = list.map { Mirror.Row(name: $0) }
            case .update(let list, let deletions, let insertions, let modifications):
                let now = list.isInvalidated ? [] : list.map { Mirror.Row(name: $0) }
                words.apply(now, deletions, insertions, modifications)
            case .error(let error): Issue.record(error)
            }
        }
        return [
            object, words, observe(item.items, "items", of: name),
            observe(draft.objects(Item.self).where { $0.link == item }, "linking", of: name),
            observe(draft.objects(Item.self).where { $0.items.contains(item) }.limit(50), "limit"),
            observe(item.owners, "owners", of: name),
        ]
    }
}
