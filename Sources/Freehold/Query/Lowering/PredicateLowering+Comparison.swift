import FreeholdStorage

extension PredicateLowering {
    @inline(__always)
    func condition(_ comparison: MemberComparison) throws(QueryError) -> ScanPredicate {
        if let order = comparison.operation.comparison,
            let predicate = binding.quickly(
                comparison.member.keyPath, order, comparison.constant, isTriedOut: false)
        {
            return predicate
        }
        return try condition(comparison.named())
    }

    func condition(_ comparison: PredicateComparison) throws(QueryError) -> ScanPredicate {
        if elements.isEmpty, !comparison.hasSubquery { return try compared(comparison) }
        return try scoped(comparison)
    }

    /// Returns two comparisons that form a range without its upper bound, as the one condition
    /// that storage has for it. Returns nil for others.
    func range(_ first: PredicateNode, _ second: PredicateNode) throws(QueryError) -> ScanPredicate?
    {
        guard case .comparison(let first) = first, case .comparison(let second) = second,
            first.operation == .greaterOrEqual,
            second.operation == .less, first.quantifier == .direct, second.quantifier == .direct,
            first.options.isEmpty, second.options.isEmpty,
            case .constant(let lower) = first.right, case .constant(let upper) = second.right,
            !lower.isNull, !upper.isNull,
            case .keyPath(let steps) = first.left, first.left == second.left, elements.isEmpty
        else { return nil }
        let path = try resolve(steps)
        guard path.hops.isEmpty, path.type.type != .any,
            (try? check(.between, [], for: path.type)) != nil
        else { return nil }
        return path.between(
            try value(lower, for: path.type), try value(upper, for: path.type),
            includesUpper: false)
    }

    /// Moves the key path to the left, and chooses by the form of the comparison.
    func compared(_ comparison: PredicateComparison) throws(QueryError) -> ScanPredicate {
        switch (comparison.left, comparison.right) {
        case (.keyPath, .keyPath), (.keyPath, .subqueryCount), (.subqueryCount, .keyPath),
            (.subqueryCount, .subqueryCount):
            return try compareValues(comparison)
        case (.keyPath(let steps), .constant(let constant)):
            return try compare(try resolve(steps), comparison, [constant])
        case (.keyPath(let steps), .list(let constants)):
            return try compare(try resolve(steps), comparison, constants)
        case (.subqueryCount, .constant(let constant)):
            return try compare(try resolve(comparison.left), comparison, [constant])
        case (.subqueryCount, .list(let constants)):
            return try compare(try resolve(comparison.left), comparison, constants)
        case (.constant(let constant), .keyPath(let steps)):
            return try compareMirrored(constant, comparison, try resolve(steps))
        case (.constant(let constant), .subqueryCount):
            return try compareMirrored(constant, comparison, try resolve(comparison.right))
        case (.list(let constants), .keyPath(let steps))
        where [.equal, .notEqual, .isIn].contains(comparison.operation):
            let path = try resolve(steps)
            guard path.type.type == .any else { throw PredicateErrors.inWithoutKeyPath }
            return try compareMirrored(.list(constants), comparison, path)
        case (.list, .keyPath), (.list, .subqueryCount):
            throw comparison.operation == .between
                ? PredicateErrors.betweenWithoutKeyPath : PredicateErrors.inWithoutKeyPath
        case (.constant, .constant), (.constant, .list), (.list, .constant), (.list, .list):
            throw PredicateErrors.noKeyPath
        }
    }

    /// Resolves an expression that is not a constant.
    func resolve(_ expression: PredicateExpression) throws(QueryError) -> PredicatePath {
        switch expression {
        case .keyPath(let steps): return try resolve(steps)
        case .subqueryCount(let collection, let variable, let condition):
            return try resolveSubquery(collection, variable, condition)
        case .constant, .list: throw PredicateErrors.noKeyPath
        }
    }

    // MARK: With constants

    /// Lowers a comparison with the constant on the left: `5 < age`, `5 IN numbers`.
    private func compareMirrored(
        _ constant: PredicateConstant, _ comparison: PredicateComparison, _ path: PredicatePath
    ) throws(QueryError) -> ScanPredicate {
        switch comparison.operation {
        case .isIn:
            // Whether the collection contains the constant: any element equals it.
            if path.isSingle { throw PredicateErrors.inWithoutList }
            return try compare(
                path,
                comparison.with(
                    .equal,
                    quantifier: comparison.quantifier == .direct ? .any : comparison.quantifier),
                [constant])
        case .text, .matches, .fullText:
            try check(comparison.operation, comparison.options, for: path.type)
            return try quantified(path, comparison.quantifier, holdsForNull: false) {
                () throws(QueryError) in
                guard comparison.operation.textOperator != nil, let value = constant.scanValue
                else { throw PredicateErrors.unsupported(comparison.operation, path.type) }
                if constant.isNull { return .none }
                return .compareText(
                    .constant(value), try textOperator(comparison.operation), path.operand,
                    comparison.options.lowered)
            }
        case .between: throw PredicateErrors.betweenWithoutKeyPath
        case .value(let order):
            return try compare(path, comparison.with(.value(order.mirrored)), [constant])
        }
    }

    /// Lowers a comparison with a key path on the left, and one constant or a list of them on the
    /// right.
    private func compare(
        _ path: PredicatePath, _ comparison: PredicateComparison, _ constants: [PredicateConstant]
    ) throws(QueryError) -> ScanPredicate {
        let operation = comparison.operation
        if path.type.type == .any, operation == .equal || operation == .notEqual,
            case .list = comparison.right
        {
            // The value of an ``AnyRealmValue`` may be a list.
            let whole = PredicateConstant.list(constants)
            return try compare(path, comparison.with(right: .constant(whole)), [whole])
        }
        if operation == .isIn, case .geo(let shape)? = constants.first,
            case .constant = comparison.right
        {
            return try quantified(path, comparison.quantifier, holdsForNull: false) {
                () throws(QueryError) in try place(path, in: shape)
            }
        }
        if constants.contains(where: \.isMembers) {
            return try compareMembers(path, comparison, constants)
        }
        let isList = if case .list = comparison.right { true } else { false }
        switch operation {
        case .isIn: if !isList { throw PredicateErrors.inWithoutList }
        case .between:
            if !isList { throw PredicateErrors.betweenWithoutList }
            if constants.count != 2 { throw PredicateErrors.betweenWithoutTwo }
        default: if isList { throw PredicateErrors.unexpectedList(operation) }
        }
        try check(operation, comparison.options, for: path.type)
        var values: [ScanValue] = []
        values.reserveCapacity(constants.count)
        for constant in constants {
            if try !isAbsent(constant, for: path.type) {
                values.append(try value(constant, for: path.type))
            } else if operation != .isIn {
                return try compareWithNothing(path, comparison)
            }
        }
        if values == [.null], operation.isOrdered { return try order(path, comparison) }
        let isOrder = operation.isOrdered || operation == .between
        if isOrder, !comparison.options.isEmpty, values.contains(where: \.isTextOfAnyValue) {
            throw PredicateErrors.orderWithOptions
        }
        let holdsForNull =
            switch operation {
            case .value(.equal): values[0] == .null
            case .value(.notEqual): values[0] != .null
            case .text(let textOperator): textOperator.holdsForNulls && values[0] == .null
            case .isIn: values.contains(.null)
            default: false
            }
        return try quantified(path, comparison.quantifier, holdsForNull: holdsForNull) {
            () throws(QueryError) in try single(path, operation, values, comparison.options)
        }
    }

    /// Lowers an order comparison with nil: nil is at least and at most nil. As in Realm, texts
    /// and data are greater than nil, and no other values are.
    private func order(_ path: PredicatePath, _ comparison: PredicateComparison) throws(QueryError)
        -> ScanPredicate
    {
        let isText = path.type.isText
        let (holdsForNull, holdsForValues) =
            switch comparison.operation {
            case .value(.lessOrEqual): (true, false)
            case .value(.greaterOrEqual): (true, isText)
            case .value(.greater): (false, isText)
            default: (false, false)
            }
        return try quantified(path, comparison.quantifier, holdsForNull: holdsForNull) {
            () throws(QueryError) in
            if holdsForNull { return holdsForValues ? .all : path.compared(.equal, .null) }
            return holdsForValues ? path.compared(.notEqual, .null) : .none
        }
    }

    /// Lowers a comparison with an object that is in no realm: nothing equals it.
    private func compareWithNothing(_ path: PredicatePath, _ comparison: PredicateComparison)
        throws(QueryError) -> ScanPredicate
    {
        let holds = comparison.operation == .notEqual
        return try quantified(path, comparison.quantifier, holdsForNull: holds) {
            () throws(QueryError) in holds ? .all : .none
        }
    }

    /// Returns the comparison of one value, after all hops.
    private func single(
        _ path: PredicatePath, _ operation: PredicateComparison.Operation, _ values: [ScanValue],
        _ options: StringOptions
    ) throws(QueryError) -> ScanPredicate {
        switch operation {
        case .value(let comparison):
            if !options.isEmpty, values[0].isText, let textOperator = operation.textOperator {
                return text(path, textOperator, values[0], options)
            }
            return path.compared(comparison, values[0])
        case .between: return path.between(values[0], values[1], includesUpper: true)
        case .isIn:
            if values.isEmpty { return .none }
            if !options.isEmpty {
                return .or(
                    values.map {
                        $0.isText ? text(path, .equal, $0, options) : path.compared(.equal, $0)
                    })
            }
            if case .column(let scan) = path.place { return .oneOf(scan, values) }
            return .or(values.map { path.compared(.equal, $0) })
        case .text(let textOperator):
            return textOperator.holdsForNulls && values[0] == .null
                ? path.compared(.equal, .null) : text(path, textOperator, values[0], options)
        case .matches: return try matches(path, values[0], options)
        case .fullText: return try fullText(path, values[0])
        }
    }

    /// Lowers a comparison of the value after the hops, and puts the hops around it.
    /// - Parameter holdsForNull: Whether the comparison holds for null, which a map has for a
    ///   missing key.
    func quantified(
        _ path: PredicatePath, _ quantifier: PredicateComparison.Quantifier, holdsForNull: Bool,
        _ inner: () throws(QueryError) -> ScanPredicate
    ) throws(QueryError) -> ScanPredicate {
        if path.isSingle, quantifier != .direct, !path.hasImplicitHop {
            throw PredicateErrors.quantifierWithoutCollection
        }
        if !path.isSingle, quantifier == .direct {
            throw PredicateErrors.collectionWithoutQuantifier
        }
        let condition = try inner()
        return switch quantifier {
        case .direct, .any: path.wrapped(condition, holdsForNull: holdsForNull)
        case .none: .not(path.wrapped(condition, holdsForNull: holdsForNull))
        case .all: .not(path.wrapped(.not(condition), holdsForNull: !holdsForNull))
        }
    }

    private func text(
        _ path: PredicatePath, _ operation: ScanTextOperator, _ value: ScanValue,
        _ options: StringOptions
    ) -> ScanPredicate {
        switch value {
        case .text(let bytes), .bytes(let bytes):
            if bytes.isEmpty, operation.isSearch { return .none }
            // In ``AnyRealmValue``s, data equals only data, while a text equals both.
            let isOfData =
                if case .bytes = value, path.type.type == .any {
                    operation.isEquality
                } else { false }
            if case .column(let scan) = path.place, !isOfData {
                return .text(scan, operation, bytes, options.lowered)
            }
            return .compareText(path.operand, operation, .constant(value), options.lowered)
        default: return .none
        }
    }

    /// Lowers MATCHES, which no index and no search of bytes can answer.
    private func matches(_ path: PredicatePath, _ value: ScanValue, _ options: StringOptions)
        throws(QueryError) -> ScanPredicate
    {
        guard case .text(let pattern) = value else { return .none }
        guard case .column(let scan) = path.place else {
            throw PredicateErrors.unsupported(.matches, path.type)
        }
        return .matchesText(
            scan,
            try RegularExpressionMatcher.matcher(String(decoding: pattern, as: UTF8.self), options))
    }

    /// Lowers a search for words, which uses the property's full-text index if it has one.
    private func fullText(_ path: PredicatePath, _ value: ScanValue) throws(QueryError)
        -> ScanPredicate
    {
        guard case .text(let query) = value else { return .none }
        guard case .column(let scan) = path.place else {
            throw PredicateErrors.unsupported(.fullText, path.type)
        }
        return .fullText(scan, FullTextQuery(parsing: String(decoding: query, as: UTF8.self)))
    }

    func textOperator(_ operation: PredicateComparison.Operation) throws(QueryError)
        -> ScanTextOperator
    {
        guard let found = operation.textOperator else { throw PredicateErrors.noKeyPath }
        return found
    }
}
