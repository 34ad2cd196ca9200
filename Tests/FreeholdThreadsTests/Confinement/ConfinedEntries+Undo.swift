import Freehold
import FreeholdRealmTestSupport

/// The public members of `RealmUndoManager`, for subjects of a live realm.
extension ConfinedEntry {
    private static func named(
        _ function: String, _ use: @escaping @Sendable (RealmUndoManager) throws -> Void
    ) -> ConfinedEntry {
        ConfinedEntry("RealmUndoManager.\(function)") { subject in
            guard let undo = subject.undo else { preconditionFailure("The realm is live.") }
            try use(undo)
        }
    }

    static let undo: [String: ConfinedEntry] = [
        "realm.undoManager": .init("Realm.undoManager") { _ = $0.realm.undoManager },
        "undo.isRecording": named("isRecording") { _ = $0.isRecording },
        "undo.isRecording =": named("isRecording") { $0.isRecording = true },
        "undo.canUndo": named("canUndo") { _ = $0.canUndo },
        "undo.canRedo": named("canRedo") { _ = $0.canRedo },
        "undo.undoNames": named("undoNames") { _ = $0.undoNames },
        "undo.redoNames": named("redoNames") { _ = $0.redoNames },
        "undo.setActionName": named("setActionName(_:)") { $0.setActionName("Name") },
        "undo.group": named("group(_:_:)") { $0.group {} },
        "undo.stepLimit": named("stepLimit") { _ = $0.stepLimit },
        "undo.stepLimit =": named("stepLimit") { $0.stepLimit = 3 },
        "undo.byteLimit": named("byteLimit") { _ = $0.byteLimit },
        "undo.byteLimit =": named("byteLimit") { $0.byteLimit = 3 },
        "undo.byteCount": named("byteCount") { _ = $0.byteCount },
        "undo.removeAllSteps": named("removeAllSteps()") { $0.removeAllSteps() },
    ]

    static let throwingOfUndo: [String: ConfinedEntry] = [
        "undo.undo": named("undo()") { try $0.undo() },
        "undo.undo(resolving:)": named("undo()") { try $0.undo(resolving: .mine) },
        "undo.undo(closure)": named("undo()") { try $0.undo { _ in .mine } },
        "undo.redo": named("redo()") { try $0.redo() },
        "undo.redo(resolving:)": named("redo()") { try $0.redo(resolving: .mine) },
        "undo.redo(closure)": named("redo()") { try $0.redo { _ in .mine } },
    ]
}
