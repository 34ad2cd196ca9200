public import Dispatch

/// The interface of ``Map`` for generic code: values by keys, confined to their realm's thread,
/// queue or actor.
public protocol RealmKeyedCollection: Sequence, ThreadConfined, CustomStringConvertible {
    /// The type of the keys.
    associatedtype Key: _MapKey
    /// The type of the values.
    associatedtype Value: RealmCollectionValue

    /// How many entries there are.
    var count: Int { get }

    /// The entries as text.
    var description: String { get }

    /// The keys, in ascending order of their UTF-8.
    var keys: [Key] { get }

    /// The values, in the order of the keys.
    var values: [Value] { get }

    /// The value of a key, nil if there is none. Assigning nil removes the entry.
    subscript(key: Key) -> Value? { get set }

    /// Sets the value of a key, in a write transaction if the map is managed.
    func updateValue(_ value: Value, forKey key: Key)

    /// Removes the entry of a key, if there is one.
    func removeObject(for key: Key)

    /// Removes all entries.
    func removeAll()

    /// The value of a key, nil if there is none.
    func value(forKey key: String) -> Any?

    /// Whether any entry satisfies a condition. O(count).
    func contains(where predicate: (_ key: Key, _ value: Value) throws -> Bool) rethrows -> Bool

    /// Sets the value of a key, from a value of any type.
    func setValue(_ value: Any?, forKey key: String)

    /// The values that satisfy a query, as a live collection.
    func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value>

    /// The values that satisfy a predicate, as a live collection.
    func filter(_ predicate: RealmPredicate) -> Results<Value>

    /// The values in the order of the given properties, as a live collection.
    func sorted<Descriptors: Sequence>(by sortDescriptors: Descriptors) -> Results<Value>
    where Descriptors.Element == SortDescriptor

    /// The smallest value of a property; nil without values that have one.
    func min<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: MinMaxType

    /// The greatest value of a property; nil without values that have one.
    func max<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: MinMaxType

    /// The sum of a property; 0 without values.
    func sum<T: _HasPersistedType>(ofProperty property: String) -> T
    where T.PersistedType: AddableType

    /// The mean of a property; nil without values that have one.
    func average<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: AddableType

    /// Calls a block with the current contents soon, and then with every change. See
    /// ``Map/observe(keyPaths:_:)``.
    func observe(keyPaths: [String]?, _ block: @escaping (RealmMapChange<Self>) -> Void)
        -> NotificationToken

    /// As `observe(keyPaths:_:)`, on a serial queue. See ``Map/observe(keyPaths:on:_:)``.
    func observe(
        keyPaths: [String]?, on queue: DispatchQueue?,
        _ block: @escaping @Sendable (RealmMapChange<Self>) -> Void
    ) -> NotificationToken

    /// Returns the map in the version that its realm reads, for any thread.
    func freeze() -> Self
}

extension RealmKeyedCollection {
    /// Returns the values in the order of one property, given by its name or by a path over
    /// to-one links. Traps for maps that no realm manages.
    public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Value> {
        sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
    }
}

extension RealmKeyedCollection where Value.PersistedType: SortableType {
    /// Returns the values in order, as a live collection. Traps for maps that no realm manages.
    public func sorted(ascending: Bool = true) -> Results<Value> {
        sorted(byKeyPath: "self", ascending: ascending)
    }
}

// MARK: - Aggregates of values that are not objects

extension RealmKeyedCollection where Value.PersistedType: MinMaxType {
    /// The smallest value; nil without entries. O(count).
    public func min() -> Value? { min(ofProperty: "self") }

    /// The greatest value; nil without entries. O(count).
    public func max() -> Value? { max(ofProperty: "self") }
}

extension RealmKeyedCollection
where
    Value: OptionalProtocol, Value.PersistedType: MinMaxType, Value.Wrapped: _HasPersistedType,
    Value.Wrapped.PersistedType: MinMaxType
{
    /// The smallest value that is not nil; nil without such values. O(count).
    public func min() -> Value.Wrapped? { min(ofProperty: "self") }

    /// The greatest value that is not nil; nil without such values. O(count).
    public func max() -> Value.Wrapped? { max(ofProperty: "self") }
}

extension RealmKeyedCollection where Value.PersistedType: AddableType {
    /// The sum of the values; 0 without entries. O(count). Traps if the sum does not fit.
    public func sum() -> Value { sum(ofProperty: "self") }

    /// Returns the mean of the values; nil without entries. O(count).
    ///
    /// The mean is truncated if `T` is an integer type; for the fraction, ask for a `Double`.
    public func average<T: _HasPersistedType>() -> T? where T.PersistedType: AddableType {
        average(ofProperty: "self")
    }
}

extension RealmKeyedCollection
where
    Value: OptionalProtocol, Value.PersistedType: AddableType, Value.Wrapped: _HasPersistedType,
    Value.Wrapped.PersistedType: AddableType
{
    /// The sum of the values that are not nil; 0 without such values. O(count). Traps if the
    /// sum does not fit.
    public func sum() -> Value.Wrapped { sum(ofProperty: "self") }
}
