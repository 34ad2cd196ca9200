import Foundation
import Freehold
import FreeholdInspection
import FreeholdStorage
import Synchronization

/// One file that Studio shows. All reads and edits run on the actor's own thread, in order; only
/// long work (checks, exports, measuring) has threads and versions of its own.
actor StudioFile: PinnedActor {
    let executor = PinnedExecutor("studio")

    nonisolated let id: Int
    nonisolated let path: String
    nonisolated let isWritable: Bool
    nonisolated let isEncrypted: Bool
    /// For long work, which opens realms of its own.
    nonisolated let inspected: InspectedFile

    /// The realm of the version that is shown; nil until it is needed, and when the file's classes
    /// have changed.
    var realm: Realm?
    /// Made by the first edit.
    var draft: Draft?
    /// Whether others changed what the draft changed, so that it stays on its version.
    var isBehind = false
    /// What the draft changed, for the marks of rows; nil after an edit.
    var marks: [RowName: RowMark]?
    /// Queries that were asked for lately. A live query keeps the keys of its rows while nothing
    /// changes, so scrolling does not evaluate it again.
    var queries: [QueryName: StoredQuery] = [:]
    /// Those of large classes, at one version; the one that was asked for last is the last.
    var longQueries: [(name: QueryName, version: UInt64, results: LongResults?)] = []

    // Events.

    /// The version that was announced last.
    var announced: Snapshot?
    var listeners: [Chunks] = []
    var watch: CommitWatch?
    /// Set while an announcement is on its way to the actor, which covers all commits until then.
    nonisolated let isHearing = Atomic<Bool>(false)
    /// The commits since the page of changes was opened, and until when it wants them.
    var commits: [RecordedCommit] = []
    var recordsUntil: ContinuousClock.Instant?

    struct QueryName: Hashable {
        let className: String
        let text: String
    }

    struct RowName: Hashable {
        let className: String
        let key: Int64
    }

    struct RowMark {
        let kind: String
        let properties: [String]
    }

    init(id: Int, path: String, key: Data?, isWritable: Bool) throws {
        self.id = id
        self.path = path
        self.isWritable = isWritable
        isEncrypted = key != nil
        inspected = try InspectedFile(path: path, key: key, isWritable: isWritable)
    }

    nonisolated var name: String { URL(fileURLWithPath: path).lastPathComponent }

    // MARK: The shown version

    /// What requests read: the newest version, or the draft.
    struct View {
        let realm: Realm
        let rows: TableSource
        let version: UInt64
        let catalog: Catalog
    }

    func view() throws -> View {
        if let draft {
            return View(
                realm: draft.realm, rows: draft.storedRows, version: draft.baseVersion,
                catalog: draft.storedRows.currentCatalog)
        }
        let newest = try inspected.snapshot()
        if let realm, realm.storedSnapshot.version != newest.version {
            queries = [:]
            if realm.storedSnapshot.catalog != newest.catalog {
                self.realm = nil
            } else if isWritable {
                realm.refresh()
            } else {
                // A realm that only reads stays on its version until it is asked to begin again.
                realm.invalidate()
            }
        }
        let realm = try self.realm ?? inspected.realm(actor: self)
        self.realm = realm
        let snapshot = realm.storedSnapshot
        return View(
            realm: realm, rows: snapshot, version: snapshot.version, catalog: snapshot.catalog)
    }

    /// A query, which may be one that was made before.
    func query(_ text: String, of className: String, in view: View) throws -> StoredQuery {
        let name = QueryName(className: className, text: text)
        if let known = queries[name] { return known }
        let made = try StoredQuery(text, of: className, in: view.realm)
        if queries.count >= 8 { queries = [:] }
        queries[name] = made
        return made
    }

    /// The rows of a query that finds millions of them; nil for others.
    func longResults(_ text: String, of className: String, in view: View) throws -> LongResults? {
        // A draft's rows change without a version.
        if text.isEmpty || draft != nil { return nil }
        longQueries.removeAll { $0.version != view.version }
        let name = QueryName(className: className, text: text)
        if let known = longQueries.firstIndex(where: { $0.name == name }) {
            longQueries.append(longQueries.remove(at: known))
            return longQueries.last?.results
        }
        let query = try query(text, of: className, in: view)
        if query.results.scanPredicate == nil {
            makeRoom(forLongQueryOf: 4 * view.rows.table(query.table).count)
        }
        let made = try LongResults(query, view.rows)
        // The live query has the keys of all its rows, which are not needed any more.
        if made?.isOrdered ?? false { queries[name] = nil }
        makeRoom(forLongQueryOf: made?.byteCount ?? 0)
        longQueries.append((name, view.version, made))
        return made
    }

    /// Forgets the queries of large classes that were not asked for longest.
    private func makeRoom(forLongQueryOf byteCount: Int) {
        func sum() -> Int { longQueries.reduce(byteCount) { $0 + ($1.results?.byteCount ?? 0) } }
        while longQueries.count >= 8 || !longQueries.isEmpty && sum() > Self.mostLongQueryBytes {
            longQueries.removeFirst()
        }
    }

    /// The bytes that queries of large classes may keep; the last one may take more. With 4 bytes
    /// a row, that is an order of 20 million rows.
    private static let mostLongQueryBytes = 80_000_000

    func table(_ className: String, in view: View) throws -> TableDefinition {
        do {
            return try view.catalog.inspected(className)
        } catch {
            throw RequestError(404, error.description)
        }
    }

    /// Ends everything before the process does.
    func close() {
        watch?.stop()
        for listener in listeners { listener.finish() }
        listeners = []
        queries = [:]
        longQueries = []
        draft?.discard()
        draft = nil
        realm = nil
    }
}

// MARK: - Schema

extension StudioFile {
    struct SchemaReply: Encodable {
        struct Class: Encodable {
            let name: String
            let isEmbedded: Bool
            let count: Int
            let primaryKey: String?
            let properties: [Property]
        }

        struct Property: Encodable {
            let name: String
            let type: String
            let typeText: String
            let collection: String?
            let isOptional: Bool
            let isPrimaryKey: Bool
            let isSortable: Bool
            let isEmbedded: Bool
            let target: String?
            let index: String?
        }

        let classes: [Class]
        let version: UInt64
        let byteCount: Int
        let draft: DraftReply?
    }

    func schema() throws -> SchemaReply {
        let view = try view()
        let described = SchemaDescription(view.realm.storedSnapshot)
        let embedded = Set(described.classes.filter(\.isEmbedded).map(\.name))
        let classes = described.classes.map { found in
            SchemaReply.Class(
                name: found.name, isEmbedded: found.isEmbedded,
                count: view.catalog[found.name].map { view.rows.table($0.id).count } ?? 0,
                primaryKey: found.primaryKey,
                properties: found.properties.map { property in
                    let isKey = property.name == found.primaryKey
                    return SchemaReply.Property(
                        name: property.name, type: property.kind.rawValue,
                        typeText: property.typeText, collection: property.collection?.rawValue,
                        isOptional: property.isOptional || property.kind == .mixed,
                        isPrimaryKey: isKey,
                        isSortable: property.collection == nil && property.kind != .object
                            && !found.isEmbedded,
                        isEmbedded: property.target.map(embedded.contains) ?? false,
                        target: property.target, index: property.index?.rawValue)
                })
        }
        return SchemaReply(
            classes: classes, version: view.version,
            byteCount: (try? inspected.store.byteCounts().0) ?? 0,
            draft: isWritable ? draftReply() : nil)
    }
}
