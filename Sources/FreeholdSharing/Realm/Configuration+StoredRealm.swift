import Dispatch
import Freehold
import FreeholdStorage

extension Realm.Configuration {
    /// Whether the realm has a file that keeps what waits to be pushed.
    ///
    /// - Throws: ``Realm/Error`` with `invalidInput`.
    func checkIsShareable() throws(Realm.Error) {
        if inMemoryIdentifier != nil {
            throw Realm.Error(
                .invalidInput,
                """
                A realm in memory cannot be shared: it ends with the process, and what it had not \
                pushed would be lost. Give the configuration a `fileURL`.
                """)
        }
        if readOnly {
            throw Realm.Error(
                .invalidInput,
                """
                A realm that is read-only cannot be shared: what other machines commit is written \
                to its file. Leave `readOnly` out.
                """, fileURL: fileURL)
        }
    }

    /// Opens the file with the classes that it has, on a queue of its own: where the program
    /// calls, it may have the file open with its own classes.
    ///
    /// - Throws: ``Realm/Error``, also for errors of storage, and what the body throws.
    func withStoredRealm<Result>(_ body: (Realm) throws -> Result) throws -> Result {
        let queue = DispatchQueue(label: "Freehold.sharing.start")
        return try queue.sync {
            let realm = try Realm.withStoredClasses(self, queue: queue)
            do {
                return try body(realm)
            } catch let error as StorageError {
                throw Realm.Error(error)
            }
        }
    }
}
