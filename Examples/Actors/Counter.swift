import Freehold

/// A global actor that stays on one thread. That is what the one line with the executor says.
@globalActor actor CounterActor: PinnedActor {
    static let shared = CounterActor()
    let executor = PinnedExecutor("counter")
}

/// Keeps a live object in a property.
///
/// On an ordinary actor, code may go on on another thread after each `await`. Here it does not,
/// so the object can stay where it is.
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

    /// Lends the book again and again. The object shows each change, without being fetched again.
    func lend(times: Int) async throws -> Int {
        for _ in 0..<times {
            await Task.yield()  // somebody else's turn
            // waits for the disk, and lets others run meanwhile
            try await realm.asyncWrite { book.lendings += 1 }
        }
        return book.lendings
    }
}
