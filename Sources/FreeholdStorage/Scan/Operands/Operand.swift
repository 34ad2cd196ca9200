/// A ``ScanOperand`` compiled for one table. Confined to the evaluation that compiled it.
class Operand {
    let kind: OperandComparison.Class

    init(_ kind: OperandComparison.Class) { self.kind = kind }

    /// Calls `body` with the value of a row, and returns its result.
    func with(_ row: Int, _ cluster: ClusterView, _ run: ScanRun, _ body: (OperandValue) -> Bool)
        -> Bool
    { fatalError("abstract") }

    /// Work to do once before many rows are evaluated.
    func prepare() throws(StorageError) {}

    /// The estimated cost of a row, in nanoseconds.
    var rowCost: Double { 10 }

    var isConstantText: Bool { false }

    /// A description for people.
    var summary: String { fatalError("abstract") }
}

final class ConstantOperand: Operand {
    let value: ScanValue

    init(_ value: ScanValue) {
        self.value = value
        super.init(OperandComparison.Class(value))
    }

    override func with(
        _ row: Int, _ cluster: ClusterView, _ run: ScanRun, _ body: (OperandValue) -> Bool
    ) -> Bool { value.withOperandValue(body) }

    override var rowCost: Double { 1 }

    override var isConstantText: Bool { if case .text = value { true } else { false } }

    override var summary: String { value.summary }
}

/// The value at the end of a path, or at the end of some steps into a mixed value there.
final class PathOperand: Operand {
    private let reader: ValueReader
    private let steps: [ScanMixedStep]
    private let target: TableID?

    private let keysAreNumbers: Bool

    /// - Parameter keysAreNumbers: Whether row keys are integers rather than links, as in
    ///   comparisons with other columns.
    init(_ reader: ValueReader, steps: [ScanMixedStep] = [], keysAreNumbers: Bool = false) {
        self.keysAreNumbers = keysAreNumbers
        self.reader = reader
        self.steps = steps
        let isRowKey = reader.column == .rowKeys
        target = isRowKey ? reader.table.id : reader.table.definition[reader.column]?.target
        super.init(
            isRowKey && !keysAreNumbers ? .type(.link) : OperandComparison.Class(reader.type))
    }

    override func with(
        _ row: Int, _ cluster: ClusterView, _ run: ScanRun, _ body: (OperandValue) -> Bool
    ) -> Bool {
        guard let place = reader.place(row, cluster) else { return body(.null) }
        if keysAreNumbers, reader.column == .rowKeys {
            return body(.integer(place.view.integer(at: place.row)))
        }
        return reader.withValue(at: place, target: target, steps, body)
    }

    override var rowCost: Double { reader.isDirect ? 12 : 80 }

    override var summary: String { reader.name }
}

/// A map's value for a key.
final class MapValueOperand: Operand {
    private let reader: ValueReader
    private let elements: StoredCollectionKind
    private let target: TableID?
    private let key: [UInt8]

    init(_ reader: ValueReader, _ elements: StoredCollectionKind, key: [UInt8]) {
        self.reader = reader
        self.elements = elements
        self.key = key
        target = reader.table.definition[reader.column]?.target
        super.init(OperandComparison.Class(elements.type))
    }

    /// O(log count).
    override func with(
        _ row: Int, _ cluster: ClusterView, _ run: ScanRun, _ body: (OperandValue) -> Bool
    ) -> Bool {
        guard let place = reader.place(row, cluster) else { return body(.null) }
        let map = reader.table.collection(
            of: reader.column, elements, place.cluster, row: place.row)
        let (index, isFound) = key.withUnsafeBytes { map.find(key: $0) }
        guard isFound else { return body(.null) }
        let leaf = map.leaf(at: index)
        let element = index - leaf.start
        if leaf.values.isNull(at: element) { return body(.null) }
        switch elements.type {
        case .text: return body(.text(leaf.values.heapBytes(at: element)))
        case .bytes: return body(.bytes(leaf.values.heapBytes(at: element)))
        case .mixed: return body(OperandValue(mixed: leaf.values.heapBytes(at: element)))
        default: return body(OperandValue(elements.type, leaf.values, element, target: target))
        }
    }

    override var rowCost: Double { 100 }

    override var summary: String {
        "\(reader.table.name(of: reader.column))[\(String(decoding: key, as: UTF8.self))]"
    }
}

extension ValueReader {
    /// Calls `body` with the non-null value of a row.
    func withValue(
        at place: Place, target: TableID?, _ steps: [ScanMixedStep], _ body: (OperandValue) -> Bool
    ) -> Bool {
        switch type {
        case .text: withBytes(at: place) { body(.text($0)) }
        case .bytes: withBytes(at: place) { body(.bytes($0)) }
        case .mixed:
            withBytes(at: place) { bytes in
                guard let bytes = MixedReader.nested(bytes, steps[...]) else { return body(.null) }
                return body(OperandValue(mixed: bytes))
            }
        default:
            body(
                column == .rowKeys
                    ? .link(target, place.view.integer(at: place.row))
                    : OperandValue(type, place.view, place.row, target: target))
        }
    }
}

extension TableView {
    /// A description for people.
    final func name(of column: ColumnID) -> String {
        column == .rowKeys ? "row key" : definition[column]?.name ?? "column \(column.rawValue)"
    }
}

extension ScanValue {
    /// A description for people.
    var summary: String {
        switch self {
        case .null: "null"
        case .integer(let value): "\(value)"
        case .boolean(let value): "\(value)"
        case .float(let value): "\(value)"
        case .double(let value): "\(value)"
        case .timestamp(let value): "date(\(value))"
        case .text(let bytes): ScanValue.summary(ofText: bytes)
        case .bytes(let bytes): "\(bytes.count) byte\(bytes.count == 1 ? "" : "s")"
        case .fixed(let value): value.summary
        case .decimal: "a decimal"
        case .link(let key): "row \(key.rawValue)"
        case .object(let target): "row \(target.key) of table \(target.table.rawValue)"
        case .nested(let bytes): bytes.first == MixedValue.listTag ? "a list" : "a dictionary"
        }
    }
}
