/// What a message of the log is about; a level can be set for each.
///
/// A category whose name begins with another one's and a point belongs to that:
/// "Realm.Storage.Transaction" to "Realm.Storage". A program may have categories of its own.
public protocol LogCategory: Sendable {
    /// The name, for example "Realm.Storage".
    var rawValue: String { get }
}

/// The categories of Realm's log.
///
/// Freehold's messages are of ``Storage/all`` and ``Storage/transaction``; those of
/// ``Logger/log(level:message:)`` of ``realm``. A program that has a type of this name means
/// its own, and can write `Freehold.Category`.
public enum Category: String, LogCategory {
    /// The root: its level holds for all categories without one of their own.
    case realm = "Realm"
    /// What concerns the library as a whole.
    case sdk = "Realm.SDK"
    /// What concerns Realm's services. Nothing here.
    case app = "Realm.App"

    /// The categories of what is stored.
    public enum Storage: String, LogCategory {
        /// Files that are opened, closed, copied, compacted and damaged; and all categories below.
        case all = "Realm.Storage"
        /// Commits, and writes that wait.
        case transaction = "Realm.Storage.Transaction"
        /// Queries. Freehold logs nothing in it.
        case query = "Realm.Storage.Query"
        /// Objects. Freehold logs nothing in it.
        case object = "Realm.Storage.Object"
        /// Notifications. Freehold logs nothing in it.
        case notification = "Realm.Storage.Notification"
    }
}
