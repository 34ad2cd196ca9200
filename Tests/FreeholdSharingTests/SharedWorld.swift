@testable import FreeholdStorage
import FreeholdTestSupport

/// Classes with properties of each kind, and random changes of their objects.
///
/// The names say what a property is: the model tells initial values by them.
enum SharedWorld {
    static func addClasses(to writeSet: WriteSet) {
        let thing = writeSet.createTable(named: "Thing")
        let named = writeSet.createTable(named: "Named")
        let part = writeSet.createTable(named: "Part", isOwned: true)
        let piece = writeSet.createTable(named: "Piece", isOwned: true)
        let id = add(writeSet, thing, "id", .integer)
        writeSet.setPrimaryKey(id, of: thing)
        let name = writeSet.addColumn(
            to: named, named: "key", type: .text, isNullable: false, isIndexed: true)
        writeSet.setPrimaryKey(name, of: named)
        for table in [thing, named] {
            add(writeSet, table, "int", .integer)
            add(writeSet, table, "count", .integer)
            add(writeSet, table, "optInt", .integer, isNullable: true)
            add(writeSet, table, "bool", .boolean)
            add(writeSet, table, "text", .text)
            add(writeSet, table, "optText", .text, isNullable: true)
            add(writeSet, table, "link", .link, isNullable: true, target: thing)
            add(writeSet, table, "any", .mixed, isNullable: true)
            add(writeSet, table, "listInt", list: .integer)
            add(writeSet, table, "listLink", list: .link, target: named)
            add(writeSet, table, "part", .link, isNullable: true, target: part)
        }
        add(writeSet, thing, "double", .double)
        add(writeSet, thing, "time", .timestamp)
        add(writeSet, thing, "optFloat", .float, isNullable: true)
        add(writeSet, thing, "optData", .bytes, isNullable: true)
        add(writeSet, thing, "optOid", .fixed12, isNullable: true)
        add(writeSet, thing, "optUuid", .fixed16, isNullable: true)
        add(writeSet, thing, "optDecimal", .decimal, isNullable: true)
        add(writeSet, thing, "listText", list: .text, isNullable: true)
        add(writeSet, thing, "listAny", list: .mixed)
        add(writeSet, thing, "listPart", list: .link, target: part)
        add(writeSet, thing, "setInt", list: .integer, shape: .set)
        add(writeSet, thing, "setLink", list: .link, shape: .set, target: thing)
        add(writeSet, thing, "setAny", list: .mixed, shape: .set)
        add(writeSet, thing, "mapInt", list: .integer, shape: .map)
        add(writeSet, thing, "mapLink", list: .link, shape: .map, target: named)
        add(writeSet, thing, "mapAny", list: .mixed, shape: .map)
        add(writeSet, thing, "mapPart", list: .link, shape: .map, target: part)
        add(writeSet, part, "int", .integer)
        add(writeSet, part, "optText", .text, isNullable: true)
        add(writeSet, part, "link", .link, isNullable: true, target: named)
        add(writeSet, part, "listLink", list: .link, target: thing)
        add(writeSet, part, "part", .link, isNullable: true, target: piece)
        add(writeSet, part, "listPart", list: .link, target: piece)
        add(writeSet, piece, "int", .integer)
        add(writeSet, piece, "any", .mixed, isNullable: true)
    }

    @discardableResult
    private static func add(
        _ writeSet: WriteSet, _ table: TableID, _ name: String, _ type: ColumnType,
        isNullable: Bool = false, target: TableID? = nil
    ) -> ColumnID {
        writeSet.addColumn(
            to: table, named: name, type: type, isNullable: isNullable, isIndexed: false,
            target: target)
    }

    private static func add(
        _ writeSet: WriteSet, _ table: TableID, _ name: String, list type: ColumnType,
        shape: StoredCollectionKind.Shape = .list, isNullable: Bool = false, target: TableID? = nil
    ) {
        _ = writeSet.addColumn(
            to: table, named: name,
            collection: StoredCollectionKind(
                shape, of: type,
                isNullable: isNullable || type == .mixed || shape == .map && type == .link),
            target: target)
    }

    /// A few random operations on the objects of a transaction.
    static func change(_ writeSet: WriteSet, _ random: inout SeededGenerator) throws {
        for _ in 0..<random.int(1...3) {
            let rows = SharedRows(writeSet)
            var commit = SharedCommit()
            let object = reference(&random)
            guard let table = rows.table(object.className) else { continue }
            let row = try rows.row(of: object, in: table)
            if row != nil, random.once(in: 6) {
                commit.deleted = [object]
                if random.once(in: 4) { commit.inserted = [.init(object, [:])] }
            } else {
                var values: [String: SharedValue] = [:]
                let columns = table.columns.filter { $0.id != table.primaryKey }
                for _ in 0..<random.int(0...3) where !columns.isEmpty {
                    let column = random.pick(columns)
                    values[column.name] = value(
                        column, in: writeSet, rows.value(row ?? .min, column, of: table), &random)
                }
                if let row, random.once(in: 3), let column = table["count"] {
                    let amount = Int64(random.int(-3...3))
                    if case .integer(let old) = rows.value(row, column, of: table) {
                        values["count"] = .integer(old &+ amount)
                        writeSet.increments[
                            CellOfRow(table: table.id, row: row, column: column.id), default: 0] +=
                            amount
                    }
                }
                if row == nil {
                    commit.inserted = [.init(object, values)]
                } else {
                    commit.updated = [.init(object, values.mapValues { .assign($0) })]
                }
            }
            commit.define(by: writeSet.catalog)
            _ = try SharedApplier(writeSet).apply(commit)
        }
    }

    static func reference(_ random: inout SeededGenerator) -> SharedReference {
        random.once(in: 2)
            ? SharedReference("Thing", .integer(Int64(random.int(1...6))))
            : SharedReference("Named", text(&random))
    }

    private static func text(_ random: inout SeededGenerator) -> SharedValue {
        .text(ContiguousArray(random.pick(["a", "b", "cé", "d"]).utf8))
    }

    private static func value(
        _ column: ColumnDefinition, in writeSet: WriteSet, _ old: SharedValue,
        _ random: inout SeededGenerator
    ) -> SharedValue {
        let target = column.target.flatMap { writeSet.catalog[$0] }
        func element(_ random: inout SeededGenerator) -> SharedValue {
            single(column.collection?.type ?? column.type, target, in: writeSet, &random)
        }
        guard let kind = column.collection else {
            if column.isNullable, random.once(in: 4) { return .null }
            return element(&random)
        }
        switch (kind.shape, old) {
        case (.list, .list(var elements)):
            for _ in 0..<random.int(1...3) {
                let isRemoval = random.once(in: 3)
                if isRemoval, !elements.isEmpty {
                    elements.remove(at: random.int(0...(elements.count - 1)))
                } else {
                    elements.insert(element(&random), at: random.int(0...elements.count))
                }
            }
            return .list(elements)
        case (.set, .set(var elements)):
            for _ in 0..<random.int(1...3) {
                if random.once(in: 3), let first = elements.first { elements.remove(first) }
                elements.insert(element(&random))
            }
            return .set(elements)
        case (.map, .map(var entries)):
            for _ in 0..<random.int(1...2) {
                let key = ContiguousArray(random.pick(["x", "y", "z"]).utf8)
                entries[key] = random.once(in: 3) ? nil : element(&random)
            }
            return .map(entries)
        default: return column.initialShared
        }
    }

    private static func single(
        _ type: ColumnType, _ target: TableDefinition?, in writeSet: WriteSet,
        _ random: inout SeededGenerator
    ) -> SharedValue {
        let number = Int64(random.int(0...5))
        switch type {
        case .integer: return .integer(number)
        case .boolean: return .boolean(random.once(in: 2))
        case .float: return .float(random.pick([Float(1.5), .nan, -0.0]).bitPattern)
        case .double, .timestamp: return .double(random.pick([0.0, 2.5, .infinity]).bitPattern)
        case .text: return text(&random)
        case .bytes: return .bytes([UInt8(number), 0])
        case .fixed12:
            return .fixed(FixedValue((UInt64(number), UInt32(number)) as (UInt64, UInt32)))
        case .fixed16: return .fixed(FixedValue((UInt64(number), UInt64(7)) as (UInt64, UInt64)))
        case .decimal: return .decimal(UInt64(number), 0x3040_0000_0000_0000)
        case .link:
            guard let target else { return .null }
            if target.isOwned {
                var fields: [String: SharedValue] = [:]
                for _ in 0..<random.int(0...2) where !target.columns.isEmpty {
                    let column = random.pick(target.columns)
                    let made = value(column, in: writeSet, column.initialShared, &random)
                    if made != column.initialShared { fields[column.name] = made }
                }
                return .object(fields)
            }
            if target.name == "Thing" {
                return .link(SharedReference("Thing", .integer(Int64(random.int(1...6)))))
            }
            return .link(SharedReference("Named", text(&random)))
        case .mixed: return mixed(&random, depth: 0)
        }
    }

    private static func mixed(_ random: inout SeededGenerator, depth: Int) -> SharedValue {
        switch random.int(0...(depth < 2 ? 8 : 6)) {
        case 0: .integer(Int64(random.int(0...3)))
        case 1: text(&random)
        case 2: .boolean(true)
        case 3: .timestamp(2.0.bitPattern)
        case 4: .anyLink(reference(&random))
        case 5: .double(10.5.bitPattern)
        case 6: .float(Float(20.5).bitPattern)
        case 7: .list((0..<random.int(0...2)).map { _ in mixed(&random, depth: depth + 1) })
        default:
            .map([ContiguousArray("k".utf8): mixed(&random, depth: depth + 1)])
        }
    }
}
