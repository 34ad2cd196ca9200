import FreeholdStorage

/// A live object or collection on its way to another thread, queue or actor: made in one realm,
/// resolved in another one of the same file.
///
/// ```swift
/// let reference = ThreadSafeReference(to: person)
/// queue.async {
///     let realm = try! Realm(queue: queue)
///     guard let person = realm.resolve(reference) else { return }   // deleted meanwhile
///     try! realm.write { person.name = "Ada" }
/// }
/// ```
///
/// A reference is resolved once. Until then, or until its last copy is gone, the file keeps the
/// version that the source realm was at, so it grows while others write: do not keep
/// references. ``ThreadSafe`` keeps a live value for good, ``Frozen`` carries one to read.
///
/// Thread rule: made where the value is used, resolved anywhere; `Sendable`.
public struct ThreadSafeReference<Confined: ThreadConfined>: Sendable {
    private struct Content: Sendable {
        let handover: Handover
        /// The source's version, for a realm of which nothing was read yet. Nil if the source
        /// was in a transaction.
        let snapshot: Snapshot?
        /// Keeps the version in the file.
        let pinned: Snapshot
        /// Says so in reports.
        let hold: ReaderPin
    }

    /// Nil after the reference was resolved. Shared by all copies.
    private let content: Locked<Content?>

    /// A reference to an object or collection. O(1).
    ///
    /// One that was added in a transaction that is still open is found once that was committed;
    /// resolved earlier, the reference gives nil.
    ///
    /// - Parameters:
    ///   - threadConfined: A live object or collection. Traps if it is unmanaged, deleted,
    ///     invalidated, or frozen, and off its realm's thread, queue or actor. What is
    ///     unmanaged or frozen can cross as it is.
    ///   - fileID: Where the reference is made, for ``Realm/versionReport()``. Leave it out.
    ///   - line: As `fileID`.
    public init(to threadConfined: Confined, fileID: StaticString = #fileID, line: UInt = #line) {
        let source = referable(threadConfined)
        guard let core = source.referableCore else {
            violation(
                .misuse(
                    text:
                        """
                        Cannot construct reference to unmanaged object, which can be \
                        passed across threads directly
                        """,
                    remedy:
                        """
                        Pass the object itself, and do not use it on both sides; or add it \
                        to a realm first.
                        """
                ))
        }
        core.checkConfinement("ThreadSafeReference(to:) of \(Confined.self)")
        source.checkReferable(in: core)
        // What was committed in memory must be in the version that the reference names.
        if core.writeSet == nil { core.asyncWrites?.settle() }
        let handover = Handover(source.portable, from: core)
        let snapshot = core.currentSnapshot
        let hold = ReaderPin(
            .reference, snapshot.version, CreationSite(fileID: fileID, line: line),
            in: core.coordinator.holds)
        content = Locked(
            Content(
                handover: handover, snapshot: core.writeSet == nil ? snapshot : nil,
                pinned: snapshot, hold: hold))
    }

    /// Whether the reference was resolved, so that it cannot be resolved again. Any thread.
    public var isInvalidated: Bool { content.withLock { $0 == nil } }

    fileprivate func resolve(in core: RealmCore) -> Confined? {
        let taken = content.withLock { content -> Content? in
            defer { content = nil }
            return content
        }
        guard let taken else {
            violation(
                .misuse(
                    text: "Can only resolve a thread safe reference once.",
                    remedy:
                        """
                        Make a reference for each time, or keep the value in a property \
                        with @ThreadSafe.
                        """
                ))
        }
        // A realm of which nothing was read begins with the version that the reference was made
        // in, as in Realm.
        if let snapshot = taken.snapshot, core.coordinator === taken.handover.coordinator {
            core.beginReading(snapshot)
        }
        return taken.handover.arrive(in: core, as: Confined.self)
    }
}

extension Realm {
    /// The live object or collection of this realm that a reference is to. O(log objects), plus
    /// what ``refresh()`` costs where it is needed.
    ///
    /// A realm that is behind the reference's source moves to the newest version first.
    ///
    /// - Returns: Nil if the object was deleted, if it was added by a transaction that has not
    ///   been committed, or if the reference is to a realm of another file.
    /// - Precondition: The reference was not resolved before; the class is part of this realm's
    ///   schema; the realm is used on its thread, queue or actor.
    public func resolve<Confined: ThreadConfined>(_ reference: ThreadSafeReference<Confined>)
        -> Confined?
    {
        core.checkConfinement("Realm.resolve(_:)")
        return reference.resolve(in: core)
    }
}
