import FreeholdStorage

// How expressions go on. What cannot go on is misuse.

extension QueryNode {
    /// The node, if members of what it stands for can be asked for.
    var checkedForMembers: QueryOperand {
        switch self {
        case .step(_, .mapKey):
            violation(
                .misuse(
                    text: "Cannot apply key path to Map subscripts.",
                    remedy:
                        """
                        Ask for the values of all keys instead, as in $0.map.values, or \
                        loop over the objects.
                        """
                ))
        default: return checkedForSteps
        }
    }

    /// The node, if it stands for a value of the object.
    var checkedForSteps: QueryOperand {
        switch self {
        case .root, .property, .step: return QueryOperand(self)
        default:
            violation(
                .misuse(
                    text: "Cannot apply a keypath to \(formatted)",
                    remedy:
                        """
                        Members, counts and aggregates are those of properties, not of \
                        conditions and their counts.
                        """
                ))
        }
    }

    /// The node, if it may hold values by keys and indexes.
    var checkedForSubscripts: QueryOperand {
        switch self {
        case .property, .step(_, .member), .step(_, .inner), .step(_, .mapKey), .root:
            return QueryOperand(self)
        default:
            violation(
                .misuse(
                    text: "Cannot add subscript to \(formatted)",
                    remedy:
                        """
                        Only properties, and what is inside of them, have values by keys \
                        and indexes.
                        """
                ))
        }
    }

    func counted() -> QueryNode { .step(checkedForSteps, .operation(.count)) }

    func aggregated(_ operation: PredicateOperator) -> QueryNode {
        .step(checkedForSteps, .aggregate(operation))
    }

    /// Whether all elements of a collection lie in a range; false for an empty one.
    func allBetween(_ lower: QueryConstant, _ upper: QueryConstant, includesUpper: Bool)
        -> QueryNode
    {
        .and(
            .outcome(QueryOperand(aggregated(.min)), .greaterOrEqual, lower),
            .outcome(QueryOperand(aggregated(.max)), includesUpper ? .lessOrEqual : .less, upper))
    }
}
