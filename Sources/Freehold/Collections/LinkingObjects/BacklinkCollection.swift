import FreeholdStorage

/// The managed form of a ``LinkingObjects``: the objects that link to one object by one property,
/// in one realm.
///
/// Thread rule: that of its realm. Only the cache of `state` changes, so any number of threads
/// may use a frozen one.
@usableFromInline
final class BacklinkCollection {
    let state: ResultsState
    /// The class of the link target. Owned by the realm, which a ``LinkingObjects`` owns.
    private let unsafeOwner: Unmanaged<ClassBinding>
    /// The position of the property among the computed properties of its class.
    let property: ComputedPosition
    /// The row of the link target. In a draft, it may get another key.
    var key: Int64 { state.core.key(locatedKey, since: generation, in: owner.table) }
    /// Its key when the collection was made.
    let locatedKey: Int64
    private let generation: UInt64

    init(owner: ClassBinding, property: ComputedPosition, key: Int64, _ bound: BoundBacklinks) {
        unsafeOwner = .passUnretained(owner)
        self.property = property
        locatedKey = key
        let core = owner.core
        generation = core.generation
        let origin = core.binding(
            for: ClassReference(type: bound.origin, isDynamic: owner.isDynamic))
        if bound.isCounted {
            let rows = BacklinkRows(
                origin: bound.origin, column: bound.column,
                target: LinkTarget(table: owner.table, key: key))
            state = ResultsState(core: core, binding: origin, from: rows, name: "LinkingObjects")
        } else {
            let links = ScanPredicate.compare(
                ScanPath(column: bound.column), .equal,
                core.link(to: key, in: owner.table))
            state = ResultsState(
                core: core, binding: origin, predicate: links, name: "LinkingObjects")
        }
    }

    var owner: ClassBinding { unsafeOwner.takeUnretainedValue() }

    /// Returns the same collection in another realm of the file.
    func moved(to core: RealmCore) -> BacklinkCollection {
        core.binding(for: owner.reference).backlinks(property, of: key)
    }

    func isSame(as other: BacklinkCollection) -> Bool {
        self === other
            || (key == other.key && property == other.property
                && unsafeOwner.toOpaque() == other.unsafeOwner.toOpaque())
    }
}

/// The position of a computed property in its class. In managed objects, its wrapper holds this
/// in place of a column. Above every column's position.
struct ComputedPosition: Hashable, Sendable {
    let index: Int

    private static let base = 0x8000

    init(index: Int) { self.index = index }

    /// Returns nil for the position of a column.
    init?(wrapper position: Int) {
        guard position >= ComputedPosition.base else { return nil }
        index = position - ComputedPosition.base
    }

    var wrapper: UInt16 { UInt16(ComputedPosition.base + index) }
}

/// Where a file keeps the links that a ``LinkingObjects`` follows backwards.
struct BoundBacklinks: Sendable {
    let origin: ObjectBase.Type
    let column: ColumnID
    /// Whether one row may link to the same object several times.
    let isCounted: Bool

    /// Returns nil if the catalog lacks the linking class, as the catalog of a read-only file
    /// may.
    init?(_ property: PropertyDescriptor, in catalog: Catalog) {
        guard let origin = property.codec.elementTarget,
            let schema = try? ClassSchema.shared(for: origin),
            let linking = property.originPropertyName.flatMap({ schema.property(named: $0) }),
            let definition = catalog[schema.tableName]?[linking.columnName]
        else { return nil }
        self.origin = origin
        column = definition.id
        isCounted = definition.countsBacklinks
    }
}
