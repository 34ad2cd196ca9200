/// Iterates over a collection.
///
/// It gives the elements that the collection held when the iterator was made, in the
/// collection's order at that time, whatever happens in between: objects that were added
/// meanwhile do not come, objects that were deleted come invalidated, and objects that no
/// longer satisfy the collection's query come nevertheless. Values that a ``CustomPersistable``
/// makes of embedded objects are all made at the beginning.
///
/// Thread rule: confined like the collection.
@frozen public struct RLMIterator<Element: RealmCollectionValue>: IteratorProtocol {
    /// Walks over rows; nil for a collection that no realm manages.
    @usableFromInline var cursor: RowCursor?
    /// Reads the values of a managed collection that are not in `elements` yet.
    @usableFromInline var source: ElementCursor<Element>?
    /// Where `source` goes on. Here and not in the cursor, so that a copy of the iterator goes
    /// its own way.
    @usableFromInline var position = 0
    /// The elements of an unmanaged collection, as they were when the iterator was made, or
    /// some of a managed one's.
    @usableFromInline var elements: IndexingIterator<[Element]>

    init(cursor: RowCursor) {
        self.cursor = cursor
        elements = [].makeIterator()
    }

    init(elements: [Element]) { self.elements = elements.makeIterator() }

    /// What is made of the objects of a walk, all at once: those that are deleted during a loop
    /// could not be converted later. O(objects).
    static func converted(_ cursor: RowCursor) -> [Element] {
        var iterator = RLMIterator(cursor: cursor)
        var elements: [Element] = []
        while let element = iterator.next() { elements.append(element) }
        return elements
    }

    /// Over a collection of a realm.
    init(_ managed: ManagedCollection, _ codec: any ElementCodec<Element>) {
        if Element._convertsObjects {
            elements = managed.all(codec, "iteration").makeIterator()
            return
        } else if let target = codec.reference, managed.shape != .map {
            cursor = RowCursor(
                managed.keys("iteration"), of: managed.core.binding(for: target),
                "iteration over \(managed.title)")
        } else if managed.core.uncommitted != nil {
            // What a transaction shows may change before the first element is asked for.
            elements = managed.all(codec, "iteration").makeIterator()
            return
        } else {
            source = ElementCursor(managed, codec)
        }
        elements = [].makeIterator()
    }

    /// The next element, nil after the last one. O(1), amortised.
    @inlinable
    public mutating func next() -> Element? {
        if cursor == nil { return elements.next() ?? nextPart() }
        guard let object = cursor?.next() else { return nil }
        return Element._element(object)
    }

    @usableFromInline
    mutating func nextPart() -> Element? {
        guard let part = source?.elements(from: &position) else { return nil }
        elements = part.makeIterator()
        return elements.next()
    }
}

@available(
    *, unavailable, message: "Iterators are confined to their realm's thread, queue or actor."
)
extension RLMIterator: Sendable {}
