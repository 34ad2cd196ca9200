public import Dispatch
import FreeholdStorage

/// A realm in which writing is always allowed, and nothing reaches the file before ``save()``.
///
/// ```swift
/// let draft = try realm.draft()
/// let edited = draft.resolve(person)!     // the same object, in the draft
/// edited.name = "Ada"                     // no write block
/// edited.dogs[0].age += 1
/// print(draft.changes)                    // old and new values
/// try draft.save()                        // or draft.discard(), or let it go
/// ```
///
/// Objects, collections and queries of a draft are those of any realm, and see its edits at once.
/// A draft begins with one version of the file and keeps it: what others commit is seen after
/// ``rebase()``. It holds no lock, so it may stay open as long as a person edits.
///
/// Saving merges three ways: what this draft changed is compared with what others changed since
/// its version, property by property. Where both changed the same, ``save()`` throws a
/// ``DraftConflict`` and changes nothing.
///
/// A draft of a draft (``draft(fileID:line:)``) is saved into its parent.
///
/// Thread rule: a draft is confined to the thread, queue or actor of its realm, like its objects.
/// It lives as long as something refers to it or to one of its objects.
public struct Draft {
    let core: RealmCore

    init(core: RealmCore) { self.core = core }

    /// Returns the draft whose realm this is; nil for any other realm.
    ///
    /// ```swift
    /// if let draft = person.realm.flatMap(Draft.init) { try draft.save() }
    /// ```
    ///
    /// - Parameter realm: The realm of an object of the draft, or ``realm``.
    public init?(_ realm: Realm) {
        if realm.core.draft == nil { return nil }
        core = realm.core
    }

    /// The draft as a realm, for code that works with either.
    ///
    /// Its write blocks are groups of edits: undone if the block throws, else one step of undo.
    /// ``Realm/refresh()`` tells observers of the edits and returns whether there were any that
    /// they did not know; ``Realm/invalidate()`` discards the draft.
    public var realm: Realm { Realm(core: core) }

    /// Who makes the edits, for the history of the transaction that ``save()`` commits; see
    /// <doc:KeepingHistory>. A draft of a draft is saved by its parent's author.
    public var author: String? {
        get {
            core.checkConfinement("Draft.author")
            return core.draft?.author
        }
        nonmutating set {
            core.checkConfinement("Draft.author")
            core.draft?.author = newValue
        }
    }
}

@available(
    *, unavailable,
    message: "A draft is confined to the thread, queue or actor of its realm: make one there."
)
extension Draft: Sendable {}

extension Draft: Equatable {
    /// Whether both are the same draft. Any thread.
    public static func == (a: Draft, b: Draft) -> Bool { a.core === b.core }
}

extension Realm {
    /// Makes a draft of the version that this realm reads. O(1).
    ///
    /// The draft of a frozen realm belongs to the calling thread or actor.
    ///
    /// - Parameters:
    ///   - fileID: The source file of the call, for ``versionReport()``. Omit it.
    ///   - line: The source line of the call, for ``versionReport()``. Omit it.
    /// - Throws: ``Realm/Error`` with the code `invalidInput` in a write transaction with
    ///   changes, and if the newest version cannot be read.
    /// - Precondition: The realm is not read-only.
    public func draft(fileID: StaticString = #fileID, line: UInt = #line) throws -> Draft {
        try core.verifyConfinement(.operation("Realm.draft()"))
        var confinement: Confinement?
        if core.isFrozen {
            confinement =
                try Confinement.ofCurrentActor(fileID: fileID, line: line)
                ?? .here(queue: nil, fileID: fileID, line: line)
        }
        return Draft(
            core: try core.makeDraft(CreationSite(fileID: fileID, line: line), in: confinement))
    }

    /// Opens a realm where it is called, and makes a draft of its newest version.
    ///
    /// - Parameters:
    ///   - configuration: The file and its settings.
    ///   - queue: The serial queue, or the main queue, that the caller runs on; nil for the
    ///     calling thread.
    ///   - fileID: The source file of the call. Omit it.
    ///   - line: The source line of the call. Omit it.
    /// - Throws: As ``init(configuration:queue:fileID:line:)``.
    public static func draft(
        configuration: Configuration = .defaultConfiguration, queue: DispatchQueue? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws -> Draft {
        let realm = try Realm(
            configuration: configuration, queue: queue, fileID: fileID, line: line)
        realm.refresh()
        return try realm.draft(fileID: fileID, line: line)
    }
}

extension Draft {
    /// Makes a draft of this draft's edits, which is saved into this one. O(clusters changed
    /// since the last one).
    ///
    /// - Parameters:
    ///   - fileID: The source file of the call. Omit it.
    ///   - line: The source line of the call. Omit it.
    /// - Throws: ``Realm/Error`` with the code `invalidInput` inside of a write block of this
    ///   draft.
    public func draft(fileID: StaticString = #fileID, line: UInt = #line) throws -> Draft {
        try realm.draft(fileID: fileID, line: line)
    }

    /// The draft that this one is saved into; nil if it is saved into the file.
    public var parent: Draft? { core.draft?.parent.map { Draft(core: $0) } }

    /// Drops all edits. The draft's objects and collections become invalid, its observers end.
    /// The file is not touched. Does nothing if the draft was discarded already.
    public func discard() {
        core.checkConfinement("Draft.discard()")
        core.endDraft()
    }

    /// Whether ``discard()`` was called.
    public var isDiscarded: Bool {
        core.checkConfinement("Draft.isDiscarded")
        return core.draft?.isOver ?? true
    }
}
