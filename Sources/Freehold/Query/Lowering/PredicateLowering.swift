import FreeholdStorage

/// Turns a condition on the objects of a class into the storage's predicate: names become
/// columns, objects become row keys, and steps over collections become hops.
///
/// The subject of the condition changes on the way. After a hop, the storage's predicate is about
/// the row or the value that the hop leads to. The condition of a subquery is lowered with an
/// element as its subject. Its parts about the object itself, or about elements of enclosing
/// subqueries, keep those subjects.
///
/// Throws if the condition does not fit the schema, with Realm's text if Realm has one.
struct PredicateLowering {
    /// The class of the objects. Kept alive by the caller's realm.
    unowned(unsafe) let binding: ClassBinding
    /// The elements of the enclosing subqueries, which key paths may also begin with; the
    /// innermost last.
    let elements: [PredicateScope]
    /// The scope in which storage evaluates the comparison; 0 is that of the object.
    let position: Int

    /// Lowers conditions on the objects of a class, or on elements of scopes inside of them.
    ///
    /// - Parameter position: By default, the innermost scope.
    init(binding: ClassBinding, _ elements: [PredicateScope] = [], at position: Int? = nil) {
        self.binding = binding
        self.elements = elements
        self.position = position ?? elements.count
    }

    /// The subject of the storage's predicate.
    var subject: PredicateSubject { subject(of: position) }

    func subject(of scope: Int) -> PredicateSubject {
        scope == 0 ? .row(binding) : elements[scope - 1].subject
    }

    func condition(_ node: PredicateNode) throws(QueryError) -> ScanPredicate {
        switch node {
        case .member(let comparison): return try condition(comparison)
        case .comparison(let comparison): return try condition(comparison)
        case .constant(let value): return value ? .all : .none
        case .and(let operands): return try conjunction(operands)
        case .or(let operands): return .or(try conditions(operands))
        case .not(let operand): return .not(try condition(operand))
        case .agreement: return try condition(node.expanded)
        }
    }

    private func conjunction(_ operands: [PredicateNode]) throws(QueryError) -> ScanPredicate {
        var conditions: [ScanPredicate] = []
        conditions.reserveCapacity(operands.count)
        var index = 0
        while index < operands.count {
            if index + 1 < operands.count,
                let range = try range(operands[index], operands[index + 1])
            {
                conditions.append(range)
                index += 2
            } else {
                conditions.append(try condition(operands[index]))
                index += 1
            }
        }
        return conditions.count == 1 ? conditions[0] : .and(conditions)
    }

    private func conditions(_ nodes: [PredicateNode]) throws(QueryError) -> [ScanPredicate] {
        var conditions: [ScanPredicate] = []
        conditions.reserveCapacity(nodes.count)
        for node in nodes { conditions.append(try condition(node)) }
        return conditions
    }
}

/// An element of a subquery, with which key paths of its condition may begin.
struct PredicateScope {
    let subject: PredicateSubject
    /// The element's name in the subquery.
    let variable: String
}

/// The subject of a condition.
enum PredicateSubject {
    /// A row of a class.
    case row(ClassBinding)
    /// The value that a hop leads to. Its realm is that of the class in which the hop started.
    case value(PredicateValueType, ClassBinding)

    /// The class of the row, or a class of the same realm.
    var binding: ClassBinding {
        switch self {
        case .row(let binding), .value(_, let binding): binding
        }
    }
}

/// The type of the values at the end of a key path.
struct PredicateValueType {
    var type: PropertyType
    /// The property for messages: "age".
    var name: String
    /// The class of values that are objects.
    var target: ClassBinding?
    /// The collection operator that computed the value.
    var operation: PredicateOperator?
    /// The type that the operator was applied to.
    var operand: PropertyType?

    /// The operator that makes one value of many, and their type; nil for other values.
    var aggregate: (text: String, operand: PropertyType)? {
        guard let operation, operation.aggregate != nil, let operand else { return nil }
        return ("@\(operation.rawValue)", operand)
    }

    /// The type for messages: "int", "Dog".
    var text: String { target?.schema.className ?? "\(type)" }
}
