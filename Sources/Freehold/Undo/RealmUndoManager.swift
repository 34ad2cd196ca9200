/// Undoes the transactions of one live realm, also after they were saved.
///
/// ```swift
/// let undo = realm.undoManager
/// undo.isRecording = true
/// try undo.group("Rename") {
///     try realm.write { person.name = "Ada" }
/// }
/// undo.undoNames          // ["Rename"]
/// try undo.undo()         // a transaction that sets the name back
/// try undo.redo()
/// ```
///
/// While ``isRecording`` is on, each transaction of this realm is one step: `write`, `commitWrite`,
/// `writeAsync`, `asyncWrite`, and saving a draft on the same thread, queue or actor. Undoing it is
/// a new transaction that does the opposite. Transactions of other realms are never undone. If one
/// of them changed the same property since, ``undo()`` throws a ``DraftConflict`` and changes
/// nothing; other properties of the same objects do not matter.
///
/// Objects that a step deleted return with their primary keys, and live objects that referred to
/// them are valid again. Their observers have ended, and those of their collections: observe them
/// again. Delete rules do not apply when a step is undone: what they did to other objects is part
/// of the step.
///
/// A step keeps values, and no version of the file. ``byteLimit`` bounds its memory. The steps are
/// gone with the realm.
///
/// Thread rule: as its realm.
public struct RealmUndoManager {
    private let core: RealmCore

    fileprivate init(_ core: RealmCore) { self.core = core }

    private var history: TransactionHistory? { core.transactionHistory }

    private func requireHistory() -> TransactionHistory {
        if let known = core.transactionHistory { return known }
        let made = TransactionHistory()
        core.transactionHistory = made
        return made
    }

    /// Whether transactions are recorded; false at first. Steps stay when it is switched off. A
    /// transaction that is open when it is switched on is not recorded.
    ///
    /// Recording makes a commit compare the transaction with the version before it: O(changes +
    /// elements of changed lists).
    public var isRecording: Bool {
        get {
            core.checkConfinement("RealmUndoManager.isRecording")
            return history?.isRecording ?? false
        }
        nonmutating set {
            core.checkConfinement("RealmUndoManager.isRecording")
            if newValue || history != nil { requireHistory().isRecording = newValue }
        }
    }

    // MARK: Undoing

    /// Whether there is a transaction to undo.
    public var canUndo: Bool {
        core.checkConfinement("RealmUndoManager.canUndo")
        return history.map { !$0.undo.isEmpty } ?? false
    }

    /// Whether there is an undone transaction to do again. False after a new transaction.
    public var canRedo: Bool {
        core.checkConfinement("RealmUndoManager.canRedo")
        return history.map { !$0.redo.isEmpty } ?? false
    }

    /// The names of the steps that can be undone, oldest first; nil for a step without a name.
    public var undoNames: [String?] {
        core.checkConfinement("RealmUndoManager.undoNames")
        return history?.undo.map(\.step.name) ?? []
    }

    /// The names of the steps that can be done again, the next one last.
    public var redoNames: [String?] {
        core.checkConfinement("RealmUndoManager.redoNames")
        return history?.redo.map(\.step.name) ?? []
    }

    /// Undoes the last step, durably. Waits for other writers and for the disk.
    ///
    /// - Returns: Whether there was a step.
    /// - Throws: ``DraftConflict`` if others changed the same since: `base` is what the step had
    ///   left, `mine` what undoing it would set. ``Realm/Error`` as
    ///   ``Realm/write(author:withoutNotifying:fileID:line:_:)``, and with the code
    ///   `schemaMismatch` if the classes have changed since. ``ConfinementViolation`` on a wrong
    ///   thread or queue. The file and the steps are as before.
    /// - Precondition: No write transaction and no group is open.
    @discardableResult
    public func undo() throws -> Bool { try undo { _ in nil } }

    /// Undoes as ``undo()``, and settles all conflicts alike.
    ///
    /// - Parameter resolution: `mine` undoes what others changed since, `theirs` leaves that.
    /// - Returns: Whether there was a step.
    /// - Throws: As ``undo()``. ``DraftConflict`` only for conflicts that the resolution cannot
    ///   settle: an object that others deleted does not return.
    @discardableResult
    public func undo(resolving resolution: DraftConflict.Resolution) throws -> Bool {
        try undo { _ in resolution }
    }

    /// Undoes as ``undo()``, and asks for each conflict how it is settled.
    ///
    /// - Parameter resolve: Called once for each conflict, without the write lock. Nil leaves it.
    /// - Returns: Whether there was a step.
    /// - Throws: As ``undo()``, and what `resolve` throws.
    @discardableResult
    public func undo(
        resolving resolve: (DraftConflict.Conflict) throws -> DraftConflict.Resolution?
    ) throws -> Bool {
        try core.verifyConfinement(.transaction("RealmUndoManager.undo()"))
        return try core.takeStep(.undo, resolving: resolve)
    }

    /// Does the step again that was undone last, durably. An object that it adds again gets another
    /// primary key if the realm assigns these and others took the first one.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: As ``undo()``.
    /// - Precondition: As ``undo()``.
    @discardableResult
    public func redo() throws -> Bool { try redo { _ in nil } }

    /// Redoes as ``redo()``, and settles all conflicts alike.
    ///
    /// - Parameter resolution: Which side stands.
    /// - Returns: Whether there was a step.
    /// - Throws: As ``undo(resolving:)-(DraftConflict.Resolution)``.
    @discardableResult
    public func redo(resolving resolution: DraftConflict.Resolution) throws -> Bool {
        try redo { _ in resolution }
    }

    /// Redoes as ``redo()``, and asks for each conflict how it is settled.
    ///
    /// - Parameter resolve: Called once for each conflict, without the write lock. Nil leaves it.
    /// - Returns: Whether there was a step.
    /// - Throws: As ``undo()``, and what `resolve` throws.
    @discardableResult
    public func redo(
        resolving resolve: (DraftConflict.Conflict) throws -> DraftConflict.Resolution?
    ) throws -> Bool {
        try core.verifyConfinement(.transaction("RealmUndoManager.redo()"))
        return try core.takeStep(.redo, resolving: resolve)
    }

    // MARK: Names and groups

    /// Names the open transaction, or the next one.
    ///
    /// - Parameter name: What it does, for a menu: "Rename".
    public func setActionName(_ name: String?) {
        core.checkConfinement("RealmUndoManager.setActionName(_:)")
        requireHistory().nextName = name
    }

    /// Makes all transactions of a block one step. A group inside of it is part of it.
    ///
    /// Transactions that are committed when the block throws stay committed, and are a step.
    ///
    /// - Parameters:
    ///   - name: What the transactions do, for a menu.
    ///   - block: Runs the transactions.
    /// - Returns: What the block returns.
    /// - Throws: What the block throws.
    @discardableResult
    public func group<Result>(_ name: String? = nil, _ block: () throws -> Result) rethrows
        -> Result
    {
        core.checkConfinement("RealmUndoManager.group(_:_:)")
        let history = requireHistory()
        history.beginGroup(name)
        defer { history.endGroup() }
        return try block()
    }

    // MARK: Limits

    /// The greatest number of steps that are kept, 100 at first. The oldest are forgotten.
    public var stepLimit: Int {
        get {
            core.checkConfinement("RealmUndoManager.stepLimit")
            return requireHistory().stepLimit
        }
        nonmutating set {
            core.checkConfinement("RealmUndoManager.stepLimit")
            refuseNegative(newValue)
            requireHistory().stepLimit = newValue
        }
    }

    /// The most memory that the steps take, in bytes: 16 MiB at first. The oldest are forgotten;
    /// a step that takes more alone is not kept, and its transaction cannot be undone.
    ///
    /// A step keeps the old and the new values of what the transaction changed, all values of
    /// the rows that it deleted or added, and for a changed list all of its elements.
    public var byteLimit: Int {
        get {
            core.checkConfinement("RealmUndoManager.byteLimit")
            return requireHistory().byteLimit
        }
        nonmutating set {
            core.checkConfinement("RealmUndoManager.byteLimit")
            refuseNegative(newValue)
            requireHistory().byteLimit = newValue
        }
    }

    /// About how much memory the steps take, in bytes. O(1).
    public var byteCount: Int {
        core.checkConfinement("RealmUndoManager.byteCount")
        return history?.byteCount ?? 0
    }

    /// Forgets all steps.
    public func removeAllSteps() {
        core.checkConfinement("RealmUndoManager.removeAllSteps()")
        history?.removeAll()
    }

    private func refuseNegative(_ limit: Int) {
        if limit >= 0 { return }
        misuse("An undo limit cannot be negative.", remedy: "Pass 0 to keep no steps.")
    }
}

@available(
    *, unavailable, message: "It is confined to the thread, queue or actor of its realm."
)
extension RealmUndoManager: Sendable {}

extension Realm {
    /// Undoes and redoes the transactions of this realm, once
    /// ``RealmUndoManager/isRecording`` is on. The same for all references to the realm.
    ///
    /// - Precondition: The realm is not frozen, not read-only and not a draft, which has
    ///   ``Draft/undo()``.
    public var undoManager: RealmUndoManager {
        core.checkConfinement("Realm.undoManager")
        if core.draft != nil {
            misuse(
                "The realm of a draft has no undo manager.",
                remedy: "Use Draft.undo(), Draft.redo() and Draft.checkpoint(_:).")
        }
        core.checkWritable()
        return RealmUndoManager(core)
    }
}
