import FreeholdStorage

/// What a front end says about the objects it wants: a tree over properties and constants,
/// which knows no columns yet.
///
/// Built by ``Query``; ``QueryLowering`` turns it into a ``ScanPredicate``: comparisons of
/// single properties by itself, everything else by way of the tree that all front ends share
/// (``PredicateNode``).
///
/// A path needs no memory of its own, and a node has three words: one of more than four is
/// passed in memory, and each copy of a `Query` of it asks the runtime for the type's
/// description.
enum QueryNode {
    /// The object that the query is about.
    case root
    case property(QueryPath)
    /// A property or a value that single properties do not lead to.
    indirect case step(QueryOperand, QueryStep)
    /// How many elements of the one collection that a condition names satisfy it.
    indirect case subqueryCount(QueryOperand)
    case comparison(QueryComparison)
    /// A condition, or the query's object itself, compared with a constant.
    indirect case outcome(QueryOperand, ScanComparison, QueryConstant)
    /// Two properties or two conditions.
    indirect case comparisonOfNodes(QueryOperand, ScanComparison, QueryOperand)
    indirect case between(QueryNode, QueryConstant, QueryConstant, includesUpper: Bool)
    indirect case membership(QueryOperand, [QueryConstant])
    /// Whether a collection has an element.
    indirect case element(QueryConstant, of: QueryNode)
    /// Whether a location is in a region.
    indirect case place(QueryNode, GeoShape)
    /// A search for words.
    indirect case fullText(QueryNode, String)
    indirect case text(QueryNode, ScanTextOperator, QueryConstant, StringOptions)
    indirect case textOfNodes(QueryNode, ScanTextOperator, QueryNode, StringOptions)
    case and(QueryPair)
    case or(QueryPair)
    indirect case not(QueryOperand)
}

/// A property compared with a constant, by far the commonest node. A class of its own, so that
/// it is read where it is: what is taken out of an `indirect` case is copied first, with a
/// retain and a release for each of its parts.
final class QueryComparison {
    let path: QueryPath
    let comparison: ScanComparison
    let constant: QueryConstant

    init(_ path: QueryPath, _ comparison: ScanComparison, _ constant: QueryConstant) {
        self.path = path
        self.comparison = comparison
        self.constant = constant
    }
}

/// A property, seen from the query's object: the properties on the way to it, then its own step.
struct QueryPath {
    /// What the step starts from; nil for the query's object.
    let parent: Parent?
    /// The step: usually one property, several where a key path goes over links by itself.
    let keyPath: AnyKeyPath
    /// The class that the step starts from.
    let root: ObjectBase.Type

    final class Parent {
        /// Nil only in front of a named step from the query's object.
        let path: QueryPath?
        /// The step itself, where a name takes the place of the key path.
        let named: Name?

        struct Name {
            let name: String
            /// What the caller takes the property for; nil where the types of the program say so.
            let type: PropertyType?
            /// Whether the caller takes it for a collection.
            let isCollection: Bool
        }

        /// How many steps there are up to here.
        let depth: Int

        init(_ path: QueryPath) {
            self.path = path
            named = nil
            depth = Parent.depth(behind: path)
        }

        init(_ path: QueryPath?, _ named: Name) {
            self.path = path
            self.named = named
            depth = Parent.depth(behind: path)
        }

        /// Traps if the path is as long as paths may be.
        private static func depth(behind path: QueryPath?) -> Int {
            let depth = (path?.parent?.depth ?? 0) + 1
            if depth > PredicateLimits.maximumSteps {
                let error = PredicateErrors.longKeyPath("\(path.map { "\($0.keyPath)" } ?? "")")
                violation(.misuse(text: error.message, remedy: error.remedy))
            }
            return depth
        }
    }
}

/// What leads on from a node where a ``QueryPath`` does not.
enum QueryStep {
    /// A property of an object that is no single property's value: of a collection's elements,
    /// for example.
    case member(QueryPath)
    /// The count, or the keys or values of a map.
    case operation(PredicateOperator)
    /// The least, the greatest, the sum or the mean of what comes before; of the elements of
    /// the last collection.
    case aggregate(PredicateOperator)
    /// The value of a key of a map.
    case mapKey(String)
    /// Inside of any values.
    case inner(PredicateStep)
}

extension QueryNode {
    /// Whether the node stands for a value: the query's object, or something that a path leads to.
    var isValue: Bool {
        switch self {
        case .root, .property, .step, .subqueryCount: true
        default: false
        }
    }
}
