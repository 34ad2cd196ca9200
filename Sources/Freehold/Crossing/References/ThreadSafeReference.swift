import FreeholdStorage

/// A reference that carries a live object or collection to another thread, queue or actor. It is
/// made in one realm and resolved in another realm of the same file.
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
/// A reference can be resolved once. Until then, or until its last copy is gone, the file keeps
/// the version of the source realm, and grows while others write. So do not keep references:
/// ``ThreadSafe`` holds a live value for a long time, and ``Frozen`` carries one for reading.
///
/// Thread rule: make it where the value is used, resolve it anywhere; `Sendable`.
public struct ThreadSafeReference<Confined: ThreadConfined>: Sendable {
    private struct Content: Sendable {
        let handover: Handover
        /// The source's version, for a target realm that has read nothing yet. Nil if the source
        /// was in a transaction.
        let snapshot: Snapshot?
        /// Keeps the version in the file.
        let pinned: Snapshot
        /// Reports that the reference keeps the version.
        let pin: ReaderPin
    }

    /// Nil after the reference was resolved. Shared by all copies.
    private let content: Locked<Content?>

    /// Makes a reference to an object or collection. O(1).
    ///
    /// A value added in a transaction that is still open can be found once that is committed;
    /// resolved earlier, the reference gives nil.
    ///
    /// - Parameters:
    ///   - threadConfined: A live object or collection. Traps if it is unmanaged, deleted,
    ///     invalidated, or frozen, and off its realm's thread, queue or actor. Unmanaged and
    ///     frozen values need no reference to cross.
    ///   - fileID: Where the reference is made, for ``Realm/versionReport()``. Leave it out.
    ///   - line: As `fileID`.
    public init(to threadConfined: Confined, fileID: StaticString = #fileID, line: UInt = #line) {
        let source = referable(threadConfined)
        guard let core = source.referableCore else {
            misuse(
                """
                Cannot construct reference to unmanaged object, which can be \
                passed across threads directly
                """,
                remedy: """
                    Pass the object itself, and do not use it on both sides; or add it \
                    to a realm first.
                    """)
        }
        core.checkConfinement("ThreadSafeReference(to:) of \(Confined.self)")
        source.checkReferable(in: core)
        // Commits that are still in memory must be in the version that the reference names.
        if core.writeSet == nil { core.asyncWrites?.settle() }
        let handover = Handover(source.portable, from: core)
        let snapshot = core.currentSnapshot
        let pin = ReaderPin(
            .reference, snapshot.version, CreationSite(fileID: fileID, line: line),
            in: core.coordinator.pins)
        content = Locked(
            Content(
                handover: handover, snapshot: core.writeSet == nil ? snapshot : nil,
                pinned: snapshot, pin: pin))
    }

    /// Whether the reference was resolved, so that it cannot be resolved again. Any thread may
    /// ask.
    public var isInvalidated: Bool { content.withLock { $0 == nil } }

    fileprivate func resolve(in core: RealmCore) -> Confined? {
        let taken = content.withLock { content -> Content? in
            defer { content = nil }
            return content
        }
        guard let taken else {
            misuse(
                "Can only resolve a thread safe reference once.",
                remedy: """
                    Make a reference for each time, or keep the value in a property \
                    with @ThreadSafe.
                    """)
        }
        // A realm that has read nothing yet begins with the version of the reference, as in
        // Realm.
        if let snapshot = taken.snapshot, core.coordinator === taken.handover.coordinator {
            core.beginReading(snapshot)
        }
        return taken.handover.arrive(in: core, as: Confined.self)
    }
}

extension Realm {
    /// Returns the live object or collection in this realm that a reference is to. O(log
    /// objects), plus the cost of a necessary ``refresh()``.
    ///
    /// A realm that is behind the reference's source moves to the newest version first.
    ///
    /// - Returns: Nil if the object was deleted, if it was added by a transaction that has not
    ///   been committed, or if the reference is to a realm of another file.
    /// - Precondition: The reference was not resolved yet; the class is part of this realm's
    ///   schema; the realm is used on its thread, queue or actor.
    public func resolve<Confined: ThreadConfined>(_ reference: ThreadSafeReference<Confined>)
        -> Confined?
    {
        core.checkConfinement("Realm.resolve(_:)")
        return reference.resolve(in: core)
    }
}
