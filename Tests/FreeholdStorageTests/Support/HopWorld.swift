import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Two tables that link to each other in every way, with collections and mixed values, in a
/// store. What they hold is read back by ``PlainScan``.
struct HopWorld {
    let owners: TableID
    let targets: TableID
    private(set) var ownerKeys: [Int64] = []
    private(set) var targetKeys: [Int64] = []
    private(set) var definitions: [TableID: TableDefinition] = [:]

    static let texts = [
        "", "a", "b", "ab", "abc", "B", "É", "e\u{301}",
        "a longer text that does not fit a tiny cell",
    ]
    static let mapKeys = ["a", "b", "c", "some longer key"]

    init(in writeSet: WriteSet, using random: inout SeededGenerator) throws {
        owners = writeSet.createTable(named: "Owner")
        targets = writeSet.createTable(named: "Target")
        func value(_ table: TableID, _ name: String, _ type: ColumnType, _ target: TableID? = nil) {
            _ = writeSet.addColumn(
                to: table, named: name, type: type,
                isNullable: type == .link || type == .mixed || random.once(in: 2),
                isIndexed: [.integer, .text, .double, .timestamp].contains(type)
                    && random.once(in: 2), target: target)
        }
        func collection(
            _ table: TableID, _ name: String, _ shape: StoredCollectionKind.Shape,
            _ type: ColumnType,
            _ target: TableID? = nil
        ) {
            let isNullable = type == .mixed || (type == .link ? shape == .map : random.once(in: 2))
            _ = writeSet.addColumn(
                to: table, named: name,
                collection: StoredCollectionKind(shape, of: type, isNullable: isNullable),
                target: target)
        }
        for (table, other) in [(owners, targets), (targets, owners)] {
            for type in [
                ColumnType.integer, .text, .double, .timestamp, .boolean, .bytes, .float, .mixed,
            ] { value(table, "\(type)", type) }
            value(table, "one", .link, other)
            collection(table, "links", .list, .link, other)
        }
        value(owners, "same", .link, owners)
        collection(owners, "set", .set, .link, targets)
        collection(owners, "map", .map, .link, targets)
        for type in [ColumnType.integer, .text, .double, .timestamp, .mixed, .boolean] {
            collection(owners, "list of \(type)", .list, type)
            collection(owners, "map of \(type)", .map, type)
        }
        collection(owners, "set of integers", .set, .integer)
        collection(owners, "set of mixed", .set, .mixed)
        for table in [owners, targets] { definitions[table] = writeSet.catalog[table] }
    }

    // MARK: Changes

    mutating func grow(by count: Int, in writeSet: WriteSet, using random: inout SeededGenerator)
        throws
    {
        for _ in 0..<count {
            if random.once(in: 2) {
                let key = writeSet.mutableTable(owners).nextRowKey()
                _ = writeSet.mutableTable(owners).insertRow(key)
                ownerKeys.append(key.rawValue)
            } else {
                let key = writeSet.mutableTable(targets).nextRowKey()
                _ = writeSet.mutableTable(targets).insertRow(key)
                targetKeys.append(key.rawValue)
            }
        }
        for key in ownerKeys.suffix(count) { try fill(owners, key, in: writeSet, using: &random) }
        for key in targetKeys.suffix(count) { try fill(targets, key, in: writeSet, using: &random) }
    }

    private mutating func fill(
        _ table: TableID, _ key: Int64, in writeSet: WriteSet, using random: inout SeededGenerator
    ) throws {
        for column in definitions[table]?.columns ?? [] where !random.once(in: 4) {
            try change(table, key, column, in: writeSet, using: &random)
        }
    }

    /// Changes some values, deletes and adds some rows.
    mutating func change(in writeSet: WriteSet, using random: inout SeededGenerator) throws {
        let isOnlyCollections = random.once(in: 3)
        for _ in 0..<random.int(1...25) {
            let table = random.pick([owners, targets])
            let keys = table == owners ? ownerKeys : targetKeys
            guard !keys.isEmpty else { continue }
            let columns = (definitions[table]?.columns ?? []).filter {
                !isOnlyCollections || $0.collection != nil
            }
            try change(table, random.pick(keys), random.pick(columns), in: writeSet, using: &random)
        }
        if isOnlyCollections { return }
        if random.once(in: 2) {
            let doomed = targetKeys.filter { _ in random.once(in: 12) }
            try writeSet.mutableTable(targets).deleteRows(doomed)
            targetKeys.removeAll { doomed.contains($0) }
        }
        if random.once(in: 2) {
            let doomed = ownerKeys.filter { _ in random.once(in: 12) }
            try writeSet.mutableTable(owners).deleteRows(doomed)
            ownerKeys.removeAll { doomed.contains($0) }
        }
        try grow(by: random.int(0...4), in: writeSet, using: &random)
    }

    private func change(
        _ table: TableID, _ key: Int64, _ column: ColumnDefinition, in writeSet: WriteSet,
        using random: inout SeededGenerator
    ) throws {
        guard let kind = column.collection else {
            let row = try #require(writeSet.mutableTable(table).mutableRow(RowKey(rawValue: key)))
            switch element(column.type, column.isNullable, column.target, using: &random) {
            case .mixed(let bytes):
                if let bytes {
                    bytes.withUnsafeBytes { row.setMixed(column.id, $0) }
                } else {
                    row.setMixed(column.id, nil)
                }
            case .scalar(let value):
                switch value {
                case .null: if column.isNullable { row.setNull(column.id) }
                case .integer(let value): row.setInteger(column.id, value)
                case .link(let key): row.setInteger(column.id, key.rawValue)
                case .boolean(let value): row.setBoolean(column.id, value)
                case .float(let value): row.setFloat(column.id, value)
                case .double(let value): row.setDouble(column.id, value)
                case .text(let bytes), .bytes(let bytes):
                    bytes.withUnsafeBytes { row.setBytes(column.id, $0) }
                default: Issue.record("no value of this world")
                }
            }
            return
        }
        let tree = try #require(
            writeSet.mutableTable(table).mutableCollection(
                of: column.id, key: RowKey(rawValue: key)))
        if random.once(in: 3) { tree.removeAll() }
        if kind.type == .link, targets(of: column.target).isEmpty { return }
        for _ in 0..<random.pick([0, 1, 2, 3, 5, random.once(in: 10) ? 70 : 4]) {
            let value = element(kind.type, kind.isNullable, column.target, using: &random)
            switch kind.shape {
            case .list: tree.insert(value, at: random.int(0...tree.count))
            case .set:
                let place = tree.find(value)
                if !place.isFound { tree.insert(value, at: place.index) }
            case .map:
                let name =
                    random.once(in: 6) ? "key \(random.int(0...90))" : random.pick(Self.mapKeys)
                let place = Array(name.utf8).withUnsafeBytes { tree.stored.find(key: $0) }
                if place.isFound {
                    tree.set(value, at: place.index)
                } else {
                    tree.insert(value, at: place.index)
                    Array(name.utf8).withUnsafeBytes { tree.setKey($0, at: place.index) }
                }
            }
        }
        // What a property of few elements does at once: its elements then lie in the cell, in
        // the transaction too.
        if random.once(in: 2) {
            writeSet.mutableTable(table).settleSmallElements(
                of: column.id, key: RowKey(rawValue: key))
        }
    }

    private func targets(of table: TableID?) -> [Int64] { table == owners ? ownerKeys : targetKeys }

    // MARK: Values

    func element(
        _ type: ColumnType, _ isNullable: Bool, _ target: TableID?,
        using random: inout SeededGenerator
    ) -> ModelElement {
        if type == .mixed { return .mixed(mixed(depth: 0, using: &random)?.encoded) }
        if isNullable, random.once(in: 5) { return .scalar(.null) }
        if type == .link {
            let keys = targets(of: target)
            return .scalar(keys.isEmpty ? .null : .link(RowKey(rawValue: random.pick(keys))))
        }
        return .scalar(scalar(type, using: &random))
    }

    /// Few different ones, so that they meet.
    func scalar(_ type: ColumnType, using random: inout SeededGenerator) -> ScanValue {
        switch type {
        case .integer:
            .integer(
                random.once(in: 12) ? random.pick([Int64.min, .max]) : Int64(random.int(-3...6)))
        case .boolean: .boolean(random.once(in: 2))
        case .float: .float(Float(random.int(-4...8)) / 2)
        case .double:
            .double(
                random.once(in: 12)
                    ? random.pick([.nan, .infinity, -0.0]) : Double(random.int(-4...8)) / 2)
        case .timestamp: .double(Double(random.int(-2...4)))
        case .text: .text(Array(random.pick(Self.texts).utf8))
        case .bytes: .bytes(Array(random.pick(Self.texts).utf8))
        case .decimal: .decimal(UInt64(random.int(0...30)), 6175 << 49)
        default: .null
        }
    }

    func mixed(depth: Int, using random: inout SeededGenerator) -> MixedValue? {
        switch random.int(0...(depth < 2 ? 12 : 9)) {
        case 0: return nil
        case 1: return .fixed(FixedValue((1, UInt32(random.int(0...1)))))
        case 2: return .fixed(FixedValue((1, UInt64(random.int(0...1)))))
        case 3...7:
            return MixedValue(
                plain: scalar(
                    random.pick([.integer, .boolean, .float, .double, .text, .bytes, .decimal]),
                    using: &random))
        case 8: return .timestamp(Double(random.int(-2...4)))
        case 9:
            let table = random.pick([owners, targets])
            let keys = targets(of: table)
            return keys.isEmpty ? nil : .link(LinkTarget(table: table, key: random.pick(keys)))
        case 10, 11:
            return .list(
                ContiguousArray(
                    (0..<random.int(0...4)).map { _ in mixed(depth: depth + 1, using: &random) }),
                identity: random.next())
        default:
            let keys = Self.mapKeys.filter { _ in random.once(in: 2) }
            return .map(
                ContiguousArray(
                    keys.map {
                        (
                            key: ContiguousArray($0.utf8),
                            value: mixed(depth: depth + 1, using: &random)
                        )
                    }), identity: random.next())
        }
    }
}
