import FreeholdStorage
import Foundation

/// Evaluates predicates on the model's plain values, in the simplest way.
struct ModelScan {
    let world: ModelWorld
    private let rowOfKey: [TableID: [Int64: Int]]

    init(_ world: ModelWorld) {
        self.world = world
        rowOfKey = world.tables.mapValues(\.rowOfKey)
    }

    /// The values of a path's end: its type and, unless the path is impossible, the value.
    func value(_ path: ScanPath, _ table: TableID, _ row: Int) -> (
        type: ColumnType, value: ScanValue
    )? {
        guard let model = world.tables[table] else { return nil }
        if let link = path.links.first {
            guard let position = model.position(of: link),
                let target = model.definition.columns[position].target
            else { return nil }
            let rest = ScanPath(links: Array(path.links.dropFirst()), column: path.column)
            if case .link(let key) = model.rows[row][position],
                let targetRow = rowOfKey[target]?[key.rawValue]
            {
                return value(rest, target, targetRow)
            }
            guard let type = type(rest, target) else { return nil }
            return (type, .null)
        }
        if path.column == .rowKeys { return (.integer, .integer(model.keys[row])) }
        guard let position = model.position(of: path.column) else { return nil }
        return (model.definition.columns[position].type, model.rows[row][position])
    }

    func type(_ path: ScanPath, _ table: TableID) -> ColumnType? {
        var table = table
        for link in path.links {
            guard let target = world.tables[table]?.definition[link]?.target else { return nil }
            table = target
        }
        return path.column == .rowKeys
            ? .integer : world.tables[table]?.definition[path.column]?.type
    }

    func matches(_ predicate: ScanPredicate, _ table: TableID, _ row: Int) -> Bool {
        switch predicate {
        case .all: true
        case .none: false
        case .and(let operands): operands.allSatisfy { matches($0, table, row) }
        case .or(let operands): operands.contains { matches($0, table, row) }
        case .not(let operand): !matches(operand, table, row)
        case .compare(let path, let comparison, let constant):
            value(path, table, row).map {
                ModelScan.compare($0.type, $0.value, comparison, constant, path.column)
            } ?? false
        case .between(let path, let lower, let upper, let includesUpper):
            value(path, table, row).map {
                lower != .null && upper != .null
                    && ModelScan.compare($0.type, $0.value, .greaterOrEqual, lower, path.column)
                    && ModelScan.compare(
                        $0.type, $0.value, includesUpper ? .lessOrEqual : .less, upper, path.column)
            } ?? false
        case .oneOf(let path, let constants):
            value(path, table, row).map { found in
                constants.contains {
                    ModelScan.compare(found.type, found.value, .equal, $0, path.column)
                }
            } ?? false
        case .text(let path, let textOperator, let needle, let options):
            value(path, table, row).map {
                ModelScan.text($0.type, $0.value, textOperator, needle, options)
            } ?? false
        case .compareColumns(let left, let comparison, let right):
            compareColumns(value(left, table, row), comparison, value(right, table, row))
        case .any, .scope, .at, .anyCompared, .compareOperands, .compareText, .matchesText,
            .matchesNumbers, .fullText:
            fatalError("asked of PlainScan")
        }
    }

    func compareColumns(
        _ a: (type: ColumnType, value: ScanValue)?, _ comparison: ScanComparison,
        _ b: (type: ColumnType, value: ScanValue)?
    ) -> Bool {
        guard let a, let b else { return false }
        let isOrdered = comparison != .equal && comparison != .notEqual
        let areComparable =
            ModelScan.group(a.type) == ModelScan.group(b.type)
            || Set([a.type, b.type]) == [.link, .integer]
            || Set([a.type, b.type]) == [.timestamp, .double]
        guard areComparable,
            !isOrdered || (a.type != .boolean && a.type != .link && b.type != .link)
        else { return false }
        if a.value == .null || b.value == .null {
            return ModelScan.holds(a.value == b.value ? 0 : nil, comparison)
        }
        return ModelScan.holds(
            ModelScan.order(ModelScan.plain(a.value), ModelScan.plain(b.value)), comparison)
    }

    private static func plain(_ value: ScanValue) -> ScanValue {
        if case .link(let key) = value { return .integer(key.rawValue) }
        return value
    }

    /// Types that compare with each other.
    private static func group(_ type: ColumnType) -> Int {
        switch type {
        case .integer, .float, .double, .decimal: 100
        default: Int(type.rawValue)
        }
    }

    static func compare(
        _ type: ColumnType, _ value: ScanValue, _ comparison: ScanComparison, _ constant: ScanValue,
        _ column: ColumnID
    ) -> Bool {
        let isOrdered = comparison != .equal && comparison != .notEqual
        if constant == .null {
            return holds(value == .null ? 0 : nil, comparison)
        }
        let fits: Bool =
            switch (type, constant) {
            case (.integer, .integer), (.integer, .double), (.integer, .float): true
            case (.integer, .link): column == .rowKeys && !isOrdered
            case (.link, .link), (.boolean, .boolean): !isOrdered
            case (.float, .integer), (.float, .float), (.float, .double): true
            case (.double, .integer), (.double, .float), (.double, .double): true
            case (.timestamp, .integer), (.timestamp, .float), (.timestamp, .double): true
            case (.text, .text), (.bytes, .bytes): true
            case (_, .fixed(let fixed)): fixed.kind == type
            case (.decimal, .decimal), (.decimal, .integer): true
            default: false
            }
        guard fits else { return false }
        if value == .null { return comparison == .notEqual }
        return holds(order(plain(value), plain(constant)), comparison)
    }

    /// Nil is unordered: neither equal nor in any order.
    static func holds(_ order: Int?, _ comparison: ScanComparison) -> Bool {
        guard let order else { return comparison == .notEqual }
        return switch comparison {
        case .equal: order == 0
        case .notEqual: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
    }

    private static func decimals(_ a: UInt128, _ b: UInt128) -> Int? {
        a == DecimalOrder.notANumber || b == DecimalOrder.notANumber
            ? nil : a < b ? -1 : a == b ? 0 : 1
    }

    static func order(_ a: ScanValue, _ b: ScanValue) -> Int? {
        func sign<Value: Comparable>(_ a: Value, _ b: Value) -> Int { a < b ? -1 : a == b ? 0 : 1 }
        func bytes(_ a: [UInt8], _ b: [UInt8]) -> Int {
            a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
        }
        func memory<Value>(_ value: Value) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }
        switch (a, b) {
        case (.integer(let x), .integer(let y)): return sign(x, y)
        case (.boolean(let x), .boolean(let y)): return sign(x ? 1 : 0, y ? 1 : 0)
        case (.float(let x), _): return order(.double(Double(x)), b)
        case (_, .float(let y)): return order(a, .double(Double(y)))
        case (.double(let x), .double(let y)): return x.isNaN || y.isNaN ? nil : sign(x, y)
        case (.integer(let x), .double(let y)):
            if y.isNaN { return nil }
            if y >= 0x1p63 { return -1 }
            if y < -0x1p63 { return 1 }
            // The integer part first, then the fraction.
            let whole = Int64(y.rounded(.towardZero))
            return x != whole ? sign(x, whole) : sign(0, y - y.rounded(.towardZero))
        case (.double, .integer): return order(b, a).map { -$0 }
        case (.decimal(let low, let high), .double(let y)):
            return decimals(DecimalOrder.key(low: low, high: high), DecimalOrder.key(ofDouble: y))
        case (.integer, .decimal), (.double, .decimal): return order(b, a).map { -$0 }
        case (.text(let x), .text(let y)), (.bytes(let x), .bytes(let y)): return bytes(x, y)
        case (.fixed(let x), .fixed(let y)):
            return x.kind != y.kind
                ? nil
                : x.kind == .fixed12
                    ? bytes(
                        memory(x.fixed12.0) + memory(x.fixed12.1),
                        memory(y.fixed12.0) + memory(y.fixed12.1))
                    : bytes(memory(x.fixed16), memory(y.fixed16))
        case (.decimal, .integer(let y)):
            return order(a, .decimal(y.magnitude, 6176 << 49 | (y < 0 ? 1 << 63 : 0)))
        case (.decimal(let x, let z), .decimal(let y, let w)):
            guard let first = ModelDecimal(x, z), let second = ModelDecimal(y, w) else {
                return nil
            }
            return ModelDecimal.order(first, second)
        default: return nil
        }
    }

    static func text(
        _ type: ColumnType, _ value: ScanValue, _ textOperator: ScanTextOperator, _ needle: [UInt8],
        _ options: ScanTextOptions
    ) -> Bool {
        let bytes: [UInt8]
        switch (type, value) {
        case (.text, .null), (.bytes, .null): return textOperator == .notEqual
        case (.text, .text(let found)), (.bytes, .bytes(let found)): bytes = found
        default: return false
        }
        let a = fold(bytes, type, options)
        let b = fold(needle, type, options)
        switch textOperator {
        case .equal: return a == b
        case .notEqual: return a != b
        case .beginsWith: return !b.isEmpty && a.starts(with: b)
        case .endsWith: return !b.isEmpty && a.reversed().starts(with: b.reversed())
        case .contains:
            return !b.isEmpty && a.count >= b.count
                && (0...a.count - b.count).contains { Array(a[$0..<$0 + b.count]) == b }
        case .like:
            if type == .bytes { return like(a.map { UInt32($0) }[...], b.map { UInt32($0) }[...]) }
            return like(
                String(decoding: a, as: UTF8.self).unicodeScalars.map(\.value)[...],
                String(decoding: b, as: UTF8.self).unicodeScalars.map(\.value)[...])
        }
    }

    /// O(text times pattern): trying every end of each `*` in turn would take for ever on some
    /// random patterns.
    private static func like(_ text: ArraySlice<UInt32>, _ pattern: ArraySlice<UInt32>) -> Bool {
        let text = Array(text)
        // Whether the pattern so far matches the first n scalars.
        var matches = [true] + text.map { _ in false }
        for next in pattern {
            var longer = [next == 0x2A && matches[0]]
            for (index, scalar) in text.enumerated() {
                longer.append(
                    next == 0x2A
                        ? matches[index + 1] || longer[index]
                        : matches[index] && (next == 0x3F || next == scalar))
            }
            matches = longer
        }
        return matches[text.count]
    }

    private static func fold(_ bytes: [UInt8], _ type: ColumnType, _ options: ScanTextOptions)
        -> [UInt8]
    {
        if type == .bytes {
            return options.contains(.caseInsensitive)
                ? bytes.map { (65...90).contains($0) ? $0 + 32 : $0 } : bytes
        }
        if options.isEmpty { return bytes }
        var string = String(decoding: bytes, as: UTF8.self)
        if options.contains(.diacriticInsensitive) {
            let decomposed = string.decomposedStringWithCanonicalMapping
            string = String(
                String.UnicodeScalarView(
                    decomposed.unicodeScalars.filter {
                        $0.properties.generalCategory != .nonspacingMark
                    }))
        }
        if options.contains(.caseInsensitive) {
            string = String(
                String.UnicodeScalarView(
                    string.unicodeScalars.flatMap {
                        Array($0.properties.lowercaseMapping.unicodeScalars)
                    }.map { $0 == "ς" ? "σ" : $0 }))
        }
        return Array(string.utf8)
    }
}

/// A decimal as sign, digits and exponent; infinite without digits.
struct ModelDecimal {
    private var isNegative: Bool
    private var isInfinite: Bool
    /// Without leading zeros; empty for zero.
    private var digits: [UInt8]
    private var exponent: Int

    /// Nil for NaN.
    init?(_ low: UInt64, _ high: UInt64) {
        isNegative = high >> 63 == 1
        isInfinite = high >> 58 & 0x1F == 0x1E
        digits = []
        exponent = 0
        if high >> 58 & 0x1F == 0x1F { return nil }
        if isInfinite || high >> 61 & 3 == 3 { return }
        let coefficient = UInt128(high & 0x1_FFFF_FFFF_FFFF) << 64 | UInt128(low)
        digits = Array(String(coefficient).utf8)
        if digits == [0x30] || digits.count > 34 { digits = [] }
        exponent = Int(high >> 49 & 0x3FFF)
    }

    static func order(_ a: ModelDecimal, _ b: ModelDecimal) -> Int {
        let signs = (a.sign, b.sign)
        if signs.0 != signs.1 { return signs.0 < signs.1 ? -1 : 1 }
        if signs.0 == 0 { return 0 }
        let order = magnitudeOrder(a, b)
        return signs.0 < 0 ? -order : order
    }

    private var sign: Int { digits.isEmpty && !isInfinite ? 0 : isNegative ? -1 : 1 }

    private static func magnitudeOrder(_ a: ModelDecimal, _ b: ModelDecimal) -> Int {
        if a.isInfinite || b.isInfinite { return (a.isInfinite ? 1 : 0) - (b.isInfinite ? 1 : 0) }
        let sizes = (a.exponent + a.digits.count, b.exponent + b.digits.count)
        if sizes.0 != sizes.1 { return sizes.0 < sizes.1 ? -1 : 1 }
        let length = max(a.digits.count, b.digits.count)
        let x = a.digits + [UInt8](repeating: 0x30, count: length - a.digits.count)
        let y = b.digits + [UInt8](repeating: 0x30, count: length - b.digits.count)
        return x == y ? 0 : x.lexicographicallyPrecedes(y) ? -1 : 1
    }
}
