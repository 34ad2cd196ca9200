/// An element of an iteration over a map. Do not conform your own types.
public protocol _RealmMapValue {
    /// The type of the keys.
    associatedtype Key: _MapKey
    /// The type of the values.
    associatedtype Value: RealmCollectionValue
    /// The key of the entry in its map.
    var key: Key { get }
    /// The value under the key.
    var value: Value { get }
}

/// A key of a map with its value.
///
/// Thread rule: belongs to its map.
public struct SingleMapEntry<Key: _MapKey, Value: RealmCollectionValue>: _RealmMapValue, Hashable {
    /// The key of the entry in its map.
    public var key: Key
    /// The value under the key.
    public var value: Value

    /// Makes an entry that belongs to no map.
    public init(key: Key, value: Value) {
        self.key = key
        self.value = value
    }
}

@available(
    *, unavailable,
    message: """
        An entry's value may be an object, which belongs to one thread, queue or actor: \
        pass what it holds.
        """
)
extension SingleMapEntry: Sendable {}

/// A position among a map's entries.
///
/// Thread rule: a plain value; use it anywhere.
public struct MapIndex: Hashable, Sendable {
    /// The number of entries in front.
    public var offset: UInt

    /// Makes the position that has the given number of entries in front.
    public init(offset: UInt) { self.offset = offset }
}

/// Iterates over the entries that a map had when the iterator was made.
///
/// Thread rule: confined like the map.
public struct RLMMapIterator<Element: _RealmMapValue>: IteratorProtocol {
    private var base: IndexingIterator<[Element]>

    init(_ entries: [Element]) { base = entries.makeIterator() }

    /// The next entry, nil after the last one. O(1).
    public mutating func next() -> Element? { base.next() }
}

@available(*, unavailable, message: "Iterators belong to their map.")
extension RLMMapIterator: Sendable {}

/// A map's entries as pairs of key and value.
///
/// Thread rule: confined like the map.
public struct KeyValueSequence<Key: _MapKey, Value: RealmCollectionValue>: Sequence {
    private let map: Map<Key, Value>

    init(_ map: Map<Key, Value>) { self.map = map }

    /// Iterates over the entries that the map has at this moment. The loop may change the map.
    /// O(count log count) at the start.
    public func makeIterator() -> RLMKeyValueIterator<Key, Value> {
        RLMKeyValueIterator(map.sortedEntries)
    }
}

@available(*, unavailable, message: "The sequence belongs to its map.")
extension KeyValueSequence: Sendable {}

/// Iterates over a map's entries as pairs of key and value.
///
/// Thread rule: confined like the map.
public struct RLMKeyValueIterator<Key: _MapKey, Value: RealmCollectionValue>: IteratorProtocol {
    private var base: IndexingIterator<[(key: Key, value: Value)]>

    init(_ entries: [(key: Key, value: Value)]) { base = entries.makeIterator() }

    /// The next entry, nil after the last one. O(1).
    public mutating func next() -> (key: Key, value: Value)? { base.next() }
}

@available(*, unavailable, message: "Iterators belong to their map.")
extension RLMKeyValueIterator: Sendable {}
