import FreeholdStorage

extension QueryNode {
    @inline(__always)
    fileprivate func compared(_ comparison: ScanComparison, _ constant: QueryConstant) -> QueryNode
    {
        if case .property(let path) = self {
            return .comparison(QueryComparison(path, comparison, constant))
        }
        return .outcome(QueryOperand(self), comparison, constant)
    }
}

extension Query {
    func compare(_ comparison: ScanComparison, _ value: T) -> Query<Bool> {
        Query<Bool>(node.compared(comparison, QueryConstant(value)))
    }

    func compare(_ comparison: ScanComparison, _ other: Query) -> Query<Bool> {
        Query<Bool>(.comparisonOfNodes(operand, comparison, other.operand))
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
    where Values.Element == T {
        Query<Bool>(.membership(operand, collection.map { QueryConstant($0) }))
    }
}

// MARK: - Order of numbers and dates

extension Query where T: _HasPersistedType, T.PersistedType: _QueryNumeric {
    /// Whether the property is greater than the value; false if it is nil.
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

// MARK: - Order of text and data

extension Query where T: _HasPersistedType, T.PersistedType: _QueryBinary {
    /// Whether the property comes after the value, by the bytes of the UTF-8 text or of the
    /// data; false if it is nil.
    public static func > (lhs: Query, rhs: T) -> Query<Bool> { lhs.compare(.greater, rhs) }
    /// Whether the first property comes after the second, byte by byte; false if one is nil.
    public static func > (lhs: Query, rhs: Query) -> Query<Bool> { lhs.compare(.greater, rhs) }
    /// Whether the property is the value or comes after it, byte by byte; false if it is nil.
    public static func >= (lhs: Query, rhs: T) -> Query<Bool> { lhs.compare(.greaterOrEqual, rhs) }
    /// Whether the first property is the second or comes after it, byte by byte; false if one
    /// is nil.
    public static func >= (lhs: Query, rhs: Query) -> Query<Bool> {
        lhs.compare(.greaterOrEqual, rhs)
    }
    /// Whether the property comes before the value, byte by byte; false if it is nil.
    public static func < (lhs: Query, rhs: T) -> Query<Bool> { lhs.compare(.less, rhs) }
    /// Whether the first property comes before the second, byte by byte; false if one is nil.
    public static func < (lhs: Query, rhs: Query) -> Query<Bool> { lhs.compare(.less, rhs) }
    /// Whether the property is the value or comes before it, byte by byte; false if it is nil.
    public static func <= (lhs: Query, rhs: T) -> Query<Bool> { lhs.compare(.lessOrEqual, rhs) }
    /// Whether the first property is the second or comes before it, byte by byte; false if one
    /// is nil.
    public static func <= (lhs: Query, rhs: Query) -> Query<Bool> { lhs.compare(.lessOrEqual, rhs) }
}
