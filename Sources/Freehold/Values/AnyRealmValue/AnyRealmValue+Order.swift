import Foundation
import FreeholdStorage

extension AnyRealmValue: Hashable {
    /// Whether both are the same value. Numbers are compared as numbers, whatever their types.
    /// O(length).
    public static func == (a: AnyRealmValue, b: AnyRealmValue) -> Bool {
        order(a, b) == .orderedSame
    }

    /// Consistent with `==`. The hash of a collection changes with its contents.
    public func hash(into hasher: inout Hasher) { hash(into: &hasher, depth: 0) }

    /// The depth of the hash. A collection may contain itself, so the hash must end; equality has
    /// no depth limit.
    private static let hashedDepth = 3

    private func hash(into hasher: inout Hasher, depth: Int) {
        hasher.combine(rank)
        switch self {
        case .none: break
        case .bool(let value): hasher.combine(value)
        case .int, .float, .double, .decimal128: hasher.combine(number)
        case .string(var value):
            value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .data(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value)
        case .object(let value): value.hashRow(into: &hasher)
        case .list(let list):
            hasher.combine(list.count)
            if depth < AnyRealmValue.hashedDepth {
                for value in list { value.hash(into: &hasher, depth: depth + 1) }
            }
        case .dictionary(let map):
            hasher.combine(map.count)
            if depth < AnyRealmValue.hashedDepth {
                for (key, value) in map.asKeyValueSequence() {
                    hasher.combine(key)
                    value.hash(into: &hasher, depth: depth + 1)
                }
            }
        default: hasher.combine(fixedValue)
        }
    }
}

extension AnyRealmValue: Comparable {
    /// Whether the first comes before the second in the order of all values. O(length).
    public static func < (a: AnyRealmValue, b: AnyRealmValue) -> Bool {
        order(a, b) == .orderedAscending
    }

    private static func order(_ a: AnyRealmValue, _ b: AnyRealmValue) -> ComparisonResult {
        var comparison = AnyRealmValueComparison()
        return scalarOrder(a, b) ?? comparison.order(a, b)
    }

    /// Returns the order of two values; nil if both are lists or both are dictionaries.
    fileprivate static func scalarOrder(_ a: AnyRealmValue, _ b: AnyRealmValue) -> ComparisonResult?
    {
        if let order = sameCaseOrder(a, b) { return order }
        switch (a, b) {
        case (.list, .list), (.dictionary, .dictionary): return nil
        default: break
        }
        if let a = a.number, let b = b.number { return order(of: a, b) }
        return order(of: a.rank, b.rank)
    }

    /// The position of the case in the order. All numbers have the same one.
    private var rank: Int {
        switch self {
        case .none: 0
        case .bool: 1
        case .int, .float, .double, .decimal128: 2
        case .string: 3
        case .data: 4
        case .date: 5
        case .object: 8
        case .list: 9
        case .dictionary: 11
        default: 6
        }
    }

    /// Returns the order of two values of one case that are not collections; nil for all others.
    private static func sameCaseOrder(_ a: AnyRealmValue, _ b: AnyRealmValue) -> ComparisonResult? {
        switch (a, b) {
        case (.none, .none): .orderedSame
        case (.bool(let a), .bool(let b)): order(of: a ? 1 : 0, b ? 1 : 0)
        case (.int(let a), .int(let b)): order(of: a, b)
        case (.float(let a), .float(let b)): order(floating: a, b)
        case (.double(let a), .double(let b)): order(floating: a, b)
        case (.decimal128(let a), .decimal128(let b)): order(of: a, b)
        case (.string(let a), .string(let b)): order(bytes: a.utf8, b.utf8)
        case (.data(let a), .data(let b)): order(bytes: a, b)
        case (.date(let a), .date(let b)): order(of: a, b)
        case (.object(let a), .object(let b)): order(objects: a, b)
        default:
            if let a = a.fixedValue, let b = b.fixedValue {
                order(of: FixedValue.compare(a, b), 0)
            } else {
                nil
            }
        }
    }

    fileprivate static func order<Value: Comparable>(of a: Value, _ b: Value) -> ComparisonResult {
        a == b ? .orderedSame : a < b ? .orderedAscending : .orderedDescending
    }

    /// A NaN equals itself and comes before all numbers.
    private static func order<Value: BinaryFloatingPoint>(floating a: Value, _ b: Value)
        -> ComparisonResult
    {
        if a.isNaN || b.isNaN { return order(of: a.isNaN ? 0 : 1, b.isNaN ? 0 : 1) }
        return order(of: a, b)
    }

    fileprivate static func order<A: Sequence, B: Sequence>(bytes a: A, _ b: B) -> ComparisonResult
    where A.Element == UInt8, B.Element == UInt8 {
        var other = b.makeIterator()
        for byte in a {
            guard let next = other.next() else { return .orderedDescending }
            if byte != next { return byte < next ? .orderedAscending : .orderedDescending }
        }
        return other.next() == nil ? .orderedSame : .orderedAscending
    }

    /// Objects have no meaningful order. This one agrees with `==`, and stays the same as long as
    /// they live.
    private static func order(objects a: Object, _ b: Object) -> ComparisonResult {
        if a.isEqualRow(to: b) { return .orderedSame }
        let (nameA, nameB) = (a.classOfRow.tableName, b.classOfRow.tableName)
        if nameA != nameB { return order(of: nameA, nameB) }
        if a.key != b.key { return order(of: a.key, b.key) }
        return order(of: ObjectIdentifier(a), ObjectIdentifier(b))
    }
}

/// The order of two collections with all their contents. Not recursive: a program may nest
/// unmanaged collections to any depth.
private struct AnyRealmValueComparison {
    /// The remaining pairs of two collections, and the order of their counts, which decides if
    /// one is a prefix of the other.
    private enum Pairs {
        case lists(
            Zip2Sequence<List<AnyRealmValue>, List<AnyRealmValue>>.Iterator, ComparisonResult)
        case maps(
            Zip2Sequence<Map<String, AnyRealmValue>, Map<String, AnyRealmValue>>.Iterator,
            ComparisonResult)
    }

    private var compared: Set<ComparedCollections> = []
    /// The collections being compared, from the outermost to the innermost.
    private var begun: [Pairs] = []

    /// - Parameters: Both lists, or both dictionaries.
    mutating func order(_ a: AnyRealmValue, _ b: AnyRealmValue) -> ComparisonResult {
        begin(a, b)
        while let pairs = begun.popLast() {
            let order =
                switch pairs {
                case .lists(let pairs, let counts): next(pairs, counts)
                case .maps(let pairs, let counts): next(pairs, counts)
                }
            if order != .orderedSame { return order }
        }
        return .orderedSame
    }

    private mutating func begin(_ a: AnyRealmValue, _ b: AnyRealmValue) {
        switch (a, b) {
        case (.list(let a), .list(let b)):
            if a === b || !isNew(a, b, areUnmanaged: a.core == nil && b.core == nil) { return }
            begun.append(
                .lists(zip(a, b).makeIterator(), AnyRealmValue.order(of: a.count, b.count)))
        case (.dictionary(let a), .dictionary(let b)):
            if a === b || !isNew(a, b, areUnmanaged: a.core == nil && b.core == nil) { return }
            begun.append(.maps(zip(a, b).makeIterator(), AnyRealmValue.order(of: a.count, b.count)))
        default: break
        }
    }

    /// Compares up to the next pair of collections, which are then compared first.
    private mutating func next(
        _ pairs: Zip2Sequence<List<AnyRealmValue>, List<AnyRealmValue>>.Iterator,
        _ counts: ComparisonResult
    ) -> ComparisonResult {
        var pairs = pairs
        while let (a, b) = pairs.next() {
            guard let order = AnyRealmValue.scalarOrder(a, b) else {
                begun.append(.lists(pairs, counts))
                begin(a, b)
                return .orderedSame
            }
            if order != .orderedSame { return order }
        }
        return counts
    }

    private mutating func next(
        _ pairs: Zip2Sequence<Map<String, AnyRealmValue>, Map<String, AnyRealmValue>>.Iterator,
        _ counts: ComparisonResult
    ) -> ComparisonResult {
        var pairs = pairs
        while let (a, b) = pairs.next() {
            let keys = AnyRealmValue.order(bytes: a.key.utf8, b.key.utf8)
            if keys != .orderedSame { return keys }
            guard let order = AnyRealmValue.scalarOrder(a.value, b.value) else {
                begun.append(.maps(pairs, counts))
                begin(a.value, b.value)
                return .orderedSame
            }
            if order != .orderedSame { return order }
        }
        return counts
    }

    /// Whether two collections have not been compared yet. Only unmanaged ones are remembered:
    /// those of a realm contain no cycles, and do not live as long as the comparison.
    private mutating func isNew(_ a: AnyObject, _ b: AnyObject, areUnmanaged: Bool) -> Bool {
        !areUnmanaged
            || compared.insert(
                ComparedCollections(first: ObjectIdentifier(a), second: ObjectIdentifier(b))
            ).inserted
    }
}

/// Two unmanaged collections whose comparison has begun, or ended without a difference. The whole
/// comparison ends with the first difference. So a pair that is met again has no known
/// difference, and collections that contain themselves are compared in finitely many steps.
private struct ComparedCollections: Hashable {
    let first: ObjectIdentifier
    let second: ObjectIdentifier
}

// MARK: - Numbers

extension AnyRealmValue {
    /// The number as a decimal, so that numbers of all types can be compared; nil for other
    /// values.
    ///
    /// Integers are exact, also those of a `Double` up to 2^63. Any other `Double` becomes the
    /// shortest decimal that reads back as it. Different `Double`s give different decimals in the
    /// same order, so equality is transitive.
    var number: Decimal128? {
        switch self {
        case .int(let value): Decimal128(integerLiteral: Int64(value))
        case .decimal128(let value): value
        case .float(let value): AnyRealmValue.number(Double(value))
        case .double(let value): AnyRealmValue.number(value)
        default: nil
        }
    }

    private static func number(_ value: Double) -> Decimal128 {
        if let integer = Int64(exactly: value) { return Decimal128(integerLiteral: integer) }
        return Decimal128(value)
    }
}
