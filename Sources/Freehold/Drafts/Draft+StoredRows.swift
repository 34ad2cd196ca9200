package import FreeholdStorage

// Editing a draft by rows and columns, for programs without model classes.

extension Draft {
    /// The rows as the draft has them. Valid until the next edit.
    package var storedRows: TableSource {
        core.checkConfinement("Draft.storedRows")
        return core.source
    }

    /// The version that the draft began with, or that it was rebased on or saved as.
    package var baseVersion: UInt64 {
        core.checkConfinement("Draft.baseVersion")
        return core.currentSnapshot.version
    }

    /// Edits rows as one step of undo, which is undone if the block throws. Accessors of changed
    /// rows must not be in use.
    ///
    /// - Precondition: As ``group(_:_:)``.
    package func editStoredRows<Result>(_ name: String, _ body: (WriteSet) throws -> Result) throws
        -> Result
    {
        try group(name) {
            guard let edits = core.writeSet else { core.refuseEndedDraft() }
            defer { core.didMove() }
            return try body(edits)
        }
    }
}
