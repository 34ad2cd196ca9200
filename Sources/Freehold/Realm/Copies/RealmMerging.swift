import Foundation
import FreeholdStorage

extension RealmCore {
    /// Merges the objects of this realm into the file of a configuration, in one transaction of
    /// a realm with this realm's confinement.
    func merge(into configuration: Realm.Configuration) throws {
        let target = try mergeTarget(configuration)
        if target === self {
            throw Realm.Error(
                .fileExists, "Failed to open file at path '\(store.path)': File exists",
                fileURL: URL(fileURLWithPath: store.path))
        }
        do throws(StorageError) {
            _ = try readCommitted()
            try target.beginWrite()
            do throws(InvalidValueError) {
                var merging = RealmMerging(source: self, target: target)
                try merging.run()
            } catch {
                target.cancelWrite()
                throw StorageError(
                    .corrupted, "An object could not be merged: \(error.message)",
                    path: target.store.path, underlying: error)
            }
            try target.commitWrite()
        } catch {
            throw Realm.Error(error, fileURL: URL(fileURLWithPath: target.store.path))
        }
    }

    /// The realm to merge into: the one that is already open in this confinement, or a new one
    /// with the classes of both realms.
    private func mergeTarget(_ configuration: Realm.Configuration) throws -> RealmCore {
        var configuration = configuration
        let path = try configuration.path()
        let own = schema.classes.map(\.schema.type)
        // A frozen realm has no confinement, so its target belongs to the calling thread.
        let confinement =
            isFrozen
            ? try Confinement.here(queue: nil, fileID: "Realm.writeCopy(configuration:)", line: 0)
            : confinement
        let coordinator = try RealmCoordinator.open(configuration)
        if let known = coordinator.core(confinedAs: confinement) {
            if known.writeSet != nil, known !== self {
                throw Realm.Error(
                    .alreadyOpen,
                    """
                    Realm at path '\(path)' is in a write transaction. Commit or cancel it \
                    before others' objects are merged into it.
                    """, fileURL: configuration.fileURL)
            }
            if let missing = schema.classes.first(where: { known.schema[$0.schema.type] == nil }) {
                throw Realm.Error(
                    .alreadyOpen,
                    """
                    Realm at path '\(path)' is open without the class \
                    '\(missing.schema.className)'. Release it first, or open it with all \
                    classes.
                    """, fileURL: configuration.fileURL)
            }
            return known
        }
        if let types = configuration.objectTypes {
            configuration.objectTypes =
                types + own.filter { type in !types.contains { $0 == type } }
        }
        return try RealmCore.open(configuration, confinement)
    }
}

/// Copies all objects of one realm into another, inside the target's write transaction.
///
/// First finds each object by its primary key or creates it, so that links have targets even in
/// cycles; then assigns the values.
private struct RealmMerging {
    let source: RealmCore
    let target: RealmCore
    /// The row keys in the target, by table and row key in the source.
    private var keys: [TableID: [Int64: Int64]] = [:]
    private let copied = CopiedEmbeddedObjects()

    init(source: RealmCore, target: RealmCore) {
        self.source = source
        self.target = target
    }

    mutating func run() throws(InvalidValueError) {
        let classes = source.schema.classOfEachTable.filter { !$0.schema.isEmbedded }
        for bound in classes { makeObjects(of: bound) }
        for bound in classes {
            try forEachObject(of: bound) { object throws(InvalidValueError) in
                guard let copy = counterpart(of: object) else { return }
                try assign(to: copy, from: object, bound.schema)
            }
        }
        // Damage may have hidden objects, which were then not copied.
        try source.checkUndamaged()
    }

    private func forEachObject(
        of bound: BoundClass, _ body: (ObjectBase) throws(InvalidValueError) -> Void
    ) throws(InvalidValueError) {
        let binding = source.binding(for: bound.schema.type)
        let table = source.table(of: binding)
        for cluster in table.allClusters {
            for row in 0..<cluster.count {
                try body(
                    binding.makeAccessor(
                        key: cluster.key(at: row).rawValue, cluster: cluster, row: row))
            }
        }
    }

    private mutating func makeObjects(of bound: BoundClass) {
        var made: [Int64: Int64] = [:]
        try? forEachObject(of: bound) { object in
            var literal: [String: Any] = [:]
            if let primaryKey = bound.schema.primaryKeyProperty {
                literal[primaryKey.name] = object.value(of: primaryKey) ?? NSNull()
            }
            let copy = target.create(
                bound.schema.type, from: literal,
                update: bound.schema.primaryKey == nil ? .error : .modified)
            made[object.key] = copy.key
        }
        keys[bound.table] = made
    }

    /// The target's object that receives the values of a source object.
    private func counterpart(of object: ObjectBase) -> ObjectBase? {
        let type = object.classOfRow
        guard let table = source.schema[type]?.table, let key = keys[table]?[object.key] else {
            return nil
        }
        return target.accessor(key, of: target.binding(for: type))
    }

    private func assign(to copy: ObjectBase, from object: ObjectBase, _ schema: ClassSchema)
        throws(InvalidValueError)
    {
        try assign(to: copy, from: object, schema) { linked, _ throws(InvalidValueError) in
            try mergedCopy(of: linked)
        }
    }

    /// - Parameter embed: Copies an embedded object that a property links to.
    private func assign(
        to copy: ObjectBase, from object: ObjectBase, _ schema: ClassSchema,
        _ embed: (ObjectBase, PropertyDescriptor) throws(InvalidValueError) -> ObjectBase
    ) throws(InvalidValueError) {
        for property in schema.properties where property.ordinal != schema.primaryKey {
            let value = object.value(of: property)
            var failure: InvalidValueError?
            let mapped = mapObjects(in: value, of: property, includesValues: true) { linked in
                if let copy = counterpart(of: linked) { return copy }
                do throws(InvalidValueError) {
                    let isEmbedded = embeddedSchema(of: linked) != nil
                    if isEmbedded { copied.insert(linked) }
                    try source.checkUndamaged()
                    if source.schema[linked.classOfRow] == nil {
                        throw InvalidValueError(
                            message: """
                                Object type '\(linked.classOfRow.className())' is not managed \
                                by the Realm: add it to the objectTypes of the realm that is \
                                copied.
                                """)
                    }
                    return isEmbedded ? try embed(linked, property) : linked
                } catch {
                    failure = error
                    return linked
                }
            }
            if let failure { throw failure }
            try copy.assign(mapped, to: property)
        }
    }

    private func embeddedSchema(of object: ObjectBase) -> ClassSchema? {
        source.schema[object.classOfRow].flatMap { $0.schema.isEmbedded ? $0.schema : nil }
    }

    /// Copies an embedded object with everything embedded in it. Uses no recursion for nested
    /// objects, except inside values that properties convert.
    private func mergedCopy(of embedded: ObjectBase) throws(InvalidValueError) -> ObjectBase {
        let root = embedded.classOfRow.init()
        var work = [(source: embedded, copy: root)]
        while let (source, copy) = work.popLast() {
            guard let schema = embeddedSchema(of: source) else { continue }
            try assign(to: copy, from: source, schema) {
                linked, property throws(InvalidValueError) in
                // The conversion reads the object, so its copy must be complete.
                if property.isConverted { return try mergedCopy(of: linked) }
                let made = linked.classOfRow.init()
                work.append((linked, made))
                return made
            }
        }
        return root
    }
}

extension RealmCore {
    /// Throws if the file is known to be damaged, because the values read may not be those
    /// stored.
    fileprivate func checkUndamaged() throws(InvalidValueError) {
        if store.isDamaged {
            throw InvalidValueError(
                message: "The file \"\(store.path)\" is damaged: restore it from a backup.")
        }
    }
}
