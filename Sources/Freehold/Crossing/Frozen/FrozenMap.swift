/// The entries of a frozen ``Map``, in the order of their keys.
///
/// ```swift
/// let ada = Frozen(person)
/// Task.detached {
///     print(ada.scores["Ada"] ?? 0)                     // a FrozenMap<String, Int>
///     for (name, score) in ada.scores { print(name, score) }
/// }
/// ```
///
/// Nothing is copied: values are read from the file on use. Objects come as ``Frozen`` objects,
/// ``AnyRealmValue``s as ``AnyFrozenValue``.
///
/// Thread rule: any thread, and any number at once.
public struct FrozenMap<Key: _MapKey & Sendable, Value: Sendable>: Sequence, Sendable {
    /// A key with its value.
    public typealias Element = (key: Key, value: Value)

    private let storage: any FrozenMapStorage<Key, Value>

    /// Iterates over the entries.
    public struct Iterator: IteratorProtocol {
        fileprivate let nextEntry: () -> (key: Key, value: Value)?

        /// The next entry, nil after the last one.
        public func next() -> (key: Key, value: Value)? { nextEntry() }
    }

    /// How many entries there are. O(1).
    public var count: Int { storage.count }

    /// Whether there is no entry. O(1).
    public var isEmpty: Bool { storage.count == 0 }

    /// The keys, in order. O(count).
    public var keys: [Key] { storage.keys }

    /// The values, in the order of the keys. O(count).
    public var values: [Value] { map(\.value) }

    /// The value of a key, nil if there is none. O(log count).
    public subscript(key: Key) -> Value? { storage.value(of: key) }

    /// Iterates over the entries. O(count) at the beginning.
    public func makeIterator() -> Iterator { Iterator(nextEntry: storage.makeNext()) }
}

@available(*, unavailable, message: "An iterator belongs to the loop that made it.")
extension FrozenMap.Iterator: Sendable {}

/// A frozen map, with the conversion of its values to a `Sendable` form.
private protocol FrozenMapStorage<Key, Value>: Sendable {
    associatedtype Key
    associatedtype Value

    var count: Int { get }
    var keys: [Key] { get }
    var description: String { get }
    /// The frozen map.
    var base: Any { get }
    func value(of key: Key) -> Value?
    func makeNext() -> () -> (key: Key, value: Value)?
}

private struct MapStorage<Key: _MapKey, Stored: RealmCollectionValue, Value>: FrozenMapStorage,
    @unchecked Sendable
{
    // @unchecked: the map is frozen, and the conversion is a function without state.
    let map: Map<Key, Stored>
    let convert: (Stored) -> Value

    var count: Int { map.count }
    var keys: [Key] { map.keys }
    var description: String { map.description }
    var base: Any { map }
    func value(of key: Key) -> Value? { map[key].map(convert) }

    func makeNext() -> () -> (key: Key, value: Value)? {
        var entries = map.sortedEntries.makeIterator()
        return { entries.next().map { ($0.key, convert($0.value)) } }
    }
}

extension FrozenMap {
    /// The entries of a frozen map of values.
    init(frozen map: Map<Key, Value>) where Value: RealmCollectionValue {
        storage = MapStorage(map: map, convert: { $0 })
    }

    /// The entries of a frozen map of objects.
    init<Target: ObjectBase & ThreadConfined>(objects map: Map<Key, Target?>)
    where Value == Frozen<Target>? {
        storage = MapStorage(map: map, convert: { $0.map { Frozen(frozen: $0) } })
    }
}

extension FrozenMap where Value == AnyFrozenValue {
    /// The entries of a frozen map of ``AnyRealmValue``s.
    init(anyValues map: Map<Key, AnyRealmValue>) {
        storage = MapStorage(map: map, convert: { AnyFrozenValue(frozen: $0) })
    }
}

extension FrozenMap where Key == String, Value == AnyFrozenValue {
    /// The map as an ``AnyRealmValue``.
    var anyValue: AnyRealmValue {
        (storage.base as? Map<String, AnyRealmValue>).map { .dictionary($0) } ?? .none
    }
}

extension FrozenMap: Equatable where Value: Equatable {
    /// Whether both have the same keys with equal values. O(count).
    public static func == (a: FrozenMap, b: FrozenMap) -> Bool { a.elementsEqual(b) { $0 == $1 } }
}

extension FrozenMap: Hashable where Value: Hashable {
    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        for (key, value) in self {
            hasher.combine(key)
            hasher.combine(value)
        }
    }
}

extension FrozenMap: CustomStringConvertible {
    /// The map's own description.
    public var description: String { storage.description }
}

extension FrozenMap: Encodable {
    /// Encodes the entries as a dictionary; see ``ConfinedEncodable``.
    ///
    /// - Throws: What the encoder throws; `EncodingError` if objects are nested too deeply
    ///   (``ConfinedEncodable``).
    public func encode(to encoder: any Encoder) throws {
        try EncodedValue(storage.base).encode(to: encoder)
    }
}
