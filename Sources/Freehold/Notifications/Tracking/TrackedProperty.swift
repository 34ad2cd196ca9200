import FreeholdStorage
import Synchronization

/// A property of an object in the form that Swift's Observation module receives: the subscript
/// argument in a key path of ``PropertyTracking``.
struct TrackedProperty: Hashable, Sendable {
    let table: TableID
    let key: Int64
    /// For a computed property, its position as given by its wrapper. ``ColumnID/existence`` for
    /// the existence of the object.
    let column: ColumnID
    /// For a computed property, the class that its position belongs to. Classes that share a
    /// table may have different computed properties.
    let declaring: ObjectIdentifier?
    /// Notes that the property is hashed; nil in real properties.
    fileprivate var probe: TrackingProbe?

    init(table: TableID, key: Int64, column: ColumnID, of declaring: ObjectIdentifier? = nil) {
        self.table = table
        self.key = key
        self.column = column
        self.declaring = declaring
    }

    static func == (a: TrackedProperty, b: TrackedProperty) -> Bool {
        a.table == b.table && a.key == b.key && a.column == b.column && a.declaring == b.declaring
    }

    func hash(into hasher: inout Hasher) {
        probe?.note()
        hasher.combine(table)
        hasher.combine(key)
        hasher.combine(column)
    }
}

extension ColumnID {
    /// No column: the existence of the object.
    static let existence = ColumnID(rawValue: 0)
}

/// Finds out whether accesses are being tracked, which the Observation module does not tell. The
/// probe reports an access to a property that does not exist; the module hashes it only if it
/// tracks the access.
final class TrackingProbe: Sendable {
    private let count = Atomic<Int>(0)

    /// Notes a hash. Any thread, because tracked properties may be discarded anywhere.
    fileprivate func note() { count.add(1, ordering: .relaxed) }

    /// The nonexistent property to report.
    var property: TrackedProperty {
        var property = TrackedProperty(table: TableID(rawValue: 0), key: .min, column: .existence)
        property.probe = self
        return property
    }

    /// Whether `access` tracks the property. May wrongly be true if another thread discards one
    /// meanwhile.
    @inline(__always)
    func isNoted(_ access: () -> Void) -> Bool {
        let before = count.load(ordering: .relaxed)
        access()
        return count.load(ordering: .relaxed) != before
    }
}
