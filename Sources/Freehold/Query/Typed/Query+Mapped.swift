// Enums and types of the program, as their stored types. The collection type of a result only
// determines the operations that it has.

extension Query where T: PersistableEnum {
    /// The enum's raw value, for conditions that no case of the enum can express.
    public var rawValue: Query<T.RawValue> { Query<T.RawValue>(form) }
}

extension Query where T: OptionalProtocol, T.Wrapped: PersistableEnum {
    /// The enum's raw value, for conditions that no case of the enum can express.
    public var rawValue: Query<T.Wrapped.RawValue?> { Query<T.Wrapped.RawValue?>(form) }
}

extension Query
where T: RealmCollection, T.Element: PersistableEnum, T.Element.RawValue: RealmCollectionValue {
    /// The raw values of the enums in the collection.
    public var rawValue: Query<AnyRealmCollection<T.Element.RawValue>> {
        Query<AnyRealmCollection<T.Element.RawValue>>(form)
    }
}

extension Query
where
    T: RealmCollection, T.Element: OptionalProtocol, T.Element.Wrapped: PersistableEnum,
    T.Element.Wrapped.RawValue: _RealmCollectionValueInsideOptional
{
    /// The raw values of the enums in the collection.
    public var rawValue: Query<AnyRealmCollection<T.Element.Wrapped.RawValue?>> {
        Query<AnyRealmCollection<T.Element.Wrapped.RawValue?>>(form)
    }
}

extension Query
where T: RealmKeyedCollection, T.Value: PersistableEnum, T.Value.RawValue: RealmCollectionValue {
    /// The raw values of the enums in the map.
    public var rawValue: Query<Map<T.Key, T.Value.RawValue>> {
        Query<Map<T.Key, T.Value.RawValue>>(form)
    }
}

extension Query
where
    T: RealmKeyedCollection, T.Value: OptionalProtocol, T.Value.Wrapped: PersistableEnum,
    T.Value.Wrapped.RawValue: _RealmCollectionValueInsideOptional
{
    /// The raw values of the enums in the map.
    public var rawValue: Query<Map<T.Key, T.Value.Wrapped.RawValue?>> {
        Query<Map<T.Key, T.Value.Wrapped.RawValue?>>(form)
    }
}

extension Query where T: _HasPersistedType {
    /// The value in its stored type: the mapped type of a type of the program, or an enum's raw
    /// value.
    // Disfavoured: a collection is stored as itself, so its elements are converted instead.
    @_disfavoredOverload
    public var persistableValue: Query<T.PersistedType> { Query<T.PersistedType>(form) }
}

extension Query where T: RealmCollection {
    /// The elements in their stored type.
    public var persistableValue: Query<AnyRealmCollection<T.Element.PersistedType>> {
        Query<AnyRealmCollection<T.Element.PersistedType>>(form)
    }
}

extension Query where T: RealmKeyedCollection {
    /// The values in their stored type.
    public var persistableValue: Query<Map<T.Key, T.Value.PersistedType>> {
        Query<Map<T.Key, T.Value.PersistedType>>(form)
    }
}
