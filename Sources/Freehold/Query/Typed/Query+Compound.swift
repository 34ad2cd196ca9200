extension Query where T == Bool {
    /// Whether the condition does not hold.
    public static prefix func ! (query: Query) -> Query<Bool> { Query<Bool>(.not(query.operand)) }

    /// Whether both conditions hold.
    public static func && (lhs: Query, rhs: Query) -> Query<Bool> {
        Query<Bool>(.and(lhs.node, rhs.node))
    }

    /// Whether at least one condition holds.
    public static func || (lhs: Query, rhs: Query) -> Query<Bool> {
        Query<Bool>(.or(lhs.node, rhs.node))
    }
}
