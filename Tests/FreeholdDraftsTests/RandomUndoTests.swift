import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Random edits, undone all the way back and redone all the way forward, against the states that
/// were recorded when they were made.
@Suite struct RandomUndoTests {
    /// Edits objects of others, which the undone steps do not concern.
    private struct Others {
        let configuration: Realm.Configuration
        var random: SeededGenerator

        mutating func edit() throws {
            let seed = UInt64(random.int(0...1_000_000))
            let configuration = configuration
            try onNewThread {
                var random = SeededGenerator(seed: seed)
                let realm = try Realm(configuration: configuration)
                var editor = BookEditor(realm, ids: 100...106, prefix: "theirs\(seed)-")
                try realm.write {
                    for _ in 1...random.int(1...4) { editor.edit(&random) }
                    for person in editor.persons { person.age += 1 }
                }
            }
        }
    }

    /// Ends the test at the first difference: all later states would differ.
    private func expect(
        _ editor: BookEditor, _ state: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let (now, old) = (Set(editor.state), Set(state))
        let difference = (
            new: now.subtracting(old).sorted(), missing: old.subtracting(now).sorted()
        )
        try #require(now == old, "\(difference)", sourceLocation: sourceLocation)
    }

    private func theirState(_ realm: Realm) -> [String] {
        BookEditor(realm, ids: 100...106, prefix: "theirs").state
    }

    @Test(arguments: [false, true]) func transactions(withOthers: Bool) throws {
        var random = Seed.random()
        for _ in 1...25 {
            try withTemporaryRealm(Book.all) { realm in
                try undoAndRedo(realm, withOthers: withOthers, &random)
            }
        }
    }

    private func undoAndRedo(
        _ realm: Realm, withOthers: Bool, _ random: inout SeededGenerator
    ) throws {
        let undo = realm.undoManager
        undo.isRecording = true
        var others = Others(
            configuration: realm.configuration, random: SeededGenerator(seed: random.next()))
        func mayEditElsewhere() throws {
            if withOthers, random.once(in: 3) { try others.edit() }
        }
        var editor = BookEditor(realm, ids: 1...6, prefix: "mine")
        var states = [editor.state]
        for _ in 1...12 {
            try mayEditElsewhere()
            let count = undo.undoNames.count
            let isGroup = random.once(in: 5)
            try undo.group {
                for _ in 1...(isGroup ? 3 : 1) {
                    try realm.write { for _ in 1...random.int(1...5) { editor.edit(&random) } }
                }
            }
            if undo.undoNames.count > count { states.append(editor.state) }
        }
        for _ in 1...2 {
            var redone: [[String]] = []
            for index in states.indices.dropLast().reversed() {
                try mayEditElsewhere()
                realm.refresh()
                let theirs = theirState(realm)
                let count = undo.redoNames.count
                #expect(try undo.undo())
                try expect(editor, states[index])
                #expect(theirState(realm) == theirs)
                // The transactions of a group may have had no effect together.
                if undo.redoNames.count > count { redone.append(states[index + 1]) }
            }
            #expect(!undo.canUndo)
            states = [states[0]] + redone.reversed()
            for state in states.dropFirst() {
                try mayEditElsewhere()
                #expect(try undo.redo())
                try expect(editor, state)
            }
            #expect(!undo.canRedo)
        }
        #expect(try realm.check().isEmpty)
    }

    /// A draft, saved and rebased between its steps.
    @Test(arguments: [false, true]) func drafts(withOthers: Bool) throws {
        var random = Seed.random()
        for _ in 1...25 {
            try withTemporaryRealm(Book.all) { realm in
                try undoAndRedoDraft(realm, withOthers: withOthers, &random)
            }
        }
    }

    private func undoAndRedoDraft(
        _ realm: Realm, withOthers: Bool, _ random: inout SeededGenerator
    ) throws {
        var others = Others(
            configuration: realm.configuration, random: SeededGenerator(seed: random.next()))
        let draft = try realm.draft()
        func mayMove() throws {
            if withOthers, random.once(in: 3) { try others.edit() }
            switch random.int(0...5) {
            case 0: try draft.save()
            case 1: try draft.rebase()
            default: break
            }
        }
        var editor = BookEditor(draft.realm, ids: 1...6, prefix: "mine")
        // Orders of others take the primary keys of undone ones, which then do not come back.
        editor.usesOrders = !withOthers
        var states = [editor.state]
        for _ in 1...12 {
            let count = draft.undoNames.count
            try draft.realm.write {
                for _ in 1...random.int(1...5) { editor.edit(&random) }
            }
            if draft.undoNames.count > count { states.append(editor.state) }
            try mayMove()
            try expect(editor, states[states.count - 1])
        }
        for _ in 1...2 {
            for state in states.dropLast().reversed() {
                #expect(try draft.undo())
                try expect(editor, state)
                try mayMove()
                try expect(editor, state)
            }
            #expect(!draft.canUndo)
            for state in states.dropFirst() {
                #expect(try draft.redo())
                try expect(editor, state)
                try mayMove()
            }
            #expect(!draft.canRedo)
        }
        try draft.save()
        realm.refresh()
        #expect(BookEditor(realm, ids: 1...6, prefix: "mine").state == states.last)
    }
}
