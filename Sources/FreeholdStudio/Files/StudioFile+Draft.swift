import Foundation
import Freehold
import FreeholdImport
import FreeholdInspection
import FreeholdStorage

extension StudioFile {
    struct DraftReply: Encodable {
        /// The number of objects that differ from the file.
        var changes = 0
        /// What the next undo and redo are about.
        var undo: String?
        var redo: String?
        /// Whether others changed the same.
        var isBehind = false
    }

    func draftReply() -> DraftReply {
        guard let draft else { return DraftReply() }
        return DraftReply(
            changes: draft.changes.count, undo: draft.undoNames.last.map { $0 ?? "the edit" },
            redo: draft.redoNames.last.map { $0 ?? "the edit" }, isBehind: isBehind)
    }

    /// The answer to an edit.
    private func edited(_ members: [String: String] = [:]) throws -> [UInt8] {
        struct Answer: Encodable {
            let draft: DraftReply
            let name: String?
            let key: String?
            let version: String?
        }
        marks = nil
        queries = [:]
        let reply = draftReply()
        post("draft", try Reply.encoded(reply))
        return try Reply.encoded(
            Answer(
                draft: reply, name: members["name"], key: members["key"],
                version: members["version"]))
    }

    /// What the draft did to rows, for the grid.
    func rowMarks() -> [RowName: RowMark] {
        guard let draft else { return [:] }
        if let marks { return marks }
        var made: [RowName: RowMark] = [:]
        for change in draft.changes {
            made[RowName(className: change.object.className, key: change.object.row)] = RowMark(
                kind: change.kind.rawValue,
                properties: change.kind == .changed ? change.properties.map(\.name) : [])
        }
        marks = made
        return made
    }

    private func openDraft() throws -> Draft {
        guard isWritable else {
            throw RequestError(403, "Studio was started without --write, so nothing is edited.")
        }
        if let draft { return draft }
        let made = try view().realm.draft()
        made.author = InspectedFile.author
        draft = made
        queries = [:]
        return made
    }

    private func writer(_ edits: WriteSet) -> RowWriter {
        RowWriter(edits) { table, primaryKey, key in
            let rows = edits.table(table.id)
            if let key {
                guard rows.contains(RowKey(rawValue: key)) else {
                    throw InspectionError("\(table.name) has no row \(key).")
                }
                return key
            }
            guard let primaryKey else { return nil }
            let finder = RowWriter(edits) { _, _, _ in nil }
            guard let found = try finder.row(withPrimaryKey: primaryKey, in: table) else {
                throw InspectionError("\(table.name) has no object with this primary key.")
            }
            return found
        }
    }

    // MARK: Edits

    /// Sets a property to a value of a document.
    func set(
        _ className: String, _ key: Int64, _ property: String, _ value: JSONDocument.ID,
        of document: JSONDocument
    ) throws -> [UInt8] {
        let draft = try openDraft()
        let view = try view()
        let definition = try table(className, in: view)
        let column = try definition.inspected(property: property)
        guard view.rows.table(definition.id).contains(RowKey(rawValue: key)) else {
            throw RequestError(404, "There is no such object.")
        }
        if column.id == definition.primaryKey {
            throw RequestError(400, "A primary key cannot be changed.")
        }
        marks = nil
        try draft.editStoredRows("Set \(property) of \(className)") { edits in
            try writer(edits).set(column, value, document, row: key, of: definition)
        }
        return try edited()
    }

    /// Adds an object with zeros and nulls.
    func add(_ className: String, primaryKey: JSONDocument.ID?, of document: JSONDocument) throws
        -> [UInt8]
    {
        let draft = try openDraft()
        let view = try view()
        let definition = try table(className, in: view)
        if definition.isOwned {
            throw RequestError(400, "Embedded objects are added to the object that owns them.")
        }
        let key = try draft.editStoredRows("Add \(className)") { edits in
            let writer = writer(edits)
            var value: ScanValue?
            if let column = definition.primaryKey.flatMap({ definition[$0] }) {
                guard let primaryKey,
                    case .plain(let given) = try ValueDecoder(
                        edits.catalog, findLink: { _, _, _ in nil }
                    ).value(primaryKey, of: document, column)
                else { throw RequestError(400, "\(className) needs a primary key.") }
                if try writer.row(withPrimaryKey: given, in: definition) != nil {
                    throw RequestError(
                        400, "There is an object of \(className) with this primary key.")
                }
                value = given
            }
            return try writer.addRow(primaryKey: value, in: definition)
        }
        return try edited(["key": String(key)])
    }

    func delete(_ className: String, _ key: Int64) throws -> [UInt8] {
        let draft = try openDraft()
        let view = try view()
        let definition = try table(className, in: view)
        guard view.rows.table(definition.id).contains(RowKey(rawValue: key)) else {
            throw RequestError(404, "There is no such object.")
        }
        if definition.isOwned {
            throw RequestError(400, "Embedded objects are removed from the object that owns them.")
        }
        try draft.editStoredRows("Delete \(className)") { edits in
            try edits.deleteRows([key], of: definition.id)
        }
        return try edited()
    }

    func undo() throws -> [UInt8] {
        guard let draft, draft.canUndo else { return try edited() }
        let name = draft.undoNames.last.map { $0 ?? "the edit" }
        try draft.undo()
        return try edited(["name": name ?? ""])
    }

    func redo() throws -> [UInt8] {
        guard let draft, draft.canRedo else { return try edited() }
        let name = draft.redoNames.last.map { $0 ?? "the edit" }
        try draft.redo()
        return try edited(["name": name ?? ""])
    }

    func discard() throws -> [UInt8] {
        queries = [:]
        draft?.discard()
        draft = nil
        isBehind = false
        return try edited()
    }

    /// Saves as one transaction.
    ///
    /// - Parameter choices: By the names of conflicts: "mine" or "theirs".
    func save(_ choices: [String: String]) throws -> [UInt8] {
        guard let draft else { return try edited() }
        try draft.save { conflict in
            switch choices[Self.name(of: conflict)] {
            case "mine": .mine
            case "theirs": .theirs
            default: nil
            }
        }
        isBehind = false
        hear()
        return try edited(["version": String(draft.baseVersion)])
    }

    /// Takes in what others committed.
    func followInDraft() {
        guard let draft else { return }
        do {
            if try draft.rebase() { queries = [:] }
            isBehind = false
        } catch {
            isBehind = true
        }
        marks = nil
        if let reply = try? Reply.encoded(draftReply()) { post("draft", reply) }
    }

    // MARK: Review

    private static func name(of conflict: DraftConflict.Conflict) -> String {
        [
            conflict.kind.rawValue, conflict.object.map { "\($0)" } ?? "", conflict.property ?? "",
        ].joined(separator: " ")
    }

    func review() throws -> [UInt8] {
        struct Property: Encodable {
            let name: String
            let old: String?
            let new: String?
        }
        struct Change: Encodable {
            let kind: String
            let object: String
            let className: String
            let key: String
            let properties: [Property]
        }
        struct Conflict: Encodable {
            let id: String
            let kind: String
            let object: String
            let property: String?
            let base: String?
            let mine: String?
            let theirs: String?
        }
        struct Answer: Encodable {
            let changes: [Change]
            let conflicts: [Conflict]
            let isCut: Bool
        }
        guard let draft else {
            return try Reply.encoded(Answer(changes: [], conflicts: [], isCut: false))
        }
        func text(_ value: DraftValue?) -> String? {
            value.map { value in
                let text = "\(value)"
                return text.count > 400 ? text.prefix(400) + "…" : text
            }
        }
        let all = draft.changes
        return try Reply.encoded(
            Answer(
                changes: all.prefix(500).map { change in
                    Change(
                        kind: change.kind.rawValue, object: "\(change.object)",
                        className: change.object.className, key: String(change.object.row),
                        properties: change.properties.map {
                            Property(name: $0.name, old: text($0.old), new: text($0.new))
                        })
                },
                conflicts: try draft.conflicts.map { conflict in
                    Conflict(
                        id: Self.name(of: conflict), kind: conflict.kind.rawValue,
                        object: conflict.object.map { "\($0)" } ?? "", property: conflict.property,
                        base: text(conflict.base), mine: text(conflict.mine),
                        theirs: text(conflict.theirs))
                }, isCut: all.count > 500))
    }
}
