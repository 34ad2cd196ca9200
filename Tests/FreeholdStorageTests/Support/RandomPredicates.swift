import FreeholdStorage
import FreeholdTestSupport

/// Random predicates on a model's first table that match some rows more often than chance would
/// have it.
struct RandomPredicates {
    let world: ModelWorld
    var random: SeededGenerator

    mutating func tree(depth: Int, table: TableID = ModelWorld.first) -> ScanPredicate {
        if depth == 0 || random.once(in: 4) { return leaf(table) }
        switch random.int(0...5) {
        case 0: return .not(tree(depth: depth - 1, table: table))
        case 1, 2: return .or(operands(depth, table))
        default: return .and(operands(depth, table))
        }
    }

    private mutating func operands(_ depth: Int, _ table: TableID) -> [ScanPredicate] {
        var operands: [ScanPredicate] = []
        for _ in 0..<random.pick([0, 1, 2, 2, 3, 3, 4]) {
            operands.append(tree(depth: depth - 1, table: table))
        }
        return operands
    }

    mutating func path(_ table: TableID, depth: Int = 2) -> ScanPath {
        guard let definition = world.tables[table]?.definition else {
            return ScanPath(column: .rowKeys)
        }
        if depth > 0, random.once(in: 5),
            let link = definition.columns.first(where: { $0.type == .link }),
            let target = link.target
        {
            let rest = path(target, depth: depth - 1)
            return ScanPath(links: [link.id] + rest.links, column: rest.column)
        }
        return ScanPath(column: random.once(in: 20) ? .rowKeys : random.pick(definition.columns).id)
    }

    /// Where a path leads: a table and one of its columns.
    private func end(_ path: ScanPath, _ table: TableID) -> (table: TableID, type: ColumnType) {
        var table = table
        for link in path.links { table = world.tables[table]?.definition[link]?.target ?? table }
        return (table, world.tables[table]?.definition[path.column]?.type ?? .integer)
    }

    /// A constant for the end of a path: often a value that some row has there.
    mutating func constant(_ path: ScanPath, _ table: TableID) -> ScanValue {
        let end = end(path, table)
        if random.once(in: 15) { return .null }
        if random.once(in: 12) {
            return ModelValues.value(random.pick(ModelWorld.types), using: &random)
        }
        if random.once(in: 3) { return ModelValues.value(end.type, using: &random) }
        guard let model = world.tables[end.table], !model.rows.isEmpty else { return .null }
        if path.column == .rowKeys {
            let key = random.pick(model.keys)
            return random.once(in: 2) ? .integer(key) : .link(RowKey(rawValue: key))
        }
        guard let position = model.position(of: path.column) else { return .null }
        return random.pick(model.rows)[position]
    }

    mutating func leaf(_ table: TableID) -> ScanPredicate {
        let path = path(table)
        let comparison = random.pick(ScanComparison.allCases)
        switch random.int(0...19) {
        case 0: return .all
        case 1: return .none
        case 2, 3:
            return .between(
                path, constant(path, table), constant(path, table),
                includesUpper: random.once(in: 2))
        case 4, 5:
            var constants: [ScanValue] = []
            for _ in 0..<random.pick([0, 1, 2, 3, 10, 40]) {
                constants.append(constant(path, table))
            }
            return .oneOf(path, constants)
        case 6, 7: return .compareColumns(path, comparison, self.path(table))
        case 8, 9:
            // Two columns of one type.
            let other = self.path(table)
            for _ in 0..<60 {
                let candidate = self.path(table)
                if end(candidate, table).type == end(other, table).type && candidate != other {
                    return .compareColumns(candidate, comparison, other)
                }
            }
            return .compareColumns(other, comparison, other)
        case 10, 11, 12, 13, 14: return text(table)
        default: return .compare(path, comparison, constant(path, table))
        }
    }

    mutating func text(_ table: TableID) -> ScanPredicate {
        var path = path(table)
        for _ in 0..<40 where !end(path, table).type.isVariableLength { path = self.path(table) }
        let textOperator = random.pick(ScanTextOperator.allCases)
        var needle = ModelValues.text(using: &random)
        switch constant(path, table) {
        case .text(let bytes), .bytes(let bytes): needle = bytes
        default: break
        }
        // A piece of it, between scalars.
        if !needle.isEmpty, random.once(in: 2) {
            let scalars = Array(String(decoding: needle, as: UTF8.self).unicodeScalars)
            let start = random.int(0...scalars.count - 1)
            let piece = scalars[start...random.int(start...min(scalars.count - 1, start + 6))]
            needle = Array(String(String.UnicodeScalarView(piece)).utf8)
        }
        if textOperator == .like {
            for _ in 0..<random.int(0...2) {
                let place = String(decoding: needle, as: UTF8.self).unicodeScalars.map {
                    Array(String($0).utf8)
                }
                let cut = random.int(0...place.count)
                needle =
                    place[..<cut].flatMap { $0 } + Array(random.pick(["*", "?", "*?"]).utf8)
                    + place[cut...].flatMap { $0 }
            }
        }
        return .text(
            path, textOperator, needle, ScanTextOptions(rawValue: UInt8(random.int(0...3))))
    }
}
