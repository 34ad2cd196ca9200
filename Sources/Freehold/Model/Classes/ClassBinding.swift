import FreeholdStorage
import Observation

/// One model class in one realm: which table and columns its properties are.
///
/// Owned by its ``RealmCore`` (strongly), which it refers back to without owning. Confined like
/// it; a frozen core's bindings are not written after they were made.
///
/// A class that was asked for dynamically has a second binding (`isDynamic`) with the same table,
/// columns and schema, whose accessors are ``DynamicObject``s. These have no wrappers, so codecs
/// are given a stand-in that holds the column.
final class ClassBinding {
    /// Owns this binding, so it is there as long as this is.
    unowned(unsafe) let core: RealmCore
    let schema: ClassSchema
    /// Whether the objects of this binding are ``DynamicObject``s, for which the class's memory
    /// layout means nothing.
    let isDynamic: Bool
    let table: TableID
    /// The column of each property, by the property's ordinal.
    let columns: [ColumnID]
    /// Where the links of each computed property are; nil where the file lacks the class that
    /// links.
    let backlinks: [BoundBacklinks?]
    /// Whether the value of the primary key is the row key.
    let usesPrimaryKeyAsRowKey: Bool
    /// How the elements of collections are read and written, by the position of the column.
    let elementDescriptors: [AnyElementDescriptor?]
    /// Where the wrappers of collections begin in an instance, by the position of the column; 0
    /// for all other columns, and where instances have no wrappers.
    let collectionOffsets: [Int]
    /// Makes the objects of this class.
    let accessors: AccessorTemplate
    /// The position of the primary key's column; 0 if there is none.
    let primaryKeyPosition: UInt16
    /// What reads of the objects compare: the realm's gate, or the one whose reads are tracked.
    /// Owned by `core`.
    let gate: UnsafeMutablePointer<ConfinementGate>

    init(core: RealmCore, bound: BoundClass, isDynamic: Bool = false) {
        self.core = core
        schema = bound.schema
        self.isDynamic = isDynamic
        table = bound.table
        columns = bound.columns
        backlinks = bound.backlinks
        usesPrimaryKeyAsRowKey = bound.usesPrimaryKeyAsRowKey
        elementDescriptors = bound.elementDescriptors
        collectionOffsets = isDynamic ? [] : bound.collectionOffsets
        accessors = isDynamic ? AccessorTemplate.dynamic : bound.accessors
        primaryKeyPosition = bound.schema.primaryKey.map { bound.columns[$0].rawValue } ?? 0
        gate =
            !core.isFrozen && !isDynamic && bound.schema.type is any Observable.Type
            ? core.trackedGate : core.gate
    }

    /// What ``nowhere()`` gives, once it was asked for. Protected by a lock that all bindings
    /// share.
    @exclusivity(unchecked) var absentRow: ClusterView?

    /// The table in the open transaction; forgotten at its end.
    @exclusivity(unchecked) private var mutableTable: MutableTable?
    /// The table in the snapshot that is read; forgotten when the realm moves on.
    @exclusivity(unchecked) private var snapshotTable: TableView?
    /// The keys that the realm handed out in the table, once one is needed. Live cores only.
    @exclusivity(unchecked) private var handedOutKeys: HandedOutKeys?
    /// What queries of the class have in common with the next ones. Live cores only: a call that
    /// changes it is an access to write, which several threads must not have at once.
    @exclusivity(unchecked) var loweredQueries = LoweredQueries()

    /// The classes that links lead to, by the column's position, once one was followed. Owned
    /// by `core`. Live cores only.
    @exclusivity(unchecked) private var linkTargets: ContiguousArray<Unmanaged<ClassBinding>?> = []

    func noteLinkTarget(_ target: ClassBinding, of column: Int) {
        if core.isFrozen { return }
        if linkTargets.isEmpty {
            linkTargets = .init(
                repeating: nil, count: Int(columns.reduce(0) { max($0, $1.rawValue) }) + 1)
        }
        linkTargets[column] = .passUnretained(target)
    }

    /// The object that a link leads to, where everything on the way is at hand; nil where it
    /// has to be looked for.
    ///
    /// A link's far end lies in memory that nobody affected: the values of its row are asked for
    /// before the object is made, and are on their way meanwhile.
    @inline(__always)
    func followQuickly(_ column: Int, to key: Int64) -> ObjectBase? {
        guard column < linkTargets.count, let target = linkTargets[column] else { return nil }
        return target._withUnsafeGuaranteedRef { target in
            guard let table = target.unsafeKnownTable,
                let place = table._withUnsafeGuaranteedRef({ $0.unsafeLocate(key) })
            else { return nil }
            return place.cluster._withUnsafeGuaranteedRef { cluster in
                Prefetch.row(place.row, in: cluster.readyColumns, count: cluster.columnCount)
                return target.makeAccessor(key: key, cluster: cluster, row: place.row)
            }
        }
    }

    /// The table in the open write transaction. O(1).
    @inline(__always)
    func mutableTable(in writeSet: WriteSet) -> MutableTable {
        if let mutableTable { return mutableTable }
        let found = writeSet.mutableTable(table)
        mutableTable = found
        return found
    }

    /// The table in the realm's current snapshot. O(1). Live cores only.
    @inline(__always)
    func snapshotTable(in snapshot: @autoclosure () -> Snapshot) -> TableView {
        if let snapshotTable { return snapshotTable }
        let found = snapshot().table(table)
        snapshotTable = found
        return found
    }

    /// The table in what the realm reads now, if it was asked for since the realm last moved.
    /// Live cores only.
    @inline(__always)
    var knownTable: TableView? { unsafeKnownTable?.takeUnretainedValue() }

    /// As ``knownTable``, for one who makes sure that the realm does not move while it is used.
    @inline(__always)
    var unsafeKnownTable: Unmanaged<TableView>? {
        if let snapshotTable { return .passUnretained(snapshotTable) }
        if let mutableTable { return .passUnretained(mutableTable) }
        return nil
    }

    /// Called whenever the realm's snapshot or transaction was exchanged.
    func forgetTables() {
        mutableTable = nil
        snapshotTable = nil
        knownAllObjects = nil
        if !knownBacklinks.isEmpty { knownBacklinks.removeAll(keepingCapacity: true) }
    }

    /// Of each computed property a few collections that were asked for last, each in the place
    /// that its key says, so that to ask some objects again and again neither allocates nor
    /// forgets what was counted. Live cores only.
    @exclusivity(unchecked) private var knownBacklinks: ContiguousArray<BacklinkCollection?> = []

    /// How many collections of one property are kept at most. A power of two.
    private static let knownBacklinkCount = 8

    private static func knownBacklinkPlace(_ property: ComputedPosition, of key: Int64) -> Int {
        property.index &* knownBacklinkCount &+ Int(truncatingIfNeeded: key)
            & (knownBacklinkCount &- 1)
    }

    /// Whether the file has the class that a computed property's links come from.
    @inline(__always)
    func hasBacklinks(_ property: ComputedPosition) -> Bool { backlinks[property.index] != nil }

    /// The objects that link to a row. O(1). The file has their class (``hasBacklinks(_:)``).
    @inline(__always)
    func backlinks(_ property: ComputedPosition, of key: Int64) -> BacklinkCollection {
        let place = Self.knownBacklinkPlace(property, of: key)
        if place < knownBacklinks.count, let known = knownBacklinks[place], known.key == key {
            return known
        }
        return makeBacklinks(property, of: key)
    }

    @inline(never)
    private func makeBacklinks(_ property: ComputedPosition, of key: Int64) -> BacklinkCollection {
        guard let bound = backlinks[property.index] else {
            preconditionFailure("The caller made sure that the class is there.")
        }
        let made = BacklinkCollection(owner: self, property: property, key: key, bound)
        if core.isFrozen { return made }
        if knownBacklinks.isEmpty {
            knownBacklinks = .init(repeating: nil, count: backlinks.count * Self.knownBacklinkCount)
        }
        knownBacklinks[Self.knownBacklinkPlace(property, of: key)] = made
        return made
    }

    /// See ``allObjects``. Nil in a frozen core, where several threads would write it.
    @exclusivity(unchecked) private var knownAllObjects: ResultsState?

    /// The collection of all objects of the class. O(1), and without an allocation until the
    /// realm moves.
    var allObjects: ResultsState {
        if let knownAllObjects { return knownAllObjects }
        let made = ResultsState(core: core, binding: self)
        if !core.isFrozen { knownAllObjects = made }
        return made
    }

    /// A key for a new row of a class whose primary key is not the row key. O(1).
    func unusedRowKey(in table: MutableTable) -> RowKey { claimKey(atLeast: table.nextRowKey()) }

    /// A key that this realm did not hand out before. O(1).
    func claimKey(atLeast next: RowKey) -> RowKey {
        if let handedOutKeys { return handedOutKeys.claim(atLeast: next) }
        let keys = core.handedOutKeys(of: table)
        handedOutKeys = keys
        return keys.claim(atLeast: next)
    }
}
