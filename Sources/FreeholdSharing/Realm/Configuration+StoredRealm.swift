import Dispatch
import Freehold
import FreeholdStorage

extension Realm.Configuration {
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
