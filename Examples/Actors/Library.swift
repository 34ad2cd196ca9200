import Freehold

/// A model actor: it owns a realm, and reads and writes for the rest of the program. The protocol
/// provides `fetch`, `count`, `insert`, `insertIfAbsent`, `remove` and `transaction`.
actor Library: ModelActor {
    let modelExecutor: ModelExecutor

    init(_ configuration: Realm.Configuration) { modelExecutor = ModelExecutor(configuration) }

    /// Inside of the actor, objects are live. This one stays the same across the `await`s.
    ///
    /// - Returns: Whether the book was there.
    func lend(_ isbn: String, to reader: String) async throws -> Bool {
        let realm = try realm
        guard let book = try fetch(Book.self, where: { $0.isbn == isbn }).first else {
            return false
        }
        return try await realm.asyncWrite {
            // Another call may have run while this one waited for other writers. Nothing else runs
            // during this block.
            guard book.reader == nil else { return false }
            book.reader = reader
            book.lendings += 1
            return true
        }
    }
}
