import FreeholdStorage
import Synchronization

/// A property of an object as Swift's Observation module is told of it: what stands in the
/// brackets of a key path of ``PropertyTracking``.
struct TrackedProperty: Hashable, Sendable {
    let table: TableID
    let key: Int64
    /// Of a computed property: its position as its wrapper has it. ``ColumnID/existence`` for
    /// whether there is the object.
    let column: ColumnID
    /// Of a computed property: its class, which counts them. Classes that share a table may
    /// have different ones.
    let declaring: ObjectIdentifier?
    /// Notes that the property is hashed; nil in real ones.
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
    /// No column: whether the object is there.
    static let existence = ColumnID(rawValue: 0)
}

/// Finds out whether accesses are being tracked, which the Observation module does not tell: it
/// is told of an access to a property that nobody has, and hashes that if it takes note of it.
final class TrackingProbe: Sendable {
    private let count = Atomic<Int>(0)

    /// Any thread: what was tracked may be forgotten anywhere.
    fileprivate func note() { count.add(1, ordering: .relaxed) }

    /// The property to be told of.
    var property: TrackedProperty {
        var property = TrackedProperty(table: TableID(rawValue: 0), key: .min, column: .existence)
        property.probe = self
        return property
    }

    /// Whether `access` takes note of the property. True at times where it does not, if another
    /// thread forgets one meanwhile.
    @inline(__always)
    func isNoted(_ access: () -> Void) -> Bool {
        let before = count.load(ordering: .relaxed)
        access()
        return count.load(ordering: .relaxed) != before
    }
}
