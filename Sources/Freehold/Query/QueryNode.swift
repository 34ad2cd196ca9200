import FreeholdStorage

/// What a front end says about the objects it wants: a tree over properties and constants, which knows no columns yet.
///
/// Built by ``Query``; ``QueryLowering`` turns it into a ``ScanPredicate``.
indirect enum QueryNode {
    /// The object that the query is about.
    case root
    /// A property of what the first node stands for.
    case property(of: QueryNode, QueryStep)
    case constant(QueryConstant)
    case comparison(QueryNode, ScanComparison, QueryNode)
    case between(QueryNode, QueryConstant, QueryConstant, includesUpper: Bool)
    case membership(QueryNode, [QueryConstant])
    case text(QueryNode, ScanTextOperator, QueryConstant, StringOptions)
    case and(QueryNode, QueryNode)
    case or(QueryNode, QueryNode)
    case not(QueryNode)
}

/// One step of a path: usually one property, several where a key path goes over links by itself.
enum QueryStep {
    case keyPath(AnyKeyPath, root: ObjectBase.Type)
    case name(String)
}
