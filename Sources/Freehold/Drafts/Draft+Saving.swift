import FreeholdStorage

extension Draft {
    /// Saves the edits: into the file, durably, or into the parent of a nested draft.
    ///
    /// If others have committed since the draft's base, their changes and those of the draft are
    /// merged on the newest version, inside of the transaction. The draft then goes on with the
    /// saved version, and its objects stay valid. Undo steps stay: see ``undo()``. Writes nothing
    /// if ``hasChanges`` is false.
    ///
    /// Waits for other writers, and for the disk; see ``save(_isolation:)`` for a function that
    /// does not block.
    ///
    /// - Throws: ``DraftConflict`` if both sides changed the same; ``Realm/Error`` as
    ///   ``Realm/write(author:withoutNotifying:fileID:line:_:)``, and with the code `invalidInput`
    ///   for a nested draft whose parent was saved first and moved objects;
    ///   ``ConfinementViolation`` on a wrong thread or queue. The edits are still there, and
    ///   nothing was saved.
    /// - Precondition: The draft was not discarded, no write block of it is open, and no other
    ///   save of it is under way.
    public func save() throws {
        try core.verifyConfinement(.transaction("Draft.save"))
        try core.saveDraft { _ in nil }
    }

    /// Saves as ``save()``, and settles all conflicts alike.
    ///
    /// - Parameter resolution: Which side stands.
    /// - Throws: As ``save()``. ``DraftConflict`` only for conflicts that the resolution
    ///   cannot settle. ``Realm/Error`` with the code `invalidInput` for a value that does not
    ///   fit the property.
    public func save(resolving resolution: DraftConflict.Resolution) throws {
        try save { _ in resolution }
    }

    /// Saves as ``save()``, and asks for each conflict how it is settled.
    ///
    /// - Parameter resolve: Called once for each conflict, before the write lock is taken, so it
    ///   may take its time; again if others commit meanwhile and there are more. Nil leaves the
    ///   conflict.
    /// - Throws: As ``save(resolving:)-(DraftConflict.Resolution)``, and what `resolve` throws.
    public func save(
        resolving resolve: (DraftConflict.Conflict) throws -> DraftConflict.Resolution?
    ) throws {
        try core.verifyConfinement(.transaction("Draft.save"))
        try core.resolving(resolve) { try core.saveDraft(resolving: $0) }
    }

    /// Takes in what others committed since the draft's base, and keeps the edits. The draft then
    /// is based on the newest version; a nested one on the current edits of its parent. Undo
    /// steps stay: see ``undo()``.
    ///
    /// - Returns: Whether there was anything to take in.
    /// - Throws: ``DraftConflict`` if both sides changed the same; ``Realm/Error`` if the newest
    ///   version cannot be read. The draft is as before.
    /// - Precondition: As ``save()``.
    @discardableResult
    public func rebase() throws -> Bool {
        try core.verifyConfinement(.operation("Draft.rebase()"))
        return try core.rebaseDraft { _ in nil }
    }

    /// Rebases as ``rebase()``, and settles all conflicts alike.
    ///
    /// - Parameter resolution: Which side stands.
    /// - Returns: Whether there was anything to take in.
    /// - Throws: As ``rebase()``.
    @discardableResult
    public func rebase(resolving resolution: DraftConflict.Resolution) throws -> Bool {
        try rebase { _ in resolution }
    }

    /// Rebases as ``rebase()``, and asks for each conflict how it is settled.
    ///
    /// - Parameter resolve: Called once for each conflict. Nil leaves it.
    /// - Returns: Whether there was anything to take in.
    /// - Throws: As ``rebase()``, and what `resolve` throws.
    @discardableResult
    public func rebase(
        resolving resolve: (DraftConflict.Conflict) throws -> DraftConflict.Resolution?
    ) throws -> Bool {
        try core.verifyConfinement(.operation("Draft.rebase()"))
        return try core.resolving(resolve) { try core.rebaseDraft(resolving: $0) }
    }

    /// The conflicts that ``save()`` would throw now. Empty if there are none. O(changes
    /// of both sides).
    ///
    /// - Throws: ``Realm/Error`` if the newest version cannot be read.
    public var conflicts: [DraftConflict.Conflict] {
        get throws {
            try core.verifyConfinement(.operation("Draft.conflicts"))
            return try core.findConflicts { _ in nil }.map(\.conflict)
        }
    }
}

extension RealmCore {
    /// Runs an operation with what a program decides about conflicts. The program is asked
    /// before the operation, which takes the write lock, and again about those that are new.
    func resolving<Result>(
        _ resolve: (DraftConflict.Conflict) throws -> DraftConflict.Resolution?,
        _ operation: (@escaping ConflictResolver) throws -> Result
    ) throws -> Result {
        var decisions: [Conflict: Resolution] = [:]
        var known: Set<Conflict> = []
        while true {
            for found in try findConflicts(resolving: { decisions[$0] })
            where known.insert(found.stored).inserted {
                guard let decision = try resolve(found.conflict) else { continue }
                if let resolution = try found.report.resolution(decision, of: found.stored) {
                    decisions[found.stored] = resolution
                }
            }
            let settled = decisions
            var unknown = false
            do {
                let asked = known
                let noted = Locked(false)
                defer { unknown = noted.withLock { $0 } }
                return try operation { conflict in
                    if !asked.contains(conflict) { noted.withLock { $0 = true } }
                    return settled[conflict]
                }
            } catch is DraftConflict where unknown {
                continue
            }
        }
    }
}
