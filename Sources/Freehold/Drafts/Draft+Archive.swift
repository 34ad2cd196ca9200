public import Foundation
import FreeholdStorage

extension Draft {
    /// The edits as data, which make it a draft again later: after the process has ended, and on
    /// whatever version the file has then.
    ///
    /// ```swift
    /// try draft.archive().write(to: url)
    /// …
    /// let draft = try Draft(restoring: Data(contentsOf: url), in: realm)
    /// ```
    ///
    /// The archive has the changed values, and of each object that the draft changed, deleted or
    /// linked to all values that it had. Of a nested draft it has the edits since its parent's.
    /// Steps of undo are not part of it. The archive of an encrypted file is encrypted with that
    /// file's key, which ``Realm/changeEncryptionKey(of:to:)`` does not change; a copy of the
    /// file with a key of its own cannot read it. O(changes + values of changed objects).
    ///
    /// - Throws: ``Realm/Error`` if the file cannot be read; ``ConfinementViolation`` on a wrong
    ///   thread or queue.
    /// - Precondition: The draft was not discarded.
    public func archive() throws -> Data {
        try core.verifyConfinement(.operation("Draft.archive()"))
        return try mappingStorageErrors(core.archiveEdits())
    }

    /// Makes an archived draft a draft again, as if it had stayed open and was rebased on the
    /// version that the realm reads.
    ///
    /// Classes and properties are found by their names in the file; those that the edits do not
    /// touch may have been added, removed or reordered. Objects are found by their primary keys.
    /// Objects without one are found by their rows, in another file or in an older state of it
    /// only if they have the archived values. Objects that are not found were deleted, which is
    /// a conflict if the draft changed them.
    ///
    /// One thing differs from a draft that stayed open: if an object that others deleted returns,
    /// because its conflict is settled by `mine`, objects that the draft did not touch do not
    /// link to it again.
    ///
    /// - Parameters:
    ///   - archive: What ``archive()`` returned.
    ///   - realm: A realm of the file or of a copy; or that of another draft, to make this one a
    ///     nested draft of it.
    ///   - fileID: The source file of the call, for ``Realm/versionReport()``. Omit it.
    ///   - line: The source line of the call. Omit it.
    /// - Throws: ``DraftConflict`` if others changed the same; ``Realm/Error`` with the code
    ///   `corrupted` if the data was changed or cut, `invalidInput` if it is no archive, one of a
    ///   later release, or encrypted for another file, `schemaMismatch` if a class or property
    ///   that the draft edited is gone or has another type; and as ``Realm/draft(fileID:line:)``.
    public init(
        restoring archive: Data, in realm: Realm, fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws {
        try self.init(
            restoring: archive, in: realm, resolving: { _ in nil }, fileID: fileID, line: line)
    }

    /// Restores as ``init(restoring:in:fileID:line:)``, and settles all conflicts alike.
    ///
    /// - Parameters:
    ///   - archive: What ``archive()`` returned.
    ///   - realm: A realm of the file, or that of a draft.
    ///   - resolution: Which side stands.
    ///   - fileID: The source file of the call. Omit it.
    ///   - line: The source line of the call. Omit it.
    /// - Throws: As ``init(restoring:in:fileID:line:)``.
    public init(
        restoring archive: Data, in realm: Realm, resolving resolution: DraftConflict.Resolution,
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws {
        try self.init(
            restoring: archive, in: realm, resolving: { _ in resolution }, fileID: fileID,
            line: line)
    }

    /// Restores as ``init(restoring:in:fileID:line:)``, and asks for each conflict how it is
    /// settled.
    ///
    /// - Parameters:
    ///   - archive: What ``archive()`` returned.
    ///   - realm: A realm of the file, or that of a draft.
    ///   - resolve: Called once for each conflict. Nil leaves it.
    ///   - fileID: The source file of the call. Omit it.
    ///   - line: The source line of the call. Omit it.
    /// - Throws: As ``init(restoring:in:fileID:line:)``, and what `resolve` throws.
    public init(
        restoring archive: Data, in realm: Realm,
        resolving resolve: (DraftConflict.Conflict) throws -> DraftConflict.Resolution?,
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws {
        self = try realm.draft(fileID: fileID, line: line)
        try core.restore(archive, resolving: resolve)
    }
}
