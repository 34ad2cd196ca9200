extension Query where T == Bool {
    /// Whether the condition does not hold.
    public static prefix func ! (query: Query) -> Query<Bool> {
        let form = query.form
        return Query<Bool>(
            .condition(.not(form.condition), depth: QueryForm.depth(around: form.depth)))
    }

    /// Whether both conditions hold.
    public static func && (lhs: Query, rhs: Query) -> Query<Bool> {
        Query<Bool>(.chain(QueryChain(lhs.form, rhs.form, isConjunction: true)))
    }

    /// Whether at least one condition holds.
    public static func || (lhs: Query, rhs: Query) -> Query<Bool> {
        Query<Bool>(.chain(QueryChain(lhs.form, rhs.form, isConjunction: false)))
    }
}
