import Freehold
import FreeholdRealmTestSupport

extension ConfinedSubject {
    /// The draft that the objects are of.
    var draft: Draft {
        guard let draft = Draft(realm) else { preconditionFailure("The realm is a draft's.") }
        return draft
    }
}

/// The public functions of drafts, for subjects of one.
extension ConfinedEntry {
    static let drafts: [String: ConfinedEntry] = [
        "draft.isDiscarded": .init("Draft.isDiscarded") { _ = $0.draft.isDiscarded },
        "draft.discard": .init("Draft.discard()") { $0.draft.discard() },
        "draft.hasChanges": .init("Draft.hasChanges") { _ = $0.draft.hasChanges },
        "draft.changes": .init("Draft.changes") { _ = $0.draft.changes },
        "draft.objects": .init("Realm.objects(Person.self)") {
            _ = $0.draft.objects(Fixture.Person.self)
        },
        "draft.object(ofType:)": .init("Realm.object(ofType:forPrimaryKey:)") {
            _ = $0.draft.object(ofType: Fixture.Person.self, forPrimaryKey: 7)
        },
        "draft.add": .init("Realm.add") { $0.draft.add(Fixture.Dog()) },
        "draft.add(sequence)": .init("Realm.add") { $0.draft.add([Fixture.Dog()]) },
        "draft.create": .init("Realm.create") { $0.draft.create(Fixture.Dog.self) },
        "draft.delete": .init("Realm.delete") { $0.draft.delete($0.person) },
        "draft.delete(sequence)": .init("Realm.delete") { $0.draft.delete([$0.person]) },
        "draft.group": .init("Draft.group(_:_:)") { $0.draft.group {} },
        "draft.resolve": .init("Draft.resolve(_:)") { _ = $0.draft.resolve($0.person) },
        "realm.resolve(object)": .init("Realm.resolve(_:)") {
            _ = $0.realm.resolve($0.person)
        },
        "draft.checkpoint": .init("Draft.checkpoint(_:)") { $0.draft.checkpoint() },
        "draft.canUndo": .init("Draft.canUndo") { _ = $0.draft.canUndo },
        "draft.canRedo": .init("Draft.canRedo") { _ = $0.draft.canRedo },
        "draft.undoNames": .init("Draft.undoNames") { _ = $0.draft.undoNames },
        "draft.redoNames": .init("Draft.redoNames") { _ = $0.draft.redoNames },
        "draft.undoLimit": .init("Draft.undoLimit") { _ = $0.draft.undoLimit },
        "draft.undoLimit =": .init("Draft.undoLimit") { $0.draft.undoLimit = 3 },
        "object.increment": .init("Reading 'Fixture_Person.age'") {
            $0.person.increment(\.age)
        },
    ]

    static let throwingOfDrafts: [String: ConfinedEntry] = [
        "draft.save": .init("Draft.save") { try $0.draft.save() },
        "draft.save(resolving:)": .init("Draft.save") { try $0.draft.save(resolving: .mine) },
        "draft.save(closure)": .init("Draft.save") { try $0.draft.save { _ in .mine } },
        "draft.rebase": .init("Draft.rebase()") { try $0.draft.rebase() },
        "draft.rebase(resolving:)": .init("Draft.rebase()") {
            try $0.draft.rebase(resolving: .mine)
        },
        "draft.conflicts": .init("Draft.conflicts") { _ = try $0.draft.conflicts },
        "draft.undo": .init("Draft.undo()") { try $0.draft.undo() },
        "draft.redo": .init("Draft.redo()") { try $0.draft.redo() },
        "draft.archive": .init("Draft.archive()") {
            // An encrypted archive is as confined as a plain one.
            _ = try $0.draft.archive()
        },
        "draft.draft": .init("Realm.draft()") { _ = try $0.draft.draft() },
    ]

    /// What a draft refuses, and why.
    static let refusedInDrafts: [String: String] = [
        "realm.writeAsync": "A draft has no asynchronous writes: Realm.writeAsync",
        "realm.beginAsyncWrite": "A draft has no asynchronous writes: Realm.beginAsyncWrite",
        "realm.commitAsyncWrite": "A draft has no asynchronous writes: Realm.commitAsyncWrite",
        "object.observe(on:)": "A draft cannot be observed on another queue or actor.",
        "projection.observe(on:)": "A draft cannot be observed on another queue or actor.",
        // As in every realm.
        "realm.cancelWrite": "Can't cancel a non-existing write transaction",
        "realm.commitWrite": "Can't commit a non-existing write transaction",
    ]
}
