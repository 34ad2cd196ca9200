import Foundation
import Freehold
import FreeholdInspection
import FreeholdStorage
import Synchronization

/// One or more commits, with the rows that they changed, as JSON.
struct RecordedCommit: Sendable {
    let version: UInt64
    let json: [UInt8]
}

extension StudioFile {
    // MARK: Server-sent events

    /// Begins to listen to commits. The first event is the present state.
    func events() throws -> Chunks {
        let chunks = Chunks()
        if watch == nil {
            announced = try inspected.snapshot()
            watch = inspected.store.watchCommits { [weak self] in self?.heard() }
        }
        listeners.append(chunks)
        // Opens the stream at once: a browser waits for the first byte.
        _ = chunks.post(Array(": \(path.utf8.count)\n\n".utf8))
        return chunks
    }

    func post(_ event: String, _ json: [UInt8]) {
        let bytes = Array("event: \(event)\ndata: ".utf8) + json + Array("\n\n".utf8)
        listeners.removeAll { !$0.post(bytes) }
    }

    /// Notices listeners that are gone: only a failing write tells.
    func beat() {
        let bytes = Array(": \n\n".utf8)
        listeners.removeAll { !$0.post(bytes) }
    }

    /// Another process committed. Any thread.
    private nonisolated func heard() {
        if isHearing.exchange(true, ordering: .acquiringAndReleasing) { return }
        Task { await self.hearOthers() }
    }

    private func hearOthers() {
        isHearing.store(false, ordering: .releasing)
        hear()
    }

    /// Announces what was committed since the last time.
    func hear() {
        guard let newest = try? inspected.snapshot(), let last = announced,
            last.version != newest.version
        else { return }
        announced = newest
        // Compacted: the two versions are in different files.
        let difference =
            newest.isSameFile(as: last) ? try? VersionDifference(from: last, to: newest) : nil
        followInDraft()
        let tables = difference?.changedTables ?? Set(newest.catalog.classTables.map(\.id))
        announce(newest, tables, isSchemaChanged: newest.catalog != last.catalog)
        if let difference, let until = recordsUntil {
            if ContinuousClock.now < until {
                record(difference, from: last, to: newest)
            } else {
                recordsUntil = nil
                commits = []
            }
        }
    }

    private func announce(_ newest: Snapshot, _ tables: Set<TableID>, isSchemaChanged: Bool) {
        var json = JSONBytes()
        json.append(raw: "{\"version\":")
        json.append(Int64(clamping: newest.version))
        json.append(raw: isSchemaChanged ? ",\"isSchemaChanged\":true" : "")
        json.append(raw: ",\"classes\":[")
        var isFirst = true
        for definition in newest.catalog.classTables where tables.contains(definition.id) {
            if !isFirst { json.append(raw: ",") }
            isFirst = false
            json.append(quoted: definition.name)
        }
        json.append(raw: "],\"counts\":{")
        for (index, definition) in newest.catalog.classTables.enumerated() {
            if index > 0 { json.append(raw: ",") }
            json.append(quoted: definition.name)
            json.append(raw: ":")
            let rows = draft?.storedRows ?? newest
            json.append(Int64(rows.table(definition.id).count))
        }
        json.append(raw: "}}")
        post("commit", json.bytes)
    }

    // MARK: The page of changes

    private static let rowsOfCommit = 12

    /// The commits after a version. Commits are recorded only while pages ask for them.
    func stream(since: UInt64) throws -> [UInt8] {
        hear()
        recordsUntil = .now + .seconds(60)
        var json = JSONBytes()
        json.append(raw: "{\"version\":")
        json.append(Int64(clamping: announced?.version ?? 0))
        json.append(raw: ",\"commits\":[")
        for (index, commit) in commits.filter({ $0.version > since }).enumerated() {
            if index > 0 { json.append(raw: ",") }
            json.append(raw: commit.json)
        }
        json.append(raw: "]}")
        return json.bytes
    }

    private func record(_ difference: VersionDifference, from old: Snapshot, to new: Snapshot) {
        var head = JSONBytes()
        head.append(raw: "{\"from\":")
        head.append(Int64(clamping: old.version))
        head.append(raw: ",\"version\":")
        head.append(Int64(clamping: new.version))
        head.append(raw: ",\"time\":")
        head.append(Int64(Date().timeIntervalSince1970 * 1000))
        head.append(raw: ",\"classes\":[")
        var rows = JSONBytes()
        var (count, isFirst, isCut) = (0, true, false)
        var recorder = RowRecorder(old, new)
        for definition in new.catalog.classTables
        where difference.changedTables.contains(definition.id) {
            let changes = difference.changes(of: definition.id)
            if changes.isEmpty { continue }
            let changed = changes.modifiedRows(in: nil)
            if !isFirst { head.append(raw: ",") }
            isFirst = false
            head.append(raw: "{\"name\":")
            head.append(quoted: definition.name)
            head.append(raw: ",\"inserted\":")
            head.append(Int64(changes.insertions.count))
            head.append(raw: ",\"changed\":")
            head.append(Int64(changed.count))
            head.append(raw: ",\"deleted\":")
            head.append(Int64(changes.deletions.count))
            head.append(raw: "}")
            for (kind, keys) in [
                ("inserted", changes.insertions), ("changed", changed),
                ("deleted", changes.deletions),
            ] {
                for key in keys {
                    if count == Self.rowsOfCommit {
                        isCut = true
                        break
                    }
                    if count > 0 { rows.append(raw: ",") }
                    count += 1
                    recorder.append(kind, key, of: definition, changes, to: &rows)
                }
            }
        }
        head.append(raw: "],\"rows\":[")
        head.append(raw: rows.bytes)
        head.append(raw: isCut ? "],\"isCut\":true}" : "]}")
        if isFirst { return }
        commits.append(RecordedCommit(version: new.version, json: head.bytes))
        if commits.count > 200 { commits.removeFirst(commits.count - 200) }
    }
}

/// Writes rows of two versions side by side.
private struct RowRecorder {
    private let old: Snapshot
    private let new: Snapshot
    private var before: CellEncoder
    private var after: CellEncoder

    init(_ old: Snapshot, _ new: Snapshot) {
        (self.old, self.new) = (old, new)
        before = CellEncoder(old, .grid)
        after = CellEncoder(new, .grid)
    }

    mutating func append(
        _ kind: String, _ key: Int64, of definition: TableDefinition, _ changes: TableChanges,
        to json: inout JSONBytes
    ) {
        let target = LinkTarget(table: definition.id, key: key)
        let title = kind == "deleted" ? before.title(of: target) : after.title(of: target)
        json.append(raw: "{\"kind\":")
        json.append(quoted: kind)
        json.append(raw: ",\"className\":")
        json.append(quoted: definition.name)
        json.append(raw: ",\"key\":\"")
        json.append(key)
        json.append(raw: "\",\"title\":")
        json.append(quoted: title ?? "")
        json.append(raw: ",\"properties\":[")
        let place = RowKey(rawValue: key)
        let (oldRow, newRow) = (
            old.catalog[definition.id].flatMap { _ in old.table(definition.id).locate(place) },
            new.table(definition.id).locate(place)
        )
        var isFirst = true
        for column in definition.columns {
            if kind == "changed", changes.modifications[column.id]?.contains(key) != true {
                continue
            }
            if !isFirst { json.append(raw: ",") }
            isFirst = false
            json.append(raw: "{\"name\":")
            json.append(quoted: column.name)
            json.append(raw: ",\"old\":")
            if let oldRow, old.catalog[definition.id]?[column.id] != nil {
                before.append(column, oldRow.cluster, oldRow.row, of: definition.id, to: &json)
            } else {
                json.append(raw: "null")
            }
            json.append(raw: ",\"new\":")
            if let newRow {
                after.append(column, newRow.cluster, newRow.row, of: definition.id, to: &json)
            } else {
                json.append(raw: "null")
            }
            json.append(raw: "}")
        }
        json.append(raw: "]}")
    }
}
