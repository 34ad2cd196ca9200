import FreeholdStorage

/// Turns a condition on the objects of a class into the storage's predicate: names become
/// columns, objects row keys, and steps over collections hops.
///
/// What a condition is about changes on the way: behind a hop, the storage's predicate is about
/// the row or the value that the hop leads to. The condition of a subquery is lowered with such
/// an element as its subject; what it says of the object itself, or of elements of subqueries
/// around it, stays about these.
///
/// Throws what does not fit the schema, with Realm's text where Realm has one.
struct PredicateLowering {
    /// The class of the objects. Kept alive by the caller's realm.
    unowned(unsafe) let binding: ClassBinding
    /// What else key paths may begin with: the elements of the subqueries around, the innermost
    /// last.
    let elements: [PredicateScope]
    /// The scope that storage evaluates the comparison in: 0 is the object's.
    let position: Int

    /// For conditions on the objects of a class.
    init(binding: ClassBinding) {
        self.binding = binding
        elements = []
        position = 0
    }

    /// - Parameter position: By default the innermost scope.
    init(binding: ClassBinding, _ elements: [PredicateScope], at position: Int? = nil) {
        self.binding = binding
        self.elements = elements
        self.position = position ?? elements.count
    }

    /// What the storage's predicate is about.
    var subject: PredicateSubject { subject(of: position) }

    func subject(of scope: Int) -> PredicateSubject {
        scope == 0 ? .row(binding) : elements[scope - 1].subject
    }

    func condition(_ node: PredicateNode) throws(QueryError) -> ScanPredicate {
        switch node {
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

/// An element of a subquery, which key paths of its condition may begin with.
struct PredicateScope {
    let subject: PredicateSubject
    /// The name that the subquery gives it.
    let variable: String
}

/// What a condition is about.
enum PredicateSubject {
    /// A row of a class.
    case row(ClassBinding)
    /// The value that a hop leads to. Its realm is that of the class that the hop started from.
    case value(PredicateValueType, ClassBinding)

    /// The class, or a class of the same realm.
    var binding: ClassBinding {
        switch self {
        case .row(let binding), .value(_, let binding): binding
        }
    }
}

/// What is known of the values at the end of a key path.
struct PredicateValueType {
    var type: PropertyType
    /// The property for people: "age".
    var name: String
    /// The class of values that are objects.
    var target: ClassBinding?
    /// The collection operator whose outcome it is.
    var operation: PredicateOperator?
    /// What that operator was applied to.
    var operand: PropertyType?

    init(
        _ type: PropertyType, name: String, target: ClassBinding? = nil,
        operation: PredicateOperator? = nil, of operand: PropertyType? = nil
    ) {
        self.operand = operand
        self.type = type
        self.name = name
        self.target = target
        self.operation = operation
    }

    /// The operator that makes one value of many, and the type of these; nil of other values.
    var aggregate: (text: String, operand: PropertyType)? {
        guard let operation, operation.aggregate != nil, let operand else { return nil }
        return ("@\(operation.rawValue)", operand)
    }

    /// The type for people: "int", "Dog".
    var text: String { target?.schema.className ?? "\(type)" }
}
