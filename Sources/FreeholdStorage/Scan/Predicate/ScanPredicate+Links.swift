extension ScanPredicate {
    /// The predicate about other rows: each constant that is a link with its table
    /// (`ScanValue.object`) is replaced, also in subqueries and in the nested values that mixed
    /// values are compared with. O(size).
    ///
    /// - Parameter newKey: The new key of a row of a table.
    package func mappingRows(_ newKey: (Int64, TableID) -> Int64) -> ScanPredicate {
        switch self {
        case .all, .none, .between, .text, .compareColumns, .matchesText, .fullText,
            .matchesNumbers:
            self
        case .and(let operands): .and(operands.map { $0.mappingRows(newKey) })
        case .or(let operands): .or(operands.map { $0.mappingRows(newKey) })
        case .not(let operand): .not(operand.mappingRows(newKey))
        case .compare(let path, let comparison, let value):
            .compare(path, comparison, value.mappingRows(newKey))
        case .oneOf(let path, let values): .oneOf(path, values.map { $0.mappingRows(newKey) })
        case .any(let hop, let predicate): .any(hop, predicate.mappingRows(newKey))
        case .scope(let scope, let predicate): .scope(scope, predicate.mappingRows(newKey))
        case .at(let scope, let predicate): .at(scope, predicate.mappingRows(newKey))
        case .anyCompared(let hops, let value, let comparison, let other, let isNegated):
            .anyCompared(
                hops, value.mappingRows(newKey), comparison, other.mappingRows(newKey),
                isNegated: isNegated)
        case .compareOperands(let left, let comparison, let right):
            .compareOperands(left.mappingRows(newKey), comparison, right.mappingRows(newKey))
        case .compareText(let left, let comparison, let right, let options):
            .compareText(
                left.mappingRows(newKey), comparison, right.mappingRows(newKey), options)
        }
    }
}

extension ScanOperand {
    fileprivate func mappingRows(_ newKey: (Int64, TableID) -> Int64) -> ScanOperand {
        switch self {
        case .constant(let value): .constant(value.mappingRows(newKey))
        case .count(let hop, let predicate): .count(hop, where: predicate.mappingRows(newKey))
        case .outer(let scope, let operand): .outer(scope, operand.mappingRows(newKey))
        case .path, .mixed, .mapValue, .aggregate: self
        }
    }
}

extension ScanValue {
    fileprivate func mappingRows(_ newKey: (Int64, TableID) -> Int64) -> ScanValue {
        func target(of link: LinkTarget) -> LinkTarget {
            LinkTarget(table: link.table, key: newKey(link.key, link.table))
        }
        switch self {
        case .object(let link): return .object(target(of: link))
        case .nested(let bytes):
            let value = bytes.withUnsafeBytes { MixedValue(decoding: $0) }
            return (value?.mappingLinks(target(of:))).map { .nested(Array($0.encoded)) } ?? self
        default: return self
        }
    }
}
