import FreeholdStorage

/// The objects that link to one object by one property, in one realm: what a managed
/// ``LinkingObjects`` is.
///
/// Thread rule: that of its realm. Immutable but for what `state` keeps, so a frozen one may be
/// used from any number of threads.
@usableFromInline
final class BacklinkCollection {
    let state: ResultsState
    /// The class of the object that is linked to. Owned by the realm, which a
    /// ``LinkingObjects`` owns.
    private let unsafeOwner: Unmanaged<ClassBinding>
    /// Which of the class's properties it is.
    let property: ComputedPosition
    /// The row that is linked to.
    let key: Int64

    init(owner: ClassBinding, property: ComputedPosition, key: Int64, _ bound: BoundBacklinks) {
        unsafeOwner = .passUnretained(owner)
        self.property = property
        self.key = key
        let core = owner.core
        let origin = core.binding(
            for: ClassReference(type: bound.origin, isDynamic: owner.isDynamic))
        if bound.isCounted {
            let rows = BacklinkRows(
                origin: bound.origin, column: bound.column,
                target: LinkTarget(table: owner.table, key: key))
            state = ResultsState(core: core, binding: origin, from: rows, name: "LinkingObjects")
        } else {
            let links = ScanPredicate.compare(
                ScanPath(column: bound.column), .equal, .link(RowKey(rawValue: key)))
            state = ResultsState(
                core: core, binding: origin, predicate: links, name: "LinkingObjects")
        }
    }

    var owner: ClassBinding { unsafeOwner.takeUnretainedValue() }

    /// The same object's in another realm of the file.
    func moved(to core: RealmCore) -> BacklinkCollection {
        core.binding(for: owner.reference).backlinks(property, of: key)
    }

    func isSame(as other: BacklinkCollection) -> Bool {
        self === other
            || (key == other.key && property == other.property
                && unsafeOwner.toOpaque() == other.unsafeOwner.toOpaque())
    }
}

/// Which of a class's computed properties: what their wrappers hold in managed objects in the
/// place of a column. Above every column's position.
struct ComputedPosition: Hashable, Sendable {
    let index: Int

    private static let base = 0x8000

    init(index: Int) { self.index = index }

    /// Nil for the position of a column.
    init?(wrapper position: Int) {
        guard position >= ComputedPosition.base else { return nil }
        index = position - ComputedPosition.base
    }

    var wrapper: UInt16 { UInt16(ComputedPosition.base + index) }
}

/// Where a file keeps the links that a ``LinkingObjects`` follows back.
struct BoundBacklinks: Sendable {
    let origin: ObjectBase.Type
    let column: ColumnID
    /// Whether a row may link to the same one several times.
    let isCounted: Bool

    /// Nil if the catalog lacks the class that links, as that of a read-only file may.
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
