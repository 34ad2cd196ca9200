package import Dispatch
package import FreeholdStorage

// Realms of programs without model classes, which take the classes from the file.

extension Realm {
    /// Opens an existing file with the classes that it has itself. Objects are
    /// ``DynamicObject``s. Migrates nothing: the configuration's classes and schema version are
    /// ignored.
    ///
    /// If another process migrates the file, the realm stays at the version before, and writing
    /// throws `schemaMismatch`: release its objects and open the file again.
    ///
    /// - Throws: As ``init(configuration:queue:fileID:line:)``; a missing file is not created.
    package static func withStoredClasses(
        _ configuration: Configuration, queue: DispatchQueue? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Realm {
        try withStoredClasses(configuration, .here(queue: queue, fileID: fileID, line: line))
    }

    /// As ``withStoredClasses(_:queue:fileID:line:)``, for the caller's actor.
    package static func withStoredClasses(
        _ configuration: Configuration, actor: isolated any Actor, fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Realm {
        try withStoredClasses(configuration, .here(actor: actor, fileID: fileID, line: line))
    }

    private static func withStoredClasses(
        _ configuration: Configuration, _ confinement: Confinement
    ) throws -> Realm {
        var configuration = configuration
        configuration.minimumVersion = max(configuration.minimumVersion, 1)
        let options = try configuration.storeOptions()
        let url = configuration.fileURL
        // Keeps the file open until the realm does.
        let store = try mappingStorageErrors(Store.open(options), fileURL: url)
        defer { withExtendedLifetime(store) {} }
        let catalog = try mappingStorageErrors(store.newestSnapshot().catalog, fileURL: url)
        configuration.schemaVersion = catalog.schemaVersion ?? 0
        return Realm(
            core: try RealmCore.open(configuration, confinement, SchemaSet.stored(in: catalog)))
    }

    /// The version that the realm reads, without the changes of an open transaction. Begins a read
    /// if there is none.
    package var storedSnapshot: Snapshot {
        core.checkConfinement("Realm.storedSnapshot")
        return core.currentSnapshot
    }

    /// The objects of a class that satisfy a predicate, in the order of its clauses.
    ///
    /// - Throws: An error that shows the string with a caret under the mistake. Traps if the
    ///   realm's schema has no such class.
    package func dynamicObjects(_ typeName: String, matching predicate: RealmPredicate)
        throws(RealmPredicateError) -> Results<DynamicObject>
    {
        let all = dynamicObjects(typeName)
        try predicate.check(all.state.binding)
        return all.filter(predicate)
    }
}

extension Results {
    /// The condition, if the objects are those rows of the class that fulfil it, in the order of
    /// their keys; nil if they are sorted, limited or otherwise derived.
    package var scanPredicate: ScanPredicate? {
        state.check("scanPredicate")
        return state.rows == nil && state.sorts.isEmpty && state.values == nil
            ? state.predicate : nil
    }

    /// The criterion, if the objects are all of the class, sorted by one; nil for others.
    package var scanSort: ScanSort? {
        state.check("scanSort")
        guard state.rows == nil, state.values == nil, state.sorts.count == 1,
            state.predicate == .all
        else { return nil }
        return state.sorts.first
    }

    /// The keys of the rows, in order. O(1) while the data do not change, otherwise one evaluation.
    package var rowKeys: ContiguousArray<Int64> {
        state.check("rowKeys")
        return state.keys()
    }

    /// The keys of the rows at some positions, cut to those that exist. Makes no keys for all
    /// objects of a class: O(positions log clusters) there.
    package func rowKeys(at positions: Range<Int>) -> [Int64] {
        state.check("rowKeys(at:)")
        if state.isWholeTable {
            let table = state.table
            return positions.clamped(to: 0..<table.count).compactMap { position in
                table.locate(position: position).map { $0.cluster.key(at: $0.row).rawValue }
            }
        }
        let keys = state.keys()
        return Array(keys[positions.clamped(to: 0..<keys.count)])
    }

    /// The position of the row with a key; nil if the collection does not contain it.
    package func position(ofRow key: Int64) -> Int? {
        state.check("position(ofRow:)")
        return state.index(ofKey: key)
    }
}

extension ObjectBase {
    /// The key of the object's row; nil for an unmanaged object.
    package final var storedRowKey: Int64? { _isManaged ? key : nil }
}

extension SchemaSet {
    /// One set for each catalog: realms of one place and file share their instance only if they
    /// have the same set.
    private static let stored = Locked<[Catalog: SchemaSet]>(processWide: [:])

    /// The classes of a file. O(columns) the first time.
    static func stored(in catalog: Catalog) -> SchemaSet {
        stored.withLock { sets in
            if let known = sets[catalog] { return known }
            let made = SchemaSet(storedIn: catalog)
            sets[catalog] = made
            return made
        }
    }
}
