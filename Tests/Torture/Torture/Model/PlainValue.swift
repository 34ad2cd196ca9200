import Foundation
import Freehold

/// Which class an object of the model is of.
enum PlainClass: String, Hashable, Sendable { case item, note, ticket }

/// An object of the model: by its primary key, or its serial number.
struct PlainLink: Hashable, Sendable {
    let type: PlainClass
    let key: Int
}

/// An embedded object.
struct PlainPart: Hashable, Sendable {
    /// No other part ever has it: so one that was replaced by one with the same content is seen
    /// to be another.
    var serial: Int
    var size: Int
    var label: String
    var target: Int?
    var owned: Int?
    var sizes: [Int]
    /// None or one.
    var inner: [PlainPart]

    /// Itself and what is embedded in it.
    var chain: [PlainPart] { [self] + inner.flatMap(\.chain) }

    mutating func forget(_ gone: Set<Int>) {
        if let key = target, gone.contains(key) { target = nil }
        if let key = owned, gone.contains(key) { owned = nil }
        for index in inner.indices { inner[index].forget(gone) }
    }
}

/// What a property has, in plain Swift.
indirect enum PlainValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int)
    case float(Float)
    case double(Double)
    case text(String)
    case data(Data)
    case date(Date)
    case decimal(Decimal128)
    case objectID(ObjectId)
    case uuid(UUID)
    case link(PlainLink)
    case part(PlainPart)
    case list([PlainValue])
    case set(Set<PlainValue>)
    case map([String: PlainValue])
}

// MARK: - Taking apart

extension PlainValue {
    var int: Int? { if case .int(let value) = self { value } else { nil } }
    var double: Double? { if case .double(let value) = self { value } else { nil } }
    var string: String? { if case .text(let value) = self { value } else { nil } }
    var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    var part: PlainPart? { if case .part(let value) = self { value } else { nil } }
    var elements: [PlainValue] { if case .list(let values) = self { values } else { [] } }
    var members: Set<PlainValue> { if case .set(let values) = self { values } else { [] } }
    var entries: [String: PlainValue] { if case .map(let values) = self { values } else { [:] } }
    var link: PlainLink? { if case .link(let link) = self { link } else { nil } }
    /// The key of an item that it is a link to.
    var item: Int? { if case .link(let link) = self, link.type == .item { link.key } else { nil } }

    /// All links in it, wherever they are; not those of embedded objects.
    var links: [PlainLink] {
        switch self {
        case .link(let link): [link]
        case .list(let values): values.flatMap(\.links)
        case .set(let values): values.flatMap(\.links)
        case .map(let values): values.values.flatMap(\.links)
        default: []
        }
    }

    /// All embedded objects in it, those in others included.
    var parts: [PlainPart] {
        switch self {
        case .part(let part): part.chain
        case .list(let values): values.flatMap(\.parts)
        case .map(let values): values.values.flatMap(\.parts)
        default: []
        }
    }

    /// Any value without objects that are gone: null is in their place.
    func mixed(without gone: Set<PlainLink>) -> PlainValue {
        switch self {
        case .link(let link): gone.contains(link) ? .null : self
        case .list(let values): .list(values.map { $0.mixed(without: gone) })
        case .map(let values): .map(values.mapValues { $0.mixed(without: gone) })
        default: self
        }
    }
}

// MARK: - Text

extension PlainValue: CustomStringConvertible {
    /// The same in every process.
    var description: String {
        switch self {
        case .null: "nil"
        case .bool(let value): "\(value)"
        case .int(let value): "\(value)"
        case .float(let value): "\(value)f"
        case .double(let value): "\(value)"
        case .text(let value):
            value.utf8.count > 40 ? "\"\(value.prefix(8))…\(value.utf8.count)\"" : "\"\(value)\""
        case .data(let value):
            """
            <\(value.count): \
            \(value.prefix(8).map { String($0, radix: 16) }.joined(separator: " "))>
            """
        case .date(let value): "@\(value.timeIntervalSince1970)"
        case .decimal(let value): "\(value)d"
        case .objectID(let value): value.stringValue
        case .uuid(let value): value.uuidString
        case .link(let link): "\(link)"
        case .part(let part): "\(part)"
        case .list(let values): "[" + values.map(\.description).joined(separator: ", ") + "]"
        case .set(let values):
            "{" + values.map(\.description).sorted().joined(separator: ", ") + "}"
        case .map(let values):
            "["
                + (values.isEmpty
                    ? ":"
                    : values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(
                        separator: ", ")) + "]"
        }
    }
}

extension PlainLink: CustomStringConvertible {
    var description: String { "\(type) \(key)" }
}

extension PlainPart: CustomStringConvertible {
    var description: String {
        "part \(serial)(size \(size), \"\(label)\"" + (target.map { ", target \($0)" } ?? "")
            + (owned.map { ", owned \($0)" } ?? "")
            + (sizes.isEmpty ? "" : ", \(sizes)") + (inner.first.map { ", inner \($0)" } ?? "")
            + ")"
    }
}
