import Dispatch
import Foundation
import Freehold

/// A list on the main thread that writes in the background, as tutorials of Realm have it.
@MainActor private final class ListModel {
    private let realm: Realm
    private let notes: Results<Note>
    private var token: NotificationToken?
    private(set) var events: [String] = []

    init(_ configuration: Realm.Configuration) throws {
        realm = try Realm(configuration: configuration)
        notes = realm.objects(Note.self).sorted(byKeyPath: "id")
    }

    /// Observes, and writes twice at once.
    func begin() {
        token = notes.observe { [weak self] change in
            switch change {
            case .initial(let notes): self?.events.append("initial \(notes.count)")
            case .update(let notes, _, let insertions, _):
                self?.events.append("update \(notes.count) \(insertions)")
            case .error(let error): self?.events.append("\(error)")
            }
        }
        for id in 1...2 {
            realm.writeAsync { [self] in
                realm.add(Note(value: ["id": id]))
            } onComplete: { [weak self] error in
                self?.events.append(error.map { "\($0)" } ?? "written \(id)")
            }
        }
    }

    /// Leaves the main thread to others until an event.
    func wait(for last: String) async {
        while !events.contains(where: { $0.hasPrefix(last) }) { await Task.yield() }
    }

    func end() { token = nil }
}

@MainActor private func observeOnTheMainThread(_ configuration: Realm.Configuration) async throws
    -> [String]
{
    let model = try ListModel(configuration)
    model.begin()
    await model.wait(for: "update 2")
    defer { model.end() }
    return model.events.first == "initial 0" ? [] : ["first comes \(model.events)"]
}

/// Three contexts: one that shows, one that writes, and what is edited in between.
private actor Writer: ModelActor {
    let modelExecutor: ModelExecutor
    init(_ configuration: Realm.Configuration) { modelExecutor = ModelExecutor(configuration) }

    func save(_ id: Int, _ text: String) async throws {
        let realm = try realm
        try await realm.asyncWrite {
            realm.create(Note.self, value: ["id": id, "text": text], update: .modified)
        }
    }
}

extension NaturalProgram {
    static let loops = [
        NaturalProgram("observed on the main thread, written asynchronously at once") {
            configuration in
            try await observeOnTheMainThread(configuration)
        },
        NaturalProgram("a command line's loop, without a run loop") { configuration in
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<[String], any Error>) in
                Thread.detachNewThread {
                    continuation.resume(with: Result { try countInALoop(configuration) })
                }
            }
        },
        NaturalProgram("contexts that show, write and edit") { configuration in
            let writer = Writer(configuration)
            var problems: [String] = []
            for id in 1...20 {
                // What is edited is a plain instance until it is saved.
                let edited = Note(value: ["id": id, "text": "draft"])
                edited.text = "text \(id)"
                try await writer.save(edited.id, edited.text)
                let shown = try await show(id, configuration)
                if shown != "text \(id)" { problems.append("shown is \(shown) after \(id)") }
            }
            return problems
        },
    ]

    private static func countInALoop(_ configuration: Realm.Configuration) throws -> [String] {
        let queue = DispatchQueue(label: "others")
        let realm = try Realm(configuration: configuration)
        let notes = realm.objects(Note.self)
        var problems: [String] = []
        for id in 1...50 {
            if id % 2 == 0 {
                try realm.write { realm.add(Note(value: ["id": id])) }
            } else {
                try queue.sync {
                    let other = try Realm(configuration: configuration, queue: queue)
                    try other.write { other.add(Note(value: ["id": id])) }
                }
                realm.refresh()
            }
            problems += differences(("the count after \(id)", notes.count, id))
        }
        return problems
    }

    /// A view's: it opens its realm each time, on the main actor, and has it.
    @MainActor private static func show(_ id: Int, _ configuration: Realm.Configuration)
        async throws -> String
    {
        let realm = try await Realm(configuration: configuration)
        shown = realm
        return realm.object(ofType: Note.self, forPrimaryKey: id)?.text ?? "nothing"
    }

    @MainActor private static var shown: Realm?
}
