import Foundation
package import Freehold
package import FreeholdStorage

/// Who reads which versions of a file. Its JSON is documented in Docs/Command.md.
package struct VersionsDescription: Codable, Hashable, Sendable {
    package struct Pin: Codable, Hashable, Sendable {
        package var version: UInt64
        /// What reads it: "process", "realm", "frozen", …
        package var holder: String
        package var processID: Int32
        /// The name of the process, if it can be found.
        package var processName: String?
        /// Where the program began to read, if it is this process.
        package var place: String?
        /// How long it has read the version, if that is known: for this process.
        package var seconds: Double?
        /// The bytes that cannot be used again while the version is read.
        package var byteCount: Int
    }

    package var newestVersion: UInt64
    package var activeVersionCount: Int
    package var usedByteCount: Int
    /// Oldest version first.
    package var pins: [Pin]

    package init(_ report: Realm.VersionReport) {
        newestVersion = report.newestVersion
        activeVersionCount = report.activeVersionCount
        usedByteCount = report.usedByteCount
        pins = report.pins.map { pin in
            Pin(
                version: pin.version, holder: "\(pin.holder)", processID: pin.processID,
                processName: Self.name(ofProcess: pin.processID),
                place: pin.place.map { "\($0)" },
                seconds: pin.age.map {
                    Double($0.components.seconds) + Double($0.components.attoseconds) / 1e18
                },
                byteCount: pin.byteCount)
        }
    }

    private static func name(ofProcess process: Int32) -> String? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
        else { return nil }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// What the bytes of a file are used for. Its JSON is documented in Docs/Command.md.
package struct SpaceDescription: Codable, Hashable, Sendable {
    package struct Column: Codable, Hashable, Sendable {
        /// The property; "$key" for the keys of the rows.
        package var name: String
        package var values: Int
        package var longValues: Int
        package var elements: Int
        /// The index, or the backlinks.
        package var index: Int
        package var total: Int
    }

    package struct Class: Codable, Hashable, Sendable {
        package var name: String
        package var count: Int
        package var total: Int
        /// Where the rows are found.
        package var directory: Int
        package var columns: [Column]
    }

    package var version: UInt64
    package var fileByteCount: Int
    /// The pages in use.
    package var usedByteCount: Int
    /// The pages that are used again by later writes.
    package var freeByteCount: Int
    /// The catalog.
    package var metaByteCount: Int
    /// What pages need beside keys and values: headers, branches, unused ends.
    package var overheadByteCount: Int
    /// Largest first.
    package var classes: [Class]

    /// Adds up a version. O(entries).
    package init(_ file: InspectedFile, _ snapshot: Snapshot, progress: (Double) -> Void = { _ in })
        throws
    {
        let use = try file.store.spaceUse(of: snapshot, progress: progress)
        version = snapshot.version
        fileByteCount = use.fileByteCount
        usedByteCount = use.usedByteCount
        freeByteCount = max(0, use.fileByteCount - use.usedByteCount)
        metaByteCount = use.meta
        overheadByteCount = max(0, use.usedByteCount - use.contentByteCount)
        // Also what Freehold keeps for itself.
        classes = snapshot.catalog.tables.map { table in
            let parts = use.columns[table.id] ?? [:]
            let columns = parts.map { id, part in
                Column(
                    name: id == .rowKeys ? "$key" : table[id]?.name ?? "(removed)",
                    values: part.values, longValues: part.longValues, elements: part.elements,
                    index: part.index, total: part.total)
            }.sorted { ($1.total, $0.name) < ($0.total, $1.name) }
            let directory = use.directories[table.id] ?? 0
            return Class(
                name: table.isInternal ? Self.internalName(table) : table.name,
                count: snapshot.table(table.id).count,
                total: columns.reduce(directory) { $0 + $1.total }, directory: directory,
                columns: columns)
        }.sorted { ($1.total, $0.name) < ($0.total, $1.name) }
    }

    /// As `(history)` or `(sharing.outbox)`: no class is called so.
    private static func internalName(_ table: TableDefinition) -> String {
        "(\(table.name.dropFirst(TableDefinition.internalPrefix.count).lowercased()))"
    }
}
