import Foundation
import FreeholdStorage

extension RealmCore {
    func archiveEdits() throws(StorageError) -> Data {
        let edits = savepoint()
        let archived = try ArchivedEdits(
            from: draftBase, to: edits, of: store.environment.identifier,
            increments: draft?.increments.amounts ?? [:])
        return Data(try archived.archived(for: store.environment))
    }

    /// Makes archived edits in a draft that has none.
    func restore(
        _ archive: Data,
        resolving resolve: (DraftConflict.Conflict) throws -> DraftConflict.Resolution?
    ) throws {
        guard let draft, let target = writeSet else { refuseEndedDraft() }
        let current = draftBase
        let edits = try find(read(archive), in: current)
        let theirs = try mappingStorageErrors(
            ChangeSet(of: current, since: edits.base, for: edits.changes))
        draft.increments = Increments(edits.increments)
        let report = ConflictReport(self, restoring: edits, on: current)
        var decisions: [Conflict: Resolution] = [:]
        var known: Set<Conflict> = []
        while true {
            let settled = decisions
            let merge = try mappingStorageErrors(
                ThreeWayMerge(
                    mine: edits.changes, theirs: theirs, into: target,
                    automaticKeys: schema.tablesWithAutomaticKeys,
                    counters: draft.increments.counters, resolving: { settled[$0] }))
            if merge.conflicts.isEmpty {
                try mappingStorageErrors(make(merge.changes, in: target))
                draft.undoStack.moveCurrent(to: savepoint())
                return
            }
            let conflicts = report.sorted(merge.conflicts)
            for conflict in conflicts where known.insert(conflict).inserted {
                if let decision = try resolve(report.conflict(conflict)) {
                    decisions[conflict] = try report.resolution(decision, of: conflict)
                }
            }
            if decisions.count == settled.count {
                throw DraftConflict(
                    path: store.path, conflicts: conflicts.map(report.conflict),
                    hidesValues: hidesValues)
            }
        }
    }

    private func read(_ archive: Data) throws(Realm.Error) -> ArchivedEdits {
        do throws(ArchiveFailure) {
            return try ArchivedEdits(archive: [UInt8](archive), of: store.environment)
        } catch {
            let url = URL(fileURLWithPath: store.path)
            switch error {
            case .notAnArchive:
                throw Realm.Error(
                    .invalidInput,
                    "The data is not the archive of a draft. Pass what Draft.archive() returned.",
                    fileURL: url)
            case .newerFormat(let format):
                throw Realm.Error(
                    .invalidInput,
                    """
                    The archive has the format \(format), which a later release of Freehold \
                    writes. Restore it with that release.
                    """, fileURL: url)
            case .otherFile:
                throw Realm.Error(
                    .invalidInput,
                    """
                    The archive is encrypted with the key of another file. Restore it in a realm \
                    of the file that its draft was of.
                    """, fileURL: url)
            case .damaged:
                throw Realm.Error(
                    .corrupted,
                    """
                    The archive of a draft is damaged: it was changed or cut, and cannot be \
                    restored. Restore an earlier archive.
                    """, fileURL: url)
            }
        }
    }

    private func find(_ archived: ArchivedEdits, in current: TableSource) throws -> ResolvedEdits {
        do {
            return try archived.resolved(in: current, of: store.environment.identifier)
        } catch let error as StorageError {
            throw Realm.Error(error)
        } catch let refusal as ArchiveRefusal {
            throw Realm.Error(
                .schemaMismatch, "The archived draft cannot be restored: " + text(refusal),
                fileURL: URL(fileURLWithPath: store.path))
        }
    }

    private func text(_ refusal: ArchiveRefusal) -> String {
        func className(_ table: String) -> String {
            schema.classes.first { $0.schema.tableName == table }?.schema.className ?? table
        }
        func place(_ column: String, _ table: String) -> String {
            let properties = schema.classes.first { $0.schema.tableName == table }?.schema
                .properties
            let name = properties?.first { $0.columnName == column }?.name ?? column
            return "'\(className(table)).\(name)'"
        }
        return switch refusal {
        case .missingTable(let table):
            "it edits objects of the class '\(className(table))', which the file does not have."
        case .changedTable(let table):
            """
            it edits objects of the class '\(className(table))', which has another primary key \
            now, or became embedded or independent.
            """
        case .missingColumn(let column, let table):
            "it edits the property \(place(column, table)), which the file does not have."
        case .changedColumn(let column, let table):
            "it edits the property \(place(column, table)), which has another type now."
        }
    }
}
