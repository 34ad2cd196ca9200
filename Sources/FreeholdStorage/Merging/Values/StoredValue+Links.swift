/// The links in a value.
extension StoredValue {
    /// Calls `body` with the target of each link of a value of a column.
    package func forEachLink(of column: ColumnDefinition, _ body: (LinkTarget) -> Void) {
        switch self {
        case .plain(.link(let key)):
            if let table = column.target { body(LinkTarget(table: table, key: key.rawValue)) }
        case .plain: break
        case .mixed(let value): value.forEachTarget(body)
        case .list(let elements), .set(let elements):
            for element in elements { element.forEachLink(of: column, body) }
        case .map(let entries):
            for entry in entries { entry.value.forEachLink(of: column, body) }
        }
    }

    /// Whether a link of the value leads to a row that fulfils a condition.
    func links(of column: ColumnDefinition, where condition: (LinkTarget) -> Bool) -> Bool {
        var isFound = false
        forEachLink(of: column) { if !isFound, condition($0) { isFound = true } }
        return isFound
    }

    /// The value with other links: `target` returns what each leads to, nil where it leads
    /// nowhere. Then lists and sets lose the element, and other links become null, as when rows
    /// are deleted.
    func mappingLinks(of column: ColumnDefinition, _ target: (LinkTarget) -> LinkTarget?)
        -> StoredValue
    {
        switch self {
        case .plain(.link(let key)):
            guard let table = column.target else { return self }
            let mapped = target(LinkTarget(table: table, key: key.rawValue))
            return mapped.map { .plain(.link(RowKey(rawValue: $0.key))) } ?? .null
        case .plain: return self
        case .mixed(let value): return value.mappingLinks(target).map { .mixed($0) } ?? .null
        case .list(let elements):
            return .list(Self.mapping(elements, of: column, isSet: false, target))
        case .set(let elements):
            return .set(Self.mapping(elements, of: column, isSet: true, target))
        case .map(let entries):
            return .map(
                ContiguousArray(
                    entries.map {
                        MapEntry(key: $0.key, value: $0.value.mappingLinks(of: column, target))
                    }))
        }
    }

    /// The elements of a list or a set with other links.
    static func mapping(
        _ elements: ContiguousArray<StoredValue>, of column: ColumnDefinition, isSet: Bool,
        _ target: (LinkTarget) -> LinkTarget?
    ) -> ContiguousArray<StoredValue> {
        ContiguousArray(
            elements.compactMap { element in
                switch element {
                case .plain(.link):
                    let mapped = element.mappingLinks(of: column, target)
                    return mapped.isNull ? nil : mapped
                case .mixed(let value) where isSet:
                    var leadsNowhere = false
                    value.forEachTarget { if target($0) == nil { leadsNowhere = true } }
                    return leadsNowhere ? nil : element.mappingLinks(of: column, target)
                default: return element.mappingLinks(of: column, target)
                }
            })
    }
}
