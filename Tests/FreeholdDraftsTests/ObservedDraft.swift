import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// A draft of an address book on a scheduler that the test steps, and what its observers were
/// told.
final class ObservedDraft {
    /// The realm of the draft.
    let realm: Realm
    let draft: Draft
    let scheduler: ManualScheduler
    private var entries: [String] = []
    private var tokens: [NotificationToken] = []

    private init(_ configuration: Realm.Configuration) throws {
        scheduler = ManualScheduler()
        realm = try Realm(configuration: configuration, scheduler: scheduler)
        draft = try realm.draft()
    }

    /// Runs `body` with a draft of a file that has a person.
    ///
    /// - Parameter prepare: Writes what the draft begins with.
    static func with(
        prepare: (Realm) throws -> Void = { _ in },
        _ body: (ObservedDraft, Book.Person) throws -> Void
    ) throws {
        try Book.withPerson { realm, _ in
            try realm.write { try prepare(realm) }
            let observed = try ObservedDraft(realm.configuration)
            try body(observed, try Book.person(in: observed.draft.realm))
            for token in observed.tokens { token.invalidate() }
        }
    }

    func add(_ entry: String) { entries.append(entry) }

    /// What was told since the last call, after the scheduler has run.
    func told() -> [String] {
        scheduler.runAll()
        return toldAlready()
    }

    /// What was told since the last call.
    func toldAlready() -> [String] {
        defer { entries = [] }
        return entries
    }

    @discardableResult
    func observe<C: RealmCollection>(
        _ collection: C, _ name: String = "", keyPaths: [String]? = nil
    ) -> NotificationToken {
        keep(
            collection.observe(keyPaths: keyPaths) { [unowned self] change in
                switch change {
                case .initial: add(name + "initial")
                case .update(_, let deletions, let insertions, let modifications):
                    add(name + "\(deletions) \(insertions) \(modifications)")
                case .error(let error): add("\(error)")
                }
            })
    }

    @discardableResult
    func observe<K, V>(_ map: Map<K, V>, _ name: String = "") -> NotificationToken {
        keep(
            map.observe { [unowned self] change in
                switch change {
                case .initial: add(name + "initial")
                case .update(_, let deletions, let insertions, let modifications):
                    add(name + "\(deletions) \(insertions) \(modifications)")
                case .error(let error): add("\(error)")
                }
            })
    }

    /// Observes an object: the names of the changed properties, with old and new values.
    @discardableResult
    func observe(_ object: Object, keyPaths: [String]? = nil) -> NotificationToken {
        keep(
            object.observe(keyPaths: keyPaths) { [unowned self] change in
                switch change {
                case .change(_, let properties):
                    for property in properties {
                        let (old, new) = (
                            Self.text(property.oldValue), Self.text(property.newValue)
                        )
                        add("\(property.name) \(old) \(new)")
                    }
                case .deleted: add("deleted")
                case .error(let error): add("\(error)")
                }
            })
    }

    private static func text(_ value: Any?) -> String {
        guard let value else { return "-" }
        return (value as? Book.Person).map { "person \($0.id)" } ?? "\(value)"
    }

    private func keep(_ token: NotificationToken) -> NotificationToken {
        tokens.append(token)
        return token
    }
}
