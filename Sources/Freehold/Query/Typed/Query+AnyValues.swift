extension Query where T == AnyRealmValue {
    /// The element at a position of a list; nil if the value is none, or shorter.
    public subscript(position: Int) -> Query<AnyRealmValue> { appending(.index(position)) }

    /// The value of a key of a dictionary; nil if the value is none, or does not have it.
    public subscript(key: String) -> Query<AnyRealmValue> { appending(.key(key)) }

    /// The elements of a list or the values of a dictionary; a condition on them asks for any
    /// of them.
    public var any: Query<AnyRealmValue> { appending(.anyElement) }

    private func appending(_ step: PredicateStep) -> Query<AnyRealmValue> {
        Query<AnyRealmValue>(form.appendingSubscript(step))
    }
}
