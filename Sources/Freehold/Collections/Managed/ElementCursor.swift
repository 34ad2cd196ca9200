import FreeholdStorage

/// Walks over the elements that a managed collection of values had at the start, a leaf at a time.
///
/// A snapshot never changes, so outside of a write transaction the leaves are read when the walk comes to them; inside of one, all elements are read at the
/// start.
@usableFromInline
final class ElementCursor<Element: RealmCollectionValue> {
    private let managed: ManagedElements
    private let codec: any ElementCodec<Element>
    private let elements: Elements
    private let memory: (table: TableView?, source: TableSource)
    private var position = 0
    private var isOver: Bool

    init(_ managed: ManagedElements, _ codec: any ElementCodec<Element>) {
        self.managed = managed
        self.codec = codec
        elements = managed.current("iteration")
        memory = managed.memory
        isOver = false
    }

    /// The next elements; nil at the end.
    @usableFromInline
    func next() -> [Element]? {
        managed.checkConfinement("iteration")
        if isOver || position >= elements.count { return nil }
        var next: [Element] = []
        if managed.core.uncommitted == nil || position > 0 {
            let leaf = elements.leaf(at: position)
            codec.append(leaf, managed.core, to: &next)
            position = leaf.end
        } else {
            next.reserveCapacity(elements.count)
            elements.forEachLeaf { leaf in
                codec.append(leaf, managed.core, to: &next)
                return true
            }
            isOver = true
        }
        return next
    }
}
