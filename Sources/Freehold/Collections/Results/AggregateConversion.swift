import Foundation
import FreeholdStorage

/// Converts an aggregate to the type that the caller asked for; nil if there is no value.
///
/// Numbers convert to every number type; the mean of integers as an `Int` is truncated. Traps if
/// the type cannot hold the number. In a damaged file, returns nil instead.
///
/// - Parameter core: The realm that the value comes from; nil without one.
func convertAggregate<T>(_ value: ScanValue, to type: T.Type, in core: RealmCore?) -> T? {
    if case .null = value { return nil }
    guard let converted = convertPossibly(value, to: type) else {
        if core?.isDamagedWhenChecked() ?? false { return nil }
        refuseAggregate(value, type)
    }
    return converted
}

private func refuseAggregate(_ value: ScanValue, _ type: any Any.Type) -> Never {
    misuse(
        "Could not convert value '\(value)' to type '\(type)'.",
        remedy: "Ask for the aggregate in the property's own type, or in one that is wide enough.")
}

/// Converts a sum to the type that the caller asked for; zero if there is no value. Traps as
/// ``convertAggregate(_:to:in:)``.
///
/// - Parameter values: The values that were added. In a damaged file, one of them is returned if
///   the type has no zero.
func convertSum<T>(
    _ sum: ScanValue, to type: T.Type, in core: RealmCore?, of values: () -> [ScanValue] = { [] }
) -> T {
    if let converted = convertAggregate(sum, to: type, in: core)
        ?? convertPossibly(.integer(0), to: type)
    {
        return converted
    }
    guard let core, core.isDamagedWhenChecked() else { refuseAggregate(.integer(0), type) }
    guard let standIn = values().lazy.compactMap({ convertPossibly($0, to: type) }).first else {
        StandIn.refuse(type, in: core)
    }
    return standIn
}

private func convertPossibly<T>(_ value: ScanValue, to type: T.Type) -> T? {
    convertAggregate(value, toAny: type) as? T
}

private func convertAggregate(_ value: ScanValue, toAny type: any Any.Type) -> Any? {
    switch type {
    case let type as any OptionalType.Type: convertAggregate(value, toAny: type.wrappedType)
    case let type as any FixedWidthInteger.Type: value.integer(as: type)
    case is Double.Type: value.double
    case is Float.Type: value.double.map { Float($0) }
    case is Date.Type: value.double.map { Date(timeIntervalSinceReferenceDate: $0) }
    case is Decimal128.Type: value.decimal
    case let type as any FixedScalar.Type: value.fixed(as: type)
    case is NSNumber.Type: value.number
    case is NSDate.Type: value.double.map { NSDate(timeIntervalSinceReferenceDate: $0) }
    case let type as any _MappedPersistable.Type: convertAggregate(value, toMapped: type)
    default: nil
    }
}

private func convertAggregate<Value: _MappedPersistable>(_ value: ScanValue, toMapped: Value.Type)
    -> Any?
{
    (convertAggregate(value, toAny: Value.PersistedType.self) as? Value.PersistedType).flatMap(
        Value._rlmFromPersisted)
}

extension ScanValue {
    fileprivate func integer<Integer: FixedWidthInteger>(as type: Integer.Type) -> Integer? {
        switch self {
        case .integer(let value): Integer(exactly: value)
        case .double(let value): Integer(exactly: value.rounded(.towardZero))
        case .float(let value): Integer(exactly: value.rounded(.towardZero))
        case .decimal(let low, let high):
            Integer(
                exactly: Decimal128(highBits: high, lowBits: low).doubleValue.rounded(.towardZero))
        default: nil
        }
    }

    fileprivate func fixed<Value: FixedScalar>(as _: Value.Type) -> Value? {
        guard case .fixed(let value) = self, value.kind == Value.columnType else { return nil }
        return Value(stored: value)
    }

    fileprivate var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .float(let value): Double(value)
        case .decimal(let low, let high): Decimal128(highBits: high, lowBits: low).doubleValue
        default: nil
        }
    }

    fileprivate var number: NSNumber? {
        switch self {
        case .integer(let value): NSNumber(value: value)
        case .float(let value): NSNumber(value: value)
        default: double.map { NSNumber(value: $0) }
        }
    }

    fileprivate var decimal: Decimal128? {
        switch self {
        case .integer(let value): Decimal128(integerLiteral: value)
        case .double(let value): Decimal128(value)
        case .float(let value): Decimal128(Double(value))
        case .decimal(let low, let high): Decimal128(highBits: high, lowBits: low)
        default: nil
        }
    }
}

/// An optional type, to find its wrapped type at run time.
private protocol OptionalType {
    static var wrappedType: any Any.Type { get }
}

extension Optional: OptionalType {
    static var wrappedType: any Any.Type { Wrapped.self }
}
