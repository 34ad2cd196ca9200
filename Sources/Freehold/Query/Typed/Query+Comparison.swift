extension QueryForm {
    @inline(__always)
    func compared(_ operation: PredicateComparison.Operation, _ constant: PredicateConstant)
        -> QueryForm
    {
        guard case .member(let member) = self else { return compared(operation, to: constant) }
        return .condition(.member(MemberComparison(member, operation, constant)), depth: 0)
    }

    /// Compares a value, or a condition with a boolean.
    @inline(never)
    private func compared(
        _ operation: PredicateComparison.Operation, to constant: PredicateConstant
    ) -> QueryForm {
        if isValue { return compared(operation, PredicateExpression(constant)) }
        let isWanted = QueryForm.isEquality(operation)
        guard case .bool(let value) = constant else { QueryErrors.valueInsteadOfCondition.trap() }
        return .condition(
            .agreement(condition, .constant(value), isWanted: isWanted),
            depth: QueryForm.depth(around: depth))
    }

    func compared(
        _ operation: PredicateComparison.Operation, _ right: PredicateExpression,
        _ options: StringOptions = []
    ) -> QueryForm {
        let left = expression
        return .condition(
            .comparison(
                PredicateComparison(
                    quantifier: left.isAny || right.isAny ? .any : .direct, left: left,
                    operation: operation, right: right, options: options)), depth: depth)
    }

    func compared(
        _ operation: PredicateComparison.Operation, _ other: QueryForm,
        _ options: StringOptions = []
    ) -> QueryForm {
        if isValue, other.isValue {
            guard case .condition(let node, _) = compared(operation, other.expression, options)
            else { return self }
            return .condition(node, depth: max(depth, other.depth))
        }
        let isWanted = QueryForm.isEquality(operation)
        let (a, b) = (condition, other.condition)
        if a.size + b.size > PredicateLimits.maximumSize / 2 { QueryErrors.tooLarge.trap() }
        let depth = (0..<3).reduce(max(depth, other.depth)) { depth, _ in
            QueryForm.depth(around: depth)
        }
        return .condition(.agreement(a, b, isWanted: isWanted), depth: depth)
    }

    /// Whether two conditions are compared by `==`; false for `!=`. Traps for other operators.
    private static func isEquality(_ operation: PredicateComparison.Operation) -> Bool {
        if operation == .equal || operation == .notEqual { return operation == .equal }
        QueryErrors.orderOfConditions.trap()
    }
}

extension Query {
    func compare(_ operation: PredicateComparison.Operation, _ value: T) -> Query<Bool> {
        Query<Bool>(form.compared(operation, PredicateConstant(value)))
    }

    func compare(_ operation: PredicateComparison.Operation, _ other: Query) -> Query<Bool> {
        Query<Bool>(form.compared(operation, other.form))
    }

    /// Whether the property equals one of some values.
    func isIn<Values: Sequence>(_ values: Values) -> Query<Bool> {
        Query<Bool>(form.compared(.isIn, .list(values.map { PredicateConstant($0) })))
    }

    /// Whether the property equals the value. Nil equals nil.
    public static func == (lhs: Query, rhs: T) -> Query<Bool> { lhs.compare(.equal, rhs) }
    /// Whether two properties are equal. Nil equals nil.
    public static func == (lhs: Query, rhs: Query) -> Query<Bool> { lhs.compare(.equal, rhs) }
    /// Whether the property differs from the value. Nil differs from every value.
    public static func != (lhs: Query, rhs: T) -> Query<Bool> { lhs.compare(.notEqual, rhs) }
    /// Whether two properties differ. Nil differs from every value.
    public static func != (lhs: Query, rhs: Query) -> Query<Bool> { lhs.compare(.notEqual, rhs) }

    /// Whether the property equals one of the values.
    public func `in`<Values: Sequence>(_ collection: Values) -> Query<Bool>
    where Values.Element == T { isIn(collection) }
}

// MARK: - Order

extension Query where T: _HasPersistedType, T.PersistedType: _QueryOrdered {
    /// Whether the property is greater than the value; false if it is nil. Texts and data
    /// compare byte by byte, texts as UTF-8.
    public static func > (lhs: Query, rhs: T) -> Query<Bool> { lhs.compare(.greater, rhs) }
    /// Whether the first property is greater than the second; false if one is nil.
    public static func > (lhs: Query, rhs: Query) -> Query<Bool> { lhs.compare(.greater, rhs) }
    /// Whether the property is at least the value; false if it is nil.
    public static func >= (lhs: Query, rhs: T) -> Query<Bool> { lhs.compare(.greaterOrEqual, rhs) }
    /// Whether the first property is at least the second; false if one is nil.
    public static func >= (lhs: Query, rhs: Query) -> Query<Bool> {
        lhs.compare(.greaterOrEqual, rhs)
    }
    /// Whether the property is less than the value; false if it is nil.
    public static func < (lhs: Query, rhs: T) -> Query<Bool> { lhs.compare(.less, rhs) }
    /// Whether the first property is less than the second; false if one is nil.
    public static func < (lhs: Query, rhs: Query) -> Query<Bool> { lhs.compare(.less, rhs) }
    /// Whether the property is at most the value; false if it is nil.
    public static func <= (lhs: Query, rhs: T) -> Query<Bool> { lhs.compare(.lessOrEqual, rhs) }
    /// Whether the first property is at most the second; false if one is nil.
    public static func <= (lhs: Query, rhs: Query) -> Query<Bool> { lhs.compare(.lessOrEqual, rhs) }
}
