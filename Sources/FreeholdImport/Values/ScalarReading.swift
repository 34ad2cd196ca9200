import Foundation
import Freehold

extension JSONDocument {
    /// Returns a value of a built-in type; nil if the value is not of the type. Numbers, dates,
    /// bytes and ids may be wrapped as in MongoDB's extended JSON.
    func scalar(_ id: ID, as type: PropertyType) -> Any? {
        let value = values[id]
        if case .object(let range) = value { return wrapped(range, as: type) }
        switch (type, value) {
        case (.int, .integer(let integer)): return integer
        case (.int, .number(let number)): return Int(exactly: number)
        case (.bool, .bool(let bool)): return bool
        case (.string, .string(let text)): return text
        case (.data, .string(let text)): return Data(base64Encoded: text)
        case (.date, .string(let text)): return DateText.date(text)
        case (.date, .integer(let integer)): return Date(milliseconds: Double(integer))
        case (.date, .number(let number)): return Date(milliseconds: number)
        case (.float, .integer(let integer)): return Float(integer)
        case (.float, .number(let number)): return Float(number).isFinite ? Float(number) : nil
        case (.double, .integer(let integer)): return Double(integer)
        case (.double, .number(let number)): return number
        case (.decimal128, .string(let text)): return try? Decimal128(string: text)
        case (.decimal128, .integer(let integer)): return Decimal128(integer)
        case (.decimal128, .number(let number)): return Decimal128(number)
        case (_, .string(let text)): return type.value(ofLiteral: text)
        default: return nil
        }
    }

    /// Returns a value in the form `{"$type": …}`, for a property of a type.
    private func wrapped(_ range: Range<Int>, as type: PropertyType) -> Any? {
        guard let (wrappedType, value) = extendedValue(range) else { return nil }
        if wrappedType == type { return value }
        switch (type, value) {
        case (.float, let number as Double): return Float(number)
        case (.double, let number as Int): return Double(number)
        case (.float, let number as Int): return Float(number)
        case (.decimal128, let number as Int): return Decimal128(number)
        case (.UUID, let data as Data): return data.uuid
        default: return nil
        }
    }

    /// Returns the meaning of an object in the form `{"$type": …}`; nil if it does not have the
    /// form.
    func extendedValue(_ range: Range<Int>) -> (type: PropertyType, value: Any)? {
        guard range.count == 1 else { return nil }
        let member = members[range.lowerBound]
        let name = name(of: member)
        guard name.hasPrefix("$") else { return nil }
        let id = Int(member.value)
        func text() -> String? { if case .string(let text) = values[id] { text } else { nil } }
        switch name {
        case "$numberDecimal": return scalar(id, as: .decimal128).map { (.decimal128, $0) }
        case "$numberInt", "$numberLong":
            return (text().flatMap { Int($0) } ?? scalar(id, as: .int) as? Int).map { (.int, $0) }
        case "$numberDouble":
            return (text().flatMap { Double($0) } ?? scalar(id, as: .double) as? Double).map {
                (.double, $0)
            }
        case "$date":
            if case .object(let inner) = values[id] {
                guard case (.int, let milliseconds as Int)? = extendedValue(inner) else {
                    return nil
                }
                return (.date, Date(milliseconds: Double(milliseconds)))
            }
            return scalar(id, as: .date).map { (.date, $0) }
        case "$binary": return binary(id)
        default:
            guard let type = PropertyType(literalName: String(name.dropFirst())) else { return nil }
            return scalar(id, as: type).map { (type, $0) }
        }
    }

    private func binary(_ id: ID) -> (type: PropertyType, value: Any)? {
        guard case .object(let range) = values[id], let base64 = member(of: range, named: "base64"),
            case let data as Data = scalar(base64, as: .data)
        else { return nil }
        if let subtype = member(of: range, named: "subType"),
            case .string(let code) = values[subtype], code == "04" || code == "4",
            let uuid = data.uuid
        {
            return (.UUID, uuid)
        }
        return (.data, data)
    }
}

extension Date {
    init(milliseconds: Double) {
        self.init(timeIntervalSinceReferenceDate: (milliseconds - 978_307_200_000) / 1000)
    }
}

extension Data {
    /// The 16 bytes as a UUID.
    fileprivate var uuid: UUID? {
        guard count == 16 else { return nil }
        var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        Swift.withUnsafeMutableBytes(of: &bytes) { _ = copyBytes(to: $0) }
        return UUID(uuid: bytes)
    }
}
