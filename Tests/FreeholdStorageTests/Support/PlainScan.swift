import FreeholdStorage
import FreeholdTestSupport

/// All rows of some tables, and the simplest evaluation of predicates on them.
struct PlainScan {
    struct Table {
        var definition: TableDefinition
        var keys: [Int64] = []
        var rows: [Int64: [ColumnID: PlainValue]] = [:]
    }

    /// What a predicate is about.
    enum Subject {
        case row(TableID, Int64, key: [UInt8]?)
        case element(PlainValue, key: [UInt8]?)
    }

    private(set) var tables: [TableID: Table] = [:]
    /// What the scopes around a predicate are at.
    var scopes: [ScanScope: Subject] = [:]

    init(reading source: TableSource, _ ids: [TableID]) {
        for id in ids {
            let view = source.table(id)
            var table = Table(definition: view.definition)
            for index in 0..<view.clusterCount {
                let cluster = view.cluster(at: index)
                for row in 0..<cluster.count {
                    let key = cluster.key(at: row)
                    table.keys.append(key.rawValue)
                    var values: [ColumnID: PlainValue] = [:]
                    for column in view.definition.columns {
                        values[column.id] = PlainScan.read(column, key, view, cluster, row)
                    }
                    table.rows[key.rawValue] = values
                }
            }
            tables[id] = table
        }
    }

    private static func read(
        _ column: ColumnDefinition, _ key: RowKey, _ table: TableView, _ cluster: ClusterView,
        _ row: Int
    ) -> PlainValue {
        if let kind = column.collection {
            var elements: [(key: [UInt8]?, value: PlainValue)] = []
            table.collection(of: column.id, key: key)?.forEachLeaf { leaf in
                for element in 0..<leaf.count {
                    let name = kind.shape == .map ? [UInt8](leaf.keys.heapBytes(at: element)) : nil
                    if kind.type == .mixed {
                        elements.append(
                            (
                                name,
                                .mixed(
                                    leaf.values.isNull(at: element)
                                        ? nil
                                        : MixedValue(decoding: leaf.values.heapBytes(at: element)))
                            ))
                    } else {
                        elements.append(
                            (name, .scalar(kind.type, ScanValue(leaf.values, element, kind.type))))
                    }
                }
                return true
            }
            return .collection(kind, elements)
        }
        let view = cluster.columns[column.id.position]
        if column.type == .mixed {
            return .mixed(
                view.isNull(at: row)
                    ? nil : table.withBytes(cluster, column.id, row) { MixedValue(decoding: $0) })
        }
        if view.isNull(at: row) { return .scalar(column.type, .null) }
        switch column.type {
        case .text:
            return .scalar(.text, .text(table.withBytes(cluster, column.id, row) { [UInt8]($0) }))
        case .bytes:
            return .scalar(.bytes, .bytes(table.withBytes(cluster, column.id, row) { [UInt8]($0) }))
        default: return .scalar(column.type, ScanValue(view, row, column.type))
        }
    }

    func keys(_ predicate: ScanPredicate, in table: TableID) -> [Int64] {
        (tables[table]?.keys ?? []).filter { matches(predicate, .row(table, $0, key: nil)) }
    }

    // MARK: Paths and hops

    /// Nil where there is no such thing.
    func value(_ path: ScanPath, _ subject: Subject) -> PlainValue? {
        switch subject {
        case .element(let value, let key):
            if path.column == .elementKey { return .scalar(.text, key.map { .text($0) } ?? .null) }
            return path.column == .element && path.links.isEmpty ? value : nil
        case .row(let table, let row, let key):
            if path.links.isEmpty, path.column == .elementKey {
                return key.map { .scalar(.text, .text($0)) }
            }
            guard let values = tables[table]?.rows[row] else { return nil }
            if let link = path.links.first {
                let rest = ScanPath(links: Array(path.links.dropFirst()), column: path.column)
                guard let target = tables[table]?.definition[link]?.target else { return nil }
                guard case .scalar(.link, .link(let key))? = values[link] else {
                    return type(rest, target).map {
                        $0 == .mixed ? .mixed(nil) : .scalar($0, .null)
                    }
                }
                return value(rest, .row(target, key.rawValue, key: nil))
            }
            if path.column == .rowKeys { return .scalar(.integer, .integer(row)) }
            return values[path.column]
        }
    }

    func type(_ path: ScanPath, _ table: TableID) -> ColumnType? {
        guard let definition = tables[table]?.definition else { return nil }
        if let link = path.links.first {
            return definition[link]?.target.flatMap {
                type(ScanPath(links: Array(path.links.dropFirst()), column: path.column), $0)
            }
        }
        return path.column == .rowKeys ? .integer : definition[path.column]?.type
    }

    /// Whether rows or values; what a hop leads to.
    /// - Parameter predicate: What is asked of it. Null links lead nowhere, but have keys in maps.
    func follow(_ hop: ScanHop, _ subject: Subject, for predicate: ScanPredicate? = nil) -> (
        elements: Int, subjects: [Subject]
    ) {
        var subject = subject
        for link in hop.links {
            guard case .row(let table, _, _) = subject,
                let target = tables[table]?.definition[link]?.target,
                case .scalar(.link, .link(let key))? = value(ScanPath(column: link), subject)
            else { return (0, []) }
            subject = .row(target, key.rawValue, key: nil)
        }
        switch hop.kind {
        case .elements(let column):
            guard case .row(let table, _, _) = subject,
                case .collection(_, let elements)? = value(ScanPath(column: column), subject)
            else { return (0, []) }
            let target = tables[table]?.definition[column]?.target
            return (
                elements.count,
                elements.compactMap { element in
                    guard let target else { return .element(element.value, key: element.key) }
                    if case .scalar(.link, .link(let key)) = element.value {
                        return .row(target, key.rawValue, key: element.key)
                    }
                    return predicate.map(Self.asksForKeysOnly) == true
                        ? .element(element.value, key: element.key) : nil
                }
            )
        case .mixedElements(let column, let steps):
            guard case .mixed(let value)? = value(ScanPath(column: column), subject) else {
                return (0, [])
            }
            let subjects: [Subject] =
                switch step(value, steps[...]) {
                case .list(let values, _): values.map { .element(.mixed($0), key: nil) }
                case .map(let entries, _):
                    entries.map { .element(.mixed($0.value), key: Array($0.key)) }
                default: []
                }
            return (subjects.count, subjects)
        case .backlinks(let origin, let column):
            guard case .row(let table, let key, _) = subject, let source = tables[origin] else {
                return (0, [])
            }
            let target = LinkTarget(table: table, key: key)
            var found: [Subject] = []
            for row in source.keys {
                let links =
                    source.rows[row]?[column].map { PlainScan.links($0, source.definition[column]) }
                    ?? []
                for link in links where link == target { found.append(.row(origin, row, key: nil)) }
            }
            return (found.count, found)
        }
    }

    private static func asksForKeysOnly(_ predicate: ScanPredicate) -> Bool {
        func isKey(_ path: ScanPath) -> Bool { path == ScanPath(column: .elementKey) }
        func isKey(_ operand: ScanOperand) -> Bool {
            if case .path(let path) = operand { return isKey(path) }
            return false
        }
        func isConstant(_ operand: ScanOperand) -> Bool {
            if case .constant = operand { true } else { false }
        }
        switch predicate {
        case .all, .none, .any, .anyCompared, .at: return false
        case .and(let operands), .or(let operands):
            return !operands.isEmpty && !operands.contains { !asksForKeysOnly($0) }
        case .not(let operand), .scope(_, let operand): return asksForKeysOnly(operand)
        case .compare(let path, _, _), .between(let path, _, _, _), .oneOf(let path, _),
            .text(let path, _, _, _), .matchesText(let path, _),
            .matchesNumbers(let path, _), .fullText(let path, _):
            return isKey(path)
        case .compareColumns(let left, _, let right): return isKey(left) && isKey(right)
        case .compareOperands(let left, _, let right), .compareText(let left, _, let right, _):
            return (isKey(left) && (isKey(right) || isConstant(right)))
                || (isConstant(left) && isKey(right))
        }
    }

    static func links(_ value: PlainValue, _ column: ColumnDefinition?) -> [LinkTarget] {
        switch value {
        case .scalar(.link, .link(let key)):
            column?.target.map { [LinkTarget(table: $0, key: key.rawValue)] } ?? []
        case .mixed(let value): value?.allLinks ?? []
        case .collection(_, let elements): elements.flatMap { links($0.value, column) }
        default: []
        }
    }

    func step(_ value: MixedValue?, _ steps: ArraySlice<ScanMixedStep>) -> MixedValue? {
        guard let first = steps.first else { return value }
        switch (first, value) {
        case (.index(let index), .list(let values, _)):
            let position = index < 0 ? values.count + index : index
            return values.indices.contains(position)
                ? step(values[position], steps.dropFirst()) : nil
        case (.key(let key), .map(let entries, _)):
            return step(entries.first { Array($0.key) == key }?.value, steps.dropFirst())
        default: return nil
        }
    }

    // MARK: Predicates

    func matches(_ predicate: ScanPredicate, _ subject: Subject) -> Bool {
        switch predicate {
        case .all: return true
        case .none: return false
        case .and(let operands): return operands.allSatisfy { matches($0, subject) }
        case .or(let operands): return operands.contains { matches($0, subject) }
        case .not(let operand): return !matches(operand, subject)
        case .compare(let path, let comparison, let constant):
            switch value(path, subject) {
            case .scalar(let type, let value):
                return compare(type, value, comparison, constant, path, subject)
            case .mixed(let value):
                return PlainScan.compare(
                    value, comparison, MixedValue(plain: constant), isConstant: constant,
                    textIsBytes: constant.isText)
            default: return false
            }
        case .between(let path, let lower, let upper, let includesUpper):
            if lower == .null || upper == .null { return false }
            return matches(.compare(path, .greaterOrEqual, lower), subject)
                && matches(.compare(path, includesUpper ? .lessOrEqual : .less, upper), subject)
        case .oneOf(let path, let values):
            return values.contains { matches(.compare(path, .equal, $0), subject) }
        case .text(let path, let textOperator, let needle, let options):
            switch value(path, subject) {
            case .scalar(let type, let value):
                return ModelScan.text(type, value, textOperator, needle, options)
            case .mixed(.text(let text)):
                return ModelScan.text(.text, .text(Array(text)), textOperator, needle, options)
            case .mixed(.bytes(let bytes)):
                return ModelScan.text(.bytes, .bytes(Array(bytes)), textOperator, needle, options)
            case .mixed: return textOperator == .notEqual
            default: return false
            }
        case .matchesText(let path, let matcher):
            switch value(path, subject) {
            case .scalar(.text, .text(let text)):
                return text.withUnsafeBytes { matcher.matches($0) }
            case .mixed(.text(let text)): return text.withUnsafeBytes { matcher.matches($0) }
            default: return false
            }
        case .fullText, .matchesNumbers: fatalError("has models of its own")
        case .any(let hop, let predicate):
            return follow(hop, subject, for: predicate).subjects.contains { matches(predicate, $0) }
        case .scope(let scope, let predicate):
            var inner = self
            inner.scopes[scope] = subject
            return inner.matches(predicate, subject)
        case .at(let scope, let predicate):
            return scopes[scope].map { matches(predicate, $0) } ?? false
        case .anyCompared(let hops, let value, let comparison, let other, let isNegated):
            var found = [subject]
            for hop in hops { found = found.flatMap { follow(hop, $0).subjects } }
            guard let second = operand(other, subject) else { return false }
            return found.contains { end in
                guard let first = operand(value, end) else { return false }
                return compare(first, comparison, second, textIsBytes: value.isText || other.isText)
                    != isNegated
            }
        case .compareColumns(let left, let comparison, let right):
            return compare(
                placed(value(left, subject), left, subject), comparison,
                placed(value(right, subject), right, subject), areColumns: true)
        // As any comparison of a column with a constant.
        case .compareOperands(.path(let path), let comparison, .constant(let constant)):
            return matches(.compare(path, comparison, constant), subject)
        case .compareOperands(.constant(let constant), let comparison, .path(let path)):
            return matches(.compare(path, comparison.exchanged, constant), subject)
        case .compareOperands(.path(let left), let comparison, .path(let right)):
            return matches(.compareColumns(left, comparison, right), subject)
        case .compareOperands(let left, let comparison, let right):
            guard let a = operand(left, subject), let b = operand(right, subject) else {
                return false
            }
            return compare(a, comparison, b, textIsBytes: left.isText || right.isText)
        case .compareText(let text, let textOperator, let needle, let options):
            guard let a = operand(text, subject), let b = operand(needle, subject) else {
                return false
            }
            return PlainScan.compareText(
                a, textOperator, b, options, textIsBytes: text.isText || needle.isText)
        }
    }

    func compare(
        _ type: ColumnType, _ value: ScanValue, _ comparison: ScanComparison, _ constant: ScanValue,
        _ path: ScanPath, _ subject: Subject
    ) -> Bool {
        if case .object(let target) = constant {
            guard comparison == .equal || comparison == .notEqual,
                type == .link || path.column == .rowKeys
            else { return false }
            let isEqual =
                switch value {
                case .link(let key): key.rawValue == target.key
                case .integer(let key): key == target.key
                default: false
                }
            return (isEqual && target.table == table(of: path, subject)) == (comparison == .equal)
        }
        if case .timestamp(let seconds) = constant {
            return type == .timestamp
                && ModelScan.compare(type, value, comparison, .double(seconds), path.column)
        }
        return ModelScan.compare(type, value, comparison, constant, path.column)
    }

    /// A value of a path's column. A link knows its table by its column, which matters beside a
    /// mixed value.
    func placed(_ value: PlainValue?, _ path: ScanPath, _ subject: Subject) -> PlainValue? {
        guard case .scalar(.link, .link(let key))? = value, let table = table(of: path, subject)
        else { return value }
        return .scalar(.link, .object(LinkTarget(table: table, key: key.rawValue)))
    }

    /// The table of the rows that the values at the end of a path are.
    func table(of path: ScanPath, _ subject: Subject) -> TableID? {
        guard case .row(var table, _, _) = subject else { return nil }
        for link in path.links { table = tables[table]?.definition[link]?.target ?? table }
        return path.column == .rowKeys ? table : tables[table]?.definition[path.column]?.target
    }

    /// Compares what mixed values may hold.
    /// - Parameter textIsBytes: Whether one of them is a constant text, which bytes may equal.
    static func compare(
        _ a: MixedValue?, _ comparison: ScanComparison, _ b: MixedValue?,
        isConstant: ScanValue? = nil, textIsBytes: Bool
    ) -> Bool {
        if case .link? = isConstant { return comparison == .notEqual }
        let isOrdered = comparison != .equal && comparison != .notEqual
        guard let a, let b else {
            return ModelScan.holds(a == nil && b == nil ? 0 : nil, comparison)
        }
        func isNaN(_ value: MixedValue) -> Bool {
            switch value {
            case .float(let value): value.isNaN
            case .double(let value), .timestamp(let value): value.isNaN
            case .decimal(_, let high): high >> 58 & 0x1F == 0x1F
            default: false
            }
        }
        if isNaN(a) || isNaN(b) { return comparison == .notEqual }
        switch (a, b) {
        case (.text(let x), .bytes(let y)) where textIsBytes:
            return ModelScan.holds(ModelScan.order(.bytes(Array(x)), .bytes(Array(y))), comparison)
        case (.bytes(let x), .text(let y)) where textIsBytes:
            return ModelScan.holds(ModelScan.order(.bytes(Array(x)), .bytes(Array(y))), comparison)
        default: break
        }
        guard a.group == b.group else { return comparison == .notEqual }
        let order = MixedValue.compare(a, b)
        switch a {
        case .boolean, .link, .list, .map:
            return isOrdered ? false : (order == 0) == (comparison == .equal)
        default: return ModelScan.holds(order, comparison)
        }
    }

}

extension ScanValue {
    fileprivate var isText: Bool { if case .text = self { true } else { false } }
}

extension ScanOperand {
    /// Whether it is a constant text.
    fileprivate var isText: Bool {
        if case .constant(let value) = self { value.isText } else { false }
    }
}
