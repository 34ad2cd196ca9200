import FreeholdStorage

/// Iterates over a collection.
///
/// The iterator gives the elements that the collection held when it was made, in the order of
/// that time. Objects that were added meanwhile are left out, and deleted objects come
/// invalidated. Objects that stopped satisfying the collection's query still come.
///
/// Values that a ``CustomPersistable`` makes of embedded objects are all made at the beginning.
///
/// Thread rule: confined like the collection.
@frozen public struct RLMIterator<Element: RealmCollectionValue>: IteratorProtocol {
    /// Walks over rows; nil for an unmanaged collection.
    @usableFromInline var cursor: RowCursor?
    /// Reads the values of a managed collection that are not in `elements` yet.
    @usableFromInline var source: ElementCursor<Element>?
    /// The next position to read from `source`. It is here and not in the cursor, so that copies
    /// of the iterator advance independently.
    @usableFromInline var position = 0
    /// The elements of an unmanaged collection, as they were when the iterator was made; in a
    /// managed collection, the part of its elements being read.
    @usableFromInline var elements: IndexingIterator<[Element]>

    init(cursor: RowCursor) {
        self.cursor = cursor
        elements = [].makeIterator()
    }

    init(elements: [Element]) { self.elements = elements.makeIterator() }

    /// Converts the objects of a walk, all at once: an object deleted during a loop could not be
    /// converted later. O(objects).
    static func converted(_ cursor: RowCursor) -> [Element] {
        var iterator = RLMIterator(cursor: cursor)
        var elements: [Element] = []
        while let element = iterator.next() { elements.append(element) }
        return elements
    }

    /// Makes an iterator over a managed collection.
    init(_ managed: ManagedCollection, _ codec: any ElementCodec<Element>) {
        if Element._convertsObjects {
            elements = managed.all(codec, "iteration").makeIterator()
            return
        } else if let target = codec.reference, managed.shape != .map {
            cursor = RowCursor(
                managed.keys("iteration"), of: managed.core.binding(for: target),
                "iteration over \(managed.title)")
        } else if managed.core.uncommitted != nil {
            // Copied: the open transaction may change the elements before the first one is read.
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
