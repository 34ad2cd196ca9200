import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Observation
import Testing

private enum TaskBook {
    final class Card: Object, Observable {
        @Persisted var text: String
    }
}

/// Edits what is tracked in its initialiser, outside of the actor: it is not the actor's before all
/// of its properties are set.
private actor Tracker {
    private let holder: Holder
    /// What the program is told of.
    nonisolated let told: AsyncStream<String>

    /// Lets go of the draft on the actor.
    private final class Holder {
        var draft: Draft?
        init(_ draft: Draft) { self.draft = draft }
    }

    init(_ configuration: Realm.Configuration) async throws {
        let (told, continuation) = AsyncStream.makeStream(of: String.self)
        let draft = try await Realm.open(configuration: configuration).draft()
        let (deleted, edited) = (draft.create(TaskBook.Card.self), draft.create(TaskBook.Card.self))
        withObservationTracking {
            _ = deleted.text
        } onChange: {
            continuation.yield("deleted")
        }
        withObservationTracking {
            _ = edited.text
        } onChange: {
            continuation.yield("edited")
        }
        draft.delete(deleted)
        edited.text = "new"
        self.told = told
        holder = Holder(draft)
    }

    func count() -> Int { holder.draft?.objects(TaskBook.Card.self).count ?? 0 }

    func end() { holder.draft = nil }
}

private actor Editor: PinnedActor {
    nonisolated let executor = PinnedExecutor("editor")
    private var draft: Draft?
    private var realm: Realm?

    /// The initialiser opens the realm outside of the actor.
    init(_ configuration: Realm.Configuration, keepingRealm: Bool) async throws {
        let opened = try await Realm.open(configuration: configuration)
        draft = try opened.draft()
        if keepingRealm { realm = opened }
    }

    func add(_ text: String) { draft?.create(Book.Note.self, value: ["text": text]) }

    func save() async throws { try await draft?.save() }

    /// What the actor's own realm holds.
    func texts(_ configuration: Realm.Configuration) throws -> [String] {
        let own = try realm ?? Realm(configuration: configuration)
        return own.objects(Book.Note.self).map(\.text)
    }

    func end() { draft = nil }

    /// Realms of the executor's thread catch up before its jobs.
    func count(_ configuration: Realm.Configuration) throws -> Int {
        try Realm(configuration: configuration).objects(Book.Note.self).count
    }
}

/// Drafts of realms that a task opened outside of all actors, as an actor's initialiser does.
@Suite struct DraftOfTaskTests {
    @Test(arguments: [false, true]) func anActorTakesItOver(keepingRealm: Bool) async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: Book.all)
        for round in 1...3 {
            let editor = try await Editor(configuration, keepingRealm: keepingRealm)
            await editor.add("\(round)")
            try await editor.save()
            #expect(try await editor.texts(configuration).count == round)
            await editor.end()
            #expect(try await editor.count(configuration) == round)
        }
        try expectSound(configuration)
    }

    /// What was edited before any actor had the draft is told when one takes it over.
    @Test(.timeLimit(.minutes(10))) func earlierEditsAreTold() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: [TaskBook.Card.self])
        let tracker = try await Tracker(configuration)
        #expect(await tracker.count() == 1)
        var told: Set<String> = []
        for await name in tracker.told {
            told.insert(name)
            if told.count == 2 { break }
        }
        #expect(told == ["deleted", "edited"])
        await tracker.end()
        try expectSound(configuration)
    }
}
