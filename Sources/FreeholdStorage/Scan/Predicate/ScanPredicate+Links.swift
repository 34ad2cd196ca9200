extension ScanPredicate {
    /// The predicate about other rows: each constant that is a link with its table
    /// (`ScanValue.object`) is replaced, also in subqueries and in the nested values that mixed
    /// values are compared with. O(size).
    package func mappingLinks(_ target: (LinkTarget) -> LinkTarget) -> ScanPredicate {
        switch self {
        case .all, .none, .between, .text, .compareColumns, .matchesText, .fullText,
            .matchesNumbers:
            self
        case .and(let operands): .and(operands.map { $0.mappingLinks(target) })
        case .or(let operands): .or(operands.map { $0.mappingLinks(target) })
        case .not(let operand): .not(operand.mappingLinks(target))
        case .compare(let path, let comparison, let value):
            .compare(path, comparison, value.mappingLinks(target))
        case .oneOf(let path, let values): .oneOf(path, values.map { $0.mappingLinks(target) })
        case .any(let hop, let predicate): .any(hop, predicate.mappingLinks(target))
        case .scope(let scope, let predicate): .scope(scope, predicate.mappingLinks(target))
        case .at(let scope, let predicate): .at(scope, predicate.mappingLinks(target))
        case .anyCompared(let hops, let value, let comparison, let other, let isNegated):
            .anyCompared(
                hops, value.mappingLinks(target), comparison, other.mappingLinks(target),
                isNegated: isNegated)
        case .compareOperands(let left, let comparison, let right):
            .compareOperands(left.mappingLinks(target), comparison, right.mappingLinks(target))
        case .compareText(let left, let comparison, let right, let options):
            .compareText(
                left.mappingLinks(target), comparison, right.mappingLinks(target), options)
        }
    }
}

extension ScanOperand {
    fileprivate func mappingLinks(_ target: (LinkTarget) -> LinkTarget) -> ScanOperand {
        switch self {
        case .constant(let value): .constant(value.mappingLinks(target))
        case .count(let hop, let predicate): .count(hop, where: predicate.mappingLinks(target))
        case .outer(let scope, let operand): .outer(scope, operand.mappingLinks(target))
        case .path, .mixed, .mapValue, .aggregate: self
        }
    }
}

extension ScanValue {
    fileprivate func mappingLinks(_ target: (LinkTarget) -> LinkTarget) -> ScanValue {
        switch self {
        case .object(let link): return .object(target(link))
        case .nested(let bytes):
            let value = bytes.withUnsafeBytes { MixedValue(decoding: $0) }
            return (value?.mappingLinks(target)).map { .nested(Array($0.encoded)) } ?? self
        default: return self
        }
    }
}
