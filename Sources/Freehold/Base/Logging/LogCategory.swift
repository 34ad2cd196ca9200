/// The subject of a log message. Each category can have its own level.
///
/// Categories form a tree by their names: "Realm.Storage.Transaction" belongs to "Realm.Storage".
/// A program may have categories of its own.
public protocol LogCategory: Sendable {
    /// The name, for example "Realm.Storage".
    var rawValue: String { get }
}

/// The categories of Realm's log.
///
/// Freehold logs in ``Storage/all`` and ``Storage/transaction``; ``Logger/log(level:message:)``
/// logs in ``realm``. If a program has its own type of this name, write `Freehold.Category` for
/// this one.
public enum Category: String, LogCategory {
    /// The root: its level applies to all categories without one of their own.
    case realm = "Realm"
    /// The library as a whole.
    case sdk = "Realm.SDK"
    /// Realm's services. Freehold logs nothing in it.
    case app = "Realm.App"

    /// The categories of storage.
    public enum Storage: String, LogCategory {
        /// Opening, closing, copying, compacting and damage of files; and all categories below.
        case all = "Realm.Storage"
        /// Commits, and waiting writes.
        case transaction = "Realm.Storage.Transaction"
        /// Queries. Freehold logs nothing in it.
        case query = "Realm.Storage.Query"
        /// Objects. Freehold logs nothing in it.
        case object = "Realm.Storage.Object"
        /// Notifications. Freehold logs nothing in it.
        case notification = "Realm.Storage.Notification"
    }
}
