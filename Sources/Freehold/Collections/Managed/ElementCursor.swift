import FreeholdStorage

/// Reads the values of a managed collection as they were when the cursor was made, one leaf at a
/// time. Only outside of write transactions, where a snapshot never changes.
@usableFromInline
final class ElementCursor<Element: RealmCollectionValue> {
    private let managed: ManagedCollection
    private let codec: any ElementCodec<Element>
    private let stored: StoredCollection
    /// Owns the memory that `stored` points into.
    private let memory: (table: TableView, source: TableSource)
    /// Reports that this cursor keeps the version; nil in a frozen realm, which keeps the version
    /// anyway.
    private let pin: ReaderPin?
    /// The realm's generation when `stored` was found.
    private let birth: UInt64

    init(_ managed: ManagedCollection, _ codec: any ElementCodec<Element>) {
        self.managed = managed
        self.codec = codec
        stored = managed.current("iteration")
        memory = managed.memory
        pin = managed.core.iterationPin()
        birth = managed.core.generation
    }

    /// Returns the elements from a position to the end of their leaf, and moves the position
    /// behind them; nil at the end. Positions are 0 or the ends of leaves.
    func elements(from position: inout Int) -> [Element]? {
        managed.checkConfinement("iteration")
        if position >= stored.count { return nil }
        let leaf = stored.leaf(at: position)
        position = leaf.end
        var part: [Element] = []
        if managed.core.generation == birth {
            codec.append(leaf, managed, to: &part)
        } else {
            managed.core.readsPast = true
            codec.append(leaf, managed, to: &part)
            managed.core.readsPast = false
        }
        return part
    }
}

extension ManagedCollection {
    /// Returns all current elements. O(count).
    func all<Element: RealmCollectionValue>(
        _ codec: any ElementCodec<Element>, _ operation: @autoclosure () -> String
    ) -> [Element] {
        let stored = current(operation())
        var all: [Element] = []
        all.reserveCapacity(stored.count)
        stored.forEachLeaf { leaf in
            codec.append(leaf, self, to: &all)
            return true
        }
        return all
    }
}
