import Foundation
import FreeholdStorage

/// An aggregate over the elements of a collection that no realm manages, or over one property
/// of them.
///
/// The rules are those of results. Nil is left out; the least and the greatest also leave out
/// NaN. Integers are added exactly.
struct UnmanagedAggregate {
    private let aggregate: Aggregate
    /// The stored form of each element, without nil.
    private let values: [AnyRealmValue]
    private let type: PropertyType
    /// The realm that the values come from; nil without one.
    private var core: RealmCore?
    /// Whether the sum of no ``AnyRealmValue``s is a decimal, as Realm has it for managed lists
    /// and sets.
    private var addsDecimals = false

    /// Traps if there is no such property, or if its type has no such aggregate.
    ///
    /// - Parameter managed: The place of the elements, if a realm manages them; it gives the
    ///   class of dynamic objects.
    init<Elements: Collection>(
        _ aggregate: Aggregate, of elements: Elements, _ property: String,
        kind: CollectionKind = .list, in managed: ManagedCollection? = nil
    ) where Elements.Element: RealmCollectionValue {
        self.aggregate = aggregate
        core = managed?.core
        addsDecimals = managed.map { $0.shape != .map } ?? false
        let codec = Elements.Element.elementCodec
        let persisted: [Any?]
        if property == "self" {
            type = codec.type
            persisted = elements.map { codec.persisted($0) }
            if !aggregate.isDefined(for: type) {
                misuse(
                    """
                    \(aggregate.realmName) is not supported for \
                    \(codec.type)\(codec.isOptional ? "?" : "") \
                    \(kind.propertyName)
                    """, remedy: UnmanagedAggregate.remedy)
            }
        } else {
            var target = managed?.descriptor.reference?.type ?? codec.target
            if target == DynamicObject.self, managed == nil {
                // Unmanaged elements show their class; without elements, nothing can be wrong.
                guard
                    let first = elements.lazy.compactMap({ codec.persisted($0) as? ObjectBase })
                        .first
                else {
                    (type, values) = (.int, [])
                    return
                }
                target = first.classOfRow
            }
            let declared = UnmanagedAggregate.property(property, of: target, kind)
            type = declared.type
            persisted = elements.map {
                (codec.persisted($0) as? ObjectBase)?.storedValue(named: property)
            }
            if !aggregate.isDefined(for: type) {
                misuse(
                    """
                    \(aggregate.realmName) is not supported for \(type) property \
                    '\(target?.className() ?? codec.typeText).\(property)'
                    """, remedy: UnmanagedAggregate.remedy)
            }
        }
        values = persisted.compactMap { value in
            // Every value that has an aggregate fits: the type was checked.
            guard let value, let any = try? AnyRealmValue(literal: value), any != .none else {
                return nil
            }
            return any
        }
    }

    private static let remedy =
        "Only numbers can be added; only numbers and dates have a minimum and a maximum."

    private static func property(
        _ name: String, of target: ObjectBase.Type?, _ kind: CollectionKind
    ) -> PropertyDescriptor {
        if let target, let schema = try? ClassSchema.shared(for: target),
            let property = schema.property(named: name)
        {
            return property
        }
        misuse(
            "Invalid property name '\(name)' for class '\(target?.className() ?? "none")'.",
            remedy: target == nil
                ? """
                The elements of this \(kind.className) are not objects. Use 'self' as the key path.
                """
                : """
                Aggregates work on the persisted properties of the class itself, not \
                on paths over links.
                """)
    }
}

extension UnmanagedAggregate {
    /// Makes an aggregate over values found by a path of names. Traps if one of them does not
    /// have the aggregate.
    init(_ aggregate: Aggregate, ofValues values: [Any?], keyPath: String) {
        self.aggregate = aggregate
        self.values = values.compactMap { value in
            guard let value = flattened(value) else { return nil }
            if let any = try? AnyRealmValue(literal: value) {
                if any == .none { return nil }
                if any.number != nil { return any }
                if any.hasExtremes, aggregate.isDefined(for: ColumnType.timestamp) { return any }
            }
            misuse(
                """
                Invalid keypath '\(keyPath)': \
                @\(aggregate == .average ? "avg" : aggregate.rawValue) can only be \
                applied to a collection of numeric values.
                """,
                remedy: """
                    It was given a value of type '\(Swift.type(of: value))'. \
                    \(UnmanagedAggregate.remedy)
                    """)
        }
        let kinds = Set(self.values.map(\.floatingKind))
        type = kinds.count > 1 ? .any : kinds.first ?? .int
    }

    /// Makes an aggregate over ``AnyRealmValue``s, none of which is nil.
    init(_ aggregate: Aggregate, ofAny values: [AnyRealmValue], in core: RealmCore) {
        self.aggregate = aggregate
        self.core = core
        self.values = values
        type = .any
    }

    /// The aggregate in the type of the values. A mean, or a sum of floating-point numbers, is a
    /// `Double` or a ``Decimal128``.
    var held: Any? {
        switch aggregate {
        case .minimum: values.filter { !$0.isNaN }.min()?.held
        case .maximum: values.filter { !$0.isNaN }.max()?.held
        case .average: mean?.held
        case .sum: total.held
        }
    }

    /// Returns the least, the greatest or the mean; nil without values.
    func value<T>(as _: T.Type) -> T? {
        switch aggregate {
        case .minimum: values.filter { !$0.isNaN }.min().flatMap(convert)
        case .maximum: values.filter { !$0.isNaN }.max().flatMap(convert)
        case .average: mean.flatMap(convert)
        case .sum: convert(total)
        }
    }

    /// Returns the sum; 0 without values.
    func sum<T>(as type: T.Type) -> T {
        if let sum = total as? T { return sum }
        return convertSum(total.scanNumber, to: type, in: core) { values.map(\.scanNumber) }
    }

    private func convert<T>(_ value: AnyRealmValue) -> T? {
        if let value = value as? T { return value }
        return convertAggregate(value.scanNumber, to: T.self, in: core)
    }

    /// The sum of integers as an integer, or as a floating-point number if it is too great. The
    /// sum of decimals and mixed values as a decimal.
    private var total: AnyRealmValue {
        switch type {
        case .int:
            let sum = values.reduce(into: Int128(0)) { $0 += Int128($1.intValue ?? 0) }
            return Int(exactly: sum).map { .int($0) } ?? .double(Double(sum))
        case .float, .double:
            return .double(
                values.reduce(0) { $0 + ($1.doubleValue ?? $1.floatValue.map { Double($0) } ?? 0) })
        default:
            let (total, count) = decimals
            // As in Realm, which has no values here to find the type of the sum from.
            return count == 0 && type == .any && !addsDecimals ? .int(0) : .decimal128(total)
        }
    }

    private var mean: AnyRealmValue? {
        switch type {
        case .int:
            if values.isEmpty { return nil }
            return .double(
                Double(values.reduce(into: Int128(0)) { $0 += Int128($1.intValue ?? 0) })
                    / Double(values.count))
        case .float, .double:
            return values.isEmpty
                ? nil : total.doubleValue.map { .double($0 / Double(values.count)) }
        default:
            let (total, count) = decimals
            return count == 0 ? nil : .decimal128(total / Decimal128(integerLiteral: Int64(count)))
        }
    }

    /// The sum and the number of all numbers.
    private var decimals: (total: Decimal128, count: Int) {
        var total = Decimal128.zero
        var count = 0
        for value in values {
            guard let number = value.number else { continue }
            // The sum begins with the first value, not with 0, so that its exponent stays.
            total = count == 0 ? number : total + number
            count += 1
        }
        return (total, count)
    }
}

extension Aggregate {
    /// Whether values of a type have the aggregate.
    func isDefined(for type: PropertyType) -> Bool {
        type == .any || type.storedScalar.map { isDefined(for: $0.columnType) } ?? false
    }

    /// Whether values in a column of a type, except ``AnyRealmValue``s, have the aggregate.
    func isDefined(for type: ColumnType) -> Bool {
        type.isNumber || type.hasExtremes && (self == .minimum || self == .maximum)
    }

    /// The name that Realm's texts use.
    var realmName: String { self == .average ? "averageOfProperty:" : "\(rawValue)OfProperty:" }
}

extension AnyRealmValue {
    /// The type that sums are computed in.
    fileprivate var floatingKind: PropertyType {
        switch self {
        case .int: .int
        case .float, .double: .double
        default: .any
        }
    }

    /// Whether it is no number, and values of its type have a least and a greatest one.
    fileprivate var hasExtremes: Bool {
        if case .date = self { true } else { fixedValue?.kind.hasExtremes ?? false }
    }

    fileprivate var isNaN: Bool {
        switch self {
        case .float(let value): value.isNaN
        case .double(let value): value.isNaN
        case .decimal128(let value): value.isNaN
        default: false
        }
    }

    /// A number or a date in the form that aggregates of results have.
    var scanNumber: ScanValue {
        switch self {
        case .int(let value): .integer(Int64(value))
        case .float(let value): .float(value)
        case .double(let value): .double(value)
        case .date(let value): .double(value.timeIntervalSinceReferenceDate)
        case .decimal128(let value): .decimal(value.lowBits, value.highBits)
        default: fixedValue.map { .fixed($0) } ?? .null
        }
    }
}
