import FreeholdStorage

extension Query where T: _HasPersistedType, T.PersistedType: _QueryBinary {
    fileprivate func search(
        _ operation: PredicateComparison.Operation, _ value: T, _ options: StringOptions
    ) -> Query<Bool> {
        Query<Bool>(form.compared(operation, .constant(PredicateConstant(value)), options))
    }

    fileprivate func search<Other>(
        _ operation: PredicateComparison.Operation, _ column: Query<Other>, _ options: StringOptions
    ) -> Query<Bool> { Query<Bool>(form.compared(operation, column.form, options)) }

    /// Whether the property contains the value. False if either is nil, or if the value is empty.
    public func contains(_ value: T, options: StringOptions = []) -> Query<Bool> {
        search(.text(.contains), value, options)
    }

    /// Whether the property contains the value of another property of the object. False if
    /// either is nil, or if the other is empty.
    ///
    /// - Parameters:
    ///   - column: The other property.
    ///   - options: Whether case and diacritics are ignored.
    public func contains<Other>(_ column: Query<Other>, options: StringOptions = []) -> Query<Bool>
    where Other: _Persistable, Other.PersistedType: _QueryBinary {
        search(.text(.contains), column, options)
    }

    /// Whether the property begins with the value. False if either is nil, or if the value is
    /// empty.
    public func starts(with value: T, options: StringOptions = []) -> Query<Bool> {
        search(.text(.beginsWith), value, options)
    }

    /// Whether the property begins with the value of another property of the object. False if
    /// either is nil, or if the other is empty.
    public func starts<Other>(with column: Query<Other>, options: StringOptions = []) -> Query<Bool>
    { search(.text(.beginsWith), column, options) }

    /// Whether the property ends with the value. False if either is nil, or if the value is empty.
    public func ends(with value: T, options: StringOptions = []) -> Query<Bool> {
        search(.text(.endsWith), value, options)
    }

    /// Whether the property ends with the value of another property of the object. False if
    /// either is nil, or if the other is empty.
    public func ends<Other>(with column: Query<Other>, options: StringOptions = []) -> Query<Bool> {
        search(.text(.endsWith), column, options)
    }

    /// Whether the property equals the value. Nil equals nil.
    public func equals(_ value: T, options: StringOptions = []) -> Query<Bool> {
        search(.equal, value, options)
    }

    /// Whether the property equals another property of the object. Nil equals nil.
    public func equals<Other>(_ column: Query<Other>, options: StringOptions = []) -> Query<Bool> {
        search(.equal, column, options)
    }

    /// Whether the property differs from the value. Nil differs from every value.
    public func notEquals(_ value: T, options: StringOptions = []) -> Query<Bool> {
        search(.notEqual, value, options)
    }

    /// Whether the property differs from another property of the object. Nil differs from every
    /// value.
    public func notEquals<Other>(_ column: Query<Other>, options: StringOptions = []) -> Query<Bool>
    { search(.notEqual, column, options) }
}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryString {
    /// Whether the whole text matches the pattern: `*` matches any text, `?` one character. False
    /// if it is nil.
    public func like(_ value: T, caseInsensitive: Bool = false) -> Query<Bool> {
        search(.text(.like), value, caseInsensitive ? .caseInsensitive : [])
    }

    /// Whether the whole text matches the pattern in another property of the object. False if
    /// either is nil.
    public func like<Other>(_ column: Query<Other>, caseInsensitive: Bool = false) -> Query<Bool> {
        search(.text(.like), column, caseInsensitive ? .caseInsensitive : [])
    }
}
