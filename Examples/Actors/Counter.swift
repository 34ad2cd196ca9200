import Freehold

/// A global actor that stays on one thread, because of its executor.
@globalActor actor CounterActor: PinnedActor {
    static let shared = CounterActor()
    let executor = PinnedExecutor("counter")
}

/// Keeps a live object in a property.
///
/// On an ordinary actor, code may continue on another thread after each `await`. Here it does not,
/// so the property can keep the object.
@CounterActor final class Counter {
    private let realm: Realm
    private let book: Book

    init(_ configuration: Realm.Configuration) async throws {
        let realm = try await Realm.open(configuration: configuration)
        self.realm = realm
        book = try await realm.asyncWrite {
            realm.create(Book.self, value: ["isbn": "0", "title": "The Pillow Book"])
        }
    }

    /// Lends the book several times. The object shows each change without being fetched again.
    func lend(times: Int) async throws -> Int {
        for _ in 0..<times {
            await Task.yield()  // lets other tasks run
            // waits for the disk without blocking the actor
            try await realm.asyncWrite { book.lendings += 1 }
        }
        return book.lendings
    }
}
