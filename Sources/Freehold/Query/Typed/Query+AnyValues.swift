extension Query where T == AnyRealmValue {
    /// The element at a position of a list; nil if the value is not a list, or is shorter.
    public subscript(position: Int) -> Query<AnyRealmValue> { appending(.index(position)) }

    /// The value of a key of a dictionary; nil if the value is not a dictionary, or does not have
    /// the key.
    public subscript(key: String) -> Query<AnyRealmValue> { appending(.key(key)) }

    /// The elements of a list or the values of a dictionary. A condition on them holds if it
    /// holds for any of them.
    public var any: Query<AnyRealmValue> { appending(.anyElement) }

    private func appending(_ step: PredicateStep) -> Query<AnyRealmValue> {
        Query<AnyRealmValue>(form.appendingSubscript(step))
    }
}
