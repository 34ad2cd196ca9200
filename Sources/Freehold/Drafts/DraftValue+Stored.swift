import Foundation
import FreeholdStorage

extension DraftValue {
    /// - Parameters:
    ///   - column: The column that has the value, or whose collection has it.
    ///   - name: Names the row of a table.
    init(_ value: StoredValue, _ column: ColumnDefinition, naming name: (LinkTarget) -> DraftObject)
    {
        switch value {
        case .plain(let value): self.init(value, column, naming: name)
        case .mixed(let value): self.init(value, naming: name)
        case .list(let values): self = .list(values.map { DraftValue($0, column, naming: name) })
        case .set(let values): self = .set(values.map { DraftValue($0, column, naming: name) })
        case .map(let entries):
            self = .map(
                Dictionary(
                    entries.map {
                        (
                            String(decoding: $0.key, as: UTF8.self),
                            DraftValue($0.value, column, naming: name)
                        )
                    }, uniquingKeysWith: { first, _ in first }))
        }
    }

    private init(
        _ value: ScanValue, _ column: ColumnDefinition, naming name: (LinkTarget) -> DraftObject
    ) {
        switch value {
        case .null: self = .none
        case .integer(let value): self = .int(Int(value))
        case .boolean(let value): self = .bool(value)
        case .float(let value): self = .float(value)
        case .double(let value):
            self =
                (column.collection?.type ?? column.type) == .timestamp
                ? .date(Date(timeIntervalSinceReferenceDate: value)) : .double(value)
        case .timestamp(let value): self = .date(Date(timeIntervalSinceReferenceDate: value))
        case .text(let bytes): self = .string(String(decoding: bytes, as: UTF8.self))
        case .bytes(let bytes): self = .data(Data(bytes))
        case .fixed(let value): self.init(value)
        case .decimal(let low, let high):
            self = .decimal128(Decimal128(storedWords: (low, high)))
        case .link(let key):
            self =
                column.target.map {
                    .object(name(LinkTarget(table: $0, key: key.rawValue)))
                } ?? .none
        case .object(let target): self = .object(name(target))
        case .nested(let bytes):
            let value = bytes.withUnsafeBytes { MixedValue(decoding: $0) }
            self = value.map { DraftValue($0, naming: name) } ?? .none
        }
    }

    private init(_ value: MixedValue?, naming name: (LinkTarget) -> DraftObject) {
        switch value {
        case nil: self = .none
        case .boolean(let value): self = .bool(value)
        case .integer(let value): self = .int(Int(value))
        case .float(let value): self = .float(value)
        case .double(let value): self = .double(value)
        case .decimal(let low, let high):
            self = .decimal128(Decimal128(storedWords: (low, high)))
        case .text(let bytes): self = .string(String(decoding: bytes, as: UTF8.self))
        case .bytes(let bytes): self = .data(Data(bytes))
        case .timestamp(let value): self = .date(Date(timeIntervalSinceReferenceDate: value))
        case .fixed(let value): self.init(value)
        case .link(let target): self = .object(name(target))
        case .list(let values, _): self = .list(values.map { DraftValue($0, naming: name) })
        case .map(let entries, _):
            self = .map(
                Dictionary(
                    entries.map {
                        (
                            String(decoding: $0.key, as: UTF8.self),
                            DraftValue($0.value, naming: name)
                        )
                    }, uniquingKeysWith: { first, _ in first }))
        }
    }

    private init(_ value: FixedValue) {
        switch AnyRealmValue(value) {
        case .objectId(let value): self = .objectId(value)
        case .uuid(let value): self = .uuid(value)
        default: self = .none
        }
    }

    /// The value of a primary key.
    init(primaryKey: ScanValue) {
        switch primaryKey {
        case .integer(let value): self = .int(Int(value))
        case .text(let bytes): self = .string(String(decoding: bytes, as: UTF8.self))
        case .fixed(let value): self.init(value)
        default: self = .none
        }
    }
}

extension DraftValue {
    /// The stored form in a column or collection of a type, of a value that is no link, no mixed
    /// value and no collection. Nil for another type.
    func storedScalar(_ type: ColumnType) -> StoredValue? {
        switch (type, self) {
        case (.integer, .int(let value)): .plain(.integer(Int64(value)))
        case (.boolean, .bool(let value)): .plain(.boolean(value))
        case (.float, .float(let value)): .plain(.float(value))
        case (.double, .double(let value)): .plain(.double(value))
        case (.text, .string(let value)): .plain(.text([UInt8](value.utf8)))
        case (.bytes, .data(let value)): .plain(.bytes([UInt8](value)))
        case (.timestamp, .date(let value)): .plain(.double(value.timeIntervalSinceReferenceDate))
        case (.decimal, .decimal128(let value)):
            .plain(.decimal(value.storedWords.0, value.storedWords.1))
        case (.fixed12, .objectId(let value)): .plain(.fixed(value.stored))
        case (.fixed16, .uuid(let value)): .plain(.fixed(value.stored))
        default: nil
        }
    }

    /// The stored form in a mixed value; nil for none, links and collections.
    var mixedScalar: MixedValue? {
        switch self {
        case .bool(let value): .boolean(value)
        case .int(let value): .integer(Int64(value))
        case .float(let value): .float(value)
        case .double(let value): .double(value)
        case .string(let value): .text(ContiguousArray(value.utf8))
        case .data(let value): .bytes(ContiguousArray(value))
        case .date(let value): .timestamp(value.timeIntervalSinceReferenceDate)
        case .decimal128(let value): .decimal(value.storedWords.0, value.storedWords.1)
        case .objectId(let value): .fixed(value.stored)
        case .uuid(let value): .fixed(value.stored)
        case .none, .object, .list, .set, .map: nil
        }
    }

    /// The value as a program assigns it; nil if it is or contains none or an object.
    var plain: Any? {
        switch self {
        case .bool(let value): return value
        case .int(let value): return value
        case .float(let value): return value
        case .double(let value): return value
        case .string(let value): return value
        case .data(let value): return value
        case .date(let value): return value
        case .decimal128(let value): return value
        case .objectId(let value): return value
        case .uuid(let value): return value
        case .list(let values), .set(let values):
            let plain = values.compactMap(\.plain)
            return plain.count == values.count ? plain : nil
        case .map(let values):
            let plain = values.compactMapValues(\.plain)
            return plain.count == values.count ? plain : nil
        case .none, .object: return nil
        }
    }
}
