import FreeholdStorage
import FreeholdTestSupport
import Testing

/// An element as a plain value: ordered and compared as the storage orders sets.
enum ModelElement: Hashable {
    case scalar(ScanValue)
    /// The bytes of a mixed value; nil for none.
    case mixed(ContiguousArray<UInt8>?)
}

/// A collection as a plain array; of a map: the values, with their keys beside them.
struct ModelCollection: Equatable {
    var values: [ModelElement] = []
    var keys: [[UInt8]] = []
}

/// A table with a column of collections of every kind, a mixed value, and what it should hold.
struct StoredCollectionModel {
    let id: TableID
    let targets: TableID
    let columns: [ColumnDefinition]
    let mixed: ColumnID
    var rows: [Int64: [ColumnID: ModelCollection]] = [:]
    var mixedValues: [Int64: ContiguousArray<UInt8>] = [:]
    var targetKeys: [Int64] = []

    static func create(in writeSet: WriteSet) -> StoredCollectionModel {
        let targets = writeSet.createTable(named: "Target")
        _ = writeSet.addColumn(
            to: targets, named: "number", type: .integer, isNullable: false, isIndexed: false)
        let id = writeSet.createTable(named: "Owner")
        for shape in [StoredCollectionKind.Shape.list, .set, .map] {
            for type in ColumnType.allCases {
                for isNullable in [false, true] {
                    // Links in maps can be null, mixed values can be none.
                    if type == .mixed || (type == .link && shape == .map), !isNullable { continue }
                    if type == .link, shape != .map, isNullable { continue }
                    _ = writeSet.addColumn(
                        to: id, named: "\(shape) of \(type)\(isNullable ? "?" : "")",
                        collection: StoredCollectionKind(shape, of: type, isNullable: isNullable),
                        target: type == .link ? targets : nil)
                }
            }
        }
        let mixed = writeSet.addColumn(
            to: id, named: "mixed", type: .mixed, isNullable: true, isIndexed: false)
        let columns = writeSet.catalog[id]!.columns.filter { $0.collection != nil }
        return StoredCollectionModel(id: id, targets: targets, columns: columns, mixed: mixed)
    }

    // MARK: Random values

    func randomElement(_ kind: StoredCollectionKind, _ random: inout SeededGenerator)
        -> ModelElement
    {
        if kind.type == .mixed { return .mixed(randomMixed(depth: 0, &random)?.encoded) }
        if kind.isNullable, Int.random(in: 0..<5, using: &random) == 0 { return .scalar(.null) }
        switch kind.type {
        case .integer:
            return .scalar(
                .integer(
                    [Int64.random(in: -40...40, using: &random), .min, .max].randomElement(
                        using: &random)!))
        case .boolean: return .scalar(.boolean(Bool.random(using: &random)))
        case .float: return .scalar(.float(Float(Int.random(in: -9...9, using: &random)) / 2))
        case .double, .timestamp:
            return .scalar(.double(Double(Int.random(in: -20...20, using: &random)) / 4))
        case .text: return .scalar(.text(randomText(&random)))
        case .bytes: return .scalar(.bytes(randomText(&random)))
        case .fixed12:
            return
                .scalar(.fixed(FixedValue((random.next() % 4 << 56, UInt32(random.next() % 4)))))
        case .fixed16:
            return
                .scalar(.fixed(FixedValue((random.next() % 4, random.next() % 4))))
        case .decimal:
            return .scalar(.decimal(UInt64.random(in: 0...30, using: &random), 6176 << 49))
        case .link:
            return targetKeys.randomElement(using: &random).map {
                .scalar(.link(RowKey(rawValue: $0)))
            } ?? .scalar(.null)
        case .mixed: fatalError()
        }
    }

    private func randomText(_ random: inout SeededGenerator) -> [UInt8] {
        let length = [0, 1, 2, 7, 30, 120, Int.random(in: 0..<40, using: &random) == 0 ? 3000 : 3]
            .randomElement(using: &random)!
        return (0..<length).map { _ in [97, 98, 99].randomElement(using: &random)! }
    }

    func randomMixed(depth: Int, _ random: inout SeededGenerator) -> MixedValue? {
        switch Int.random(in: 0..<(depth < 3 ? 14 : 11), using: &random) {
        case 0: return nil
        case 1: return .boolean(Bool.random(using: &random))
        case 2: return .integer(Int64.random(in: -5...5, using: &random))
        case 3: return .float(Float(Int.random(in: -9...9, using: &random)) / 2)
        case 4:
            return .double(
                [0.1, 2, 1e300, -1e-300, .nan, .infinity, 0x1p62].randomElement(using: &random)!)
        case 5:
            return .decimal(
                UInt64.random(in: 0...30, using: &random),
                [6175, 6176].randomElement(using: &random)! << 49)
        case 6: return .text(ContiguousArray(randomText(&random)))
        case 7: return .bytes(ContiguousArray(randomText(&random)))
        case 8: return .timestamp(Double(Int.random(in: -5...5, using: &random)))
        case 9: return .fixed(FixedValue((random.next() % 4, UInt32(random.next() % 4))))
        case 10: return .fixed(FixedValue((random.next() % 4, random.next() % 4)))
        case 11:
            return targetKeys.randomElement(using: &random).map {
                .link(LinkTarget(table: targets, key: $0))
            }
        case 12:
            return .list(
                ContiguousArray(
                    (0..<Int.random(in: 0...4, using: &random)).map { _ in
                        randomMixed(depth: depth + 1, &random)
                    }), identity: random.next())
        default:
            let keys = Set(
                (0..<Int.random(in: 0...4, using: &random)).map { _ in
                    String(decoding: randomText(&random), as: UTF8.self)
                })
            let entries = keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map {
                (key: ContiguousArray($0.utf8), value: randomMixed(depth: depth + 1, &random))
            }
            return .map(ContiguousArray(entries), identity: random.next())
        }
    }

    // MARK: Comparing

    func expectEqual(to source: TableSource, sourceLocation: SourceLocation = #_sourceLocation)
        throws
    {
        let table = source.table(id)
        #expect(table.count == rows.count, sourceLocation: sourceLocation)
        var backlinks: [ColumnID: [LinkTarget: [Int64: Int]]] = [:]
        for (key, collections) in rows {
            for column in columns {
                let stored = table.collection(of: column.id, key: RowKey(rawValue: key))
                let wanted = collections[column.id] ?? ModelCollection()
                let found = stored.map(ModelCollection.init(reading:)) ?? ModelCollection()
                #expect(
                    found == wanted, "row \(key), \(column.name)", sourceLocation: sourceLocation)
                for value in wanted.values {
                    for target in value.links(of: column) {
                        backlinks[column.id, default: [:]][target, default: [:]][key, default: 0] +=
                            1
                    }
                }
            }
            let place = try #require(table.locate(RowKey(rawValue: key)))
            let view = place.cluster.columns[mixed.position]
            let found =
                view.isNull(at: place.row)
                ? nil : table.withBytes(place.cluster, mixed, place.row) { ContiguousArray($0) }
            #expect(found == mixedValues[key], sourceLocation: sourceLocation)
            for target in ModelElement.mixed(mixedValues[key]).links(of: table.definition[mixed]!) {
                backlinks[mixed, default: [:]][target, default: [:]][key, default: 0] += 1
            }
        }
        for column in table.definition.columns where column.countsBacklinks {
            for key in targetKeys {
                let target = LinkTarget(table: targets, key: key)
                var found: [Int64: Int] = [:]
                try table.forEachBacklink(of: column, to: target) { found[$0] = $1 }
                let wanted = backlinks[column.id]?[target] ?? [:]
                #expect(
                    found == wanted, "backlinks of \(column.name)", sourceLocation: sourceLocation)
                #expect(
                    try table.backlinkCount(of: column, to: target) == wanted.values.reduce(0, +),
                    sourceLocation: sourceLocation)
            }
        }
    }
}

extension ModelElement {
    func links(of column: ColumnDefinition) -> [LinkTarget] {
        switch self {
        case .scalar(.link(let key)):
            column.target.map { [LinkTarget(table: $0, key: key.rawValue)] } ?? []
        case .mixed(let bytes?): bytes.withUnsafeBytes { MixedValue(decoding: $0) }?.allLinks ?? []
        default: []
        }
    }

    /// The order of sets.
    static func compare(_ a: ModelElement, _ b: ModelElement) -> Int {
        switch (a, b) {
        case (.mixed(let first), .mixed(let second)):
            func value(_ bytes: ContiguousArray<UInt8>?) -> MixedValue? {
                bytes.flatMap { $0.withUnsafeBytes { MixedValue(decoding: $0) } }
            }
            return MixedValue.compare(value(first), value(second))
        case (.scalar(let first), .scalar(let second)):
            if first == .null { return second == .null ? 0 : -1 }
            if second == .null { return 1 }
            func order<Value: Comparable>(_ a: Value, _ b: Value) -> Int {
                a == b ? 0 : a < b ? -1 : 1
            }
            func bytes(_ words: any FixedWidthInteger...) -> [UInt8] {
                words.flatMap { word in
                    withUnsafeBytes(of: word) { Array($0.prefix(word.bitWidth / 8)) }
                }
            }
            func order(_ a: [UInt8], _ b: [UInt8]) -> Int {
                a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
            }
            switch (first, second) {
            case (.integer(let a), .integer(let b)): return order(a, b)
            case (.boolean(let a), .boolean(let b)): return order(a ? 1 : 0, b ? 1 : 0)
            case (.float(let a), .float(let b)): return order(a, b)
            case (.double(let a), .double(let b)): return order(a, b)
            case (.text(let a), .text(let b)), (.bytes(let a), .bytes(let b)): return order(a, b)
            case (.link(let a), .link(let b)): return order(a, b)
            case (.decimal(let a, _), .decimal(let b, _)): return order(a, b)
            case (.fixed(let a), .fixed(let b)) where a.kind == .fixed12:
                return order(
                    Self.memory(a.fixed12.0) + Self.memory(a.fixed12.1),
                    Self.memory(b.fixed12.0) + Self.memory(b.fixed12.1))
            case (.fixed(let a), .fixed(let b)):
                return order(Self.memory(a.fixed16), Self.memory(b.fixed16))
            default: fatalError()
            }
        default: fatalError()
        }
    }

    private static func memory<Value: BitwiseCopyable>(_ value: Value) -> [UInt8] {
        withUnsafeBytes(of: value) { Array($0) }
    }
}

extension MixedValue {
    var allLinks: [LinkTarget] {
        switch self {
        case .link(let target): [target]
        case .list(let values, _): values.flatMap { $0?.allLinks ?? [] }
        case .map(let entries, _): entries.flatMap { $0.value?.allLinks ?? [] }
        default: []
        }
    }
}

extension ModelCollection {
    init(reading elements: StoredCollection) {
        elements.forEachLeaf { leaf in
            for element in 0..<leaf.count {
                values.append(ModelElement(leaf, element, elements.kind))
                if elements.kind.shape == .map {
                    keys.append([UInt8](leaf.keys.heapBytes(at: element)))
                }
            }
            return true
        }
    }
}

extension ModelElement {
    init(_ leaf: CollectionLeaf, _ element: Int, _ kind: StoredCollectionKind) {
        if kind.type == .mixed {
            self = .mixed(
                leaf.values.isNull(at: element)
                    ? nil : ContiguousArray(leaf.values.heapBytes(at: element)))
        } else {
            self = .scalar(ScanValue(leaf.values, element, kind.type))
        }
    }
}
