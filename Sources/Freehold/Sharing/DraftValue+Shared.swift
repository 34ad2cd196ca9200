import Foundation
package import FreeholdStorage

extension DraftValue {
    /// A value of a commit of a shared realm. An embedded object is a map.
    package init(_ value: SharedValue) {
        switch value {
        case .null: self = .none
        case .boolean(let value): self = .bool(value)
        case .integer(let value): self = .int(Int(value))
        case .float(let bits): self = .float(Float(bitPattern: bits))
        case .double(let bits): self = .double(Double(bitPattern: bits))
        case .timestamp(let bits):
            self = .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits)))
        case .decimal(let low, let high):
            self = .decimal128(Decimal128(storedWords: (low, high)))
        case .text(let bytes): self = .string(String(decoding: bytes, as: UTF8.self))
        case .bytes(let bytes): self = .data(Data(bytes))
        case .fixed(let value): self.init(primaryKey: .fixed(value))
        case .link(let object), .anyLink(let object):
            self = .object(
                DraftObject(className: object.className, primaryKey: DraftValue(object.key)))
        case .object(let fields): self = .map(fields.mapValues { DraftValue($0) })
        case .list(let elements): self = .list(elements.map { DraftValue($0) })
        case .set(let elements): self = .set(elements.map { DraftValue($0) })
        case .map(let entries):
            self = .map(
                Dictionary(
                    entries.map { (String(decoding: $0, as: UTF8.self), DraftValue($1)) },
                    uniquingKeysWith: { $1 }))
        }
    }
}
