import Foundation
import Freehold

/// Writes a realm's objects as Realm Studio does, in each of the three shapes.
struct StudioWriter {
    /// A JSON value, or an object that stands in it.
    indirect enum Value {
        case plain(String)
        case text(String)
        case array([Value])
        case dictionary([(String, Value)])
        case object(Node)
    }

    /// What Realm JS makes of an object. One for each object and list of a class, since each
    /// list is made with a cache of its own.
    final class Node {
        let name: String
        var members: [(String, Value)] = []

        init(name: String) { self.name = name }
    }

    private final class Cache {
        var nodes: [String: Node] = [:]
    }

    let lists: [(className: String, nodes: [Node])]

    init(_ realm: Realm) {
        lists = realm.schema.objectSchema.filter { !$0.isEmbedded }.map { schema in
            let cache = Cache()
            return (
                schema.className,
                realm.dynamicObjects(schema.className).map { StudioWriter.node($0, cache) }
            )
        }
    }

    // MARK: Objects

    private static func node(_ object: ObjectBase, _ cache: Cache) -> Node {
        let schema = object.objectSchema
        // Embedded objects have no name of their own in the realm, and one owner: the address
        // of the accessor does.
        let key =
            schema.primaryKeyProperty.flatMap { object[$0.name] }.map { "\($0)" }
            ?? (object["name"] as? String ?? "")
        let name = "\(schema.className)#\(key)"
        if let known = cache.nodes[name] { return known }
        let node = Node(name: name)
        cache.nodes[name] = node
        node.members = schema.properties.map { ($0.columnName, value(object[$0.name], $0, cache)) }
        return node
    }

    private static func embedded(_ object: ObjectBase, _ cache: Cache) -> Value {
        .dictionary(
            object.objectSchema.properties.map {
                ($0.columnName, value(object[$0.name], $0, cache))
            })
    }

    private static func value(_ value: Any?, _ property: Property, _ cache: Cache) -> Value {
        guard property.isArray || property.isSet || property.isMap else {
            return self.value(value, cache)
        }
        switch value {
        case let list as any Sequence where !property.isMap:
            return .array(list.map { self.value($0, cache) })
        case let map as any RealmKeyedCollection:
            return .dictionary(entries(of: map).map { ($0.key, self.value($0.value, cache)) })
        default: preconditionFailure("\(property)")
        }
    }

    private static func entries<Keyed: RealmKeyedCollection>(of map: Keyed) -> [(
        key: String, value: Any?
    )] {
        map.keys.sorted { $0._rlmMapKey < $1._rlmMapKey }.map { key in
            (key._rlmMapKey, map.value(forKey: key._rlmMapKey).flatMap { $0 is NSNull ? nil : $0 })
        }
    }

    private static func value(_ value: Any?, _ cache: Cache) -> Value {
        switch value {
        case nil: return .plain("null")
        case let optional as any OptionalProtocol:
            return self.value(optional._rlmOptionalValue.map { $0 as Any }, cache)
        case let object as ObjectBase:
            return object.objectSchema.isEmbedded
                ? embedded(object, cache) : .object(node(object, cache))
        case let any as AnyRealmValue: return mixed(any, cache)
        // First: the object casts to Bool where it is 0 or 1.
        case let integer? where type(of: integer) is NSNumber.Type: return .plain("\(integer)")
        case let bool as Bool: return .plain("\(bool)")
        case let float as Float: return .plain(float.isFinite ? "\(Double(float))" : "null")
        case let double as Double: return .plain(double.isFinite ? "\(double)" : "null")
        case let integer as any FixedWidthInteger: return .plain("\(integer)")
        case let text as String: return .text(text)
        case let date as Date: return .text(StudioWriter.text(of: date))
        case let data as Data: return .text(data.base64EncodedString())
        case let id as ObjectId: return .text(id.stringValue)
        case let uuid as UUID: return .text(uuid.uuidString.lowercased())
        case let decimal as Decimal128:
            return .dictionary([("$numberDecimal", .text("\(decimal)"))])
        case let map as Map<String, AnyRealmValue>: return mixed(.dictionary(map), cache)
        case let list as List<AnyRealmValue>: return mixed(.list(list), cache)
        default: preconditionFailure("\(value ?? "nil")")
        }
    }

    private static func mixed(_ value: AnyRealmValue, _ cache: Cache) -> Value {
        switch value {
        case .none: .plain("null")
        case .int(let value): .plain("\(value)")
        case .double(let value): .plain("\(value)")
        case .bool(let value): .plain("\(value)")
        case .string(let value): .text(value)
        case .object(let object): .object(node(value.dynamicObject ?? object, cache))
        case .list(let list): .array(list.map { mixed($0, cache) })
        case .dictionary(let map):
            .dictionary(map.keys.sorted().map { ($0, mixed(map[$0] ?? .none, cache)) })
        default: preconditionFailure("\(value)")
        }
    }

    /// As `Date.prototype.toJSON`.
    static func text(of date: Date) -> String {
        let milliseconds = Int((date.timeIntervalSinceReferenceDate * 1000).rounded())
        let seconds = Int((Double(milliseconds) / 1000).rounded(.down))
        let whole = Date(timeIntervalSinceReferenceDate: Double(seconds)).formatted(.iso8601)
        let rest = "\(milliseconds - seconds * 1000)"
        return whole.dropLast() + "." + String(repeating: "0", count: 3 - rest.count) + rest + "Z"
    }

    // MARK: Shapes

    /// Linked objects in full. Their links must not form a circle.
    func nested() -> String { whole { text(.object($0), namesAncestors: false, []) } }

    /// With `$refId`, and `$ref` for an object inside of itself.
    func referenced() -> String { whole { text(.object($0), namesAncestors: true, []) } }

    private func whole(_ write: (Node) -> String) -> String {
        "{\n"
            + lists.map {
                "  \(quoted($0.className)): [\n    "
                    + $0.nodes.map(write).joined(separator: ",\n    ") + "\n  ]"
            }.joined(separator: ",\n") + "\n}"
    }

    private func text(_ value: Value, namesAncestors: Bool, _ ancestors: [ObjectIdentifier])
        -> String
    {
        switch value {
        case .plain(let text): return text
        case .text(let text): return quoted(text)
        case .array(let values):
            return "["
                + values.map { text($0, namesAncestors: namesAncestors, ancestors) }.joined(
                    separator: ", ") + "]"
        case .dictionary(let members):
            return "{"
                + members.map {
                    "\(quoted($0)): \(text($1, namesAncestors: namesAncestors, ancestors))"
                }.joined(separator: ", ") + "}"
        case .object(let node):
            if ancestors.contains(ObjectIdentifier(node)) {
                return "{\"$ref\": \(quoted(node.name))}"
            }
            let name: [(String, Value)] = namesAncestors ? [("$refId", .text(node.name))] : []
            return text(
                .dictionary(name + node.members), namesAncestors: namesAncestors,
                ancestors + [ObjectIdentifier(node)])
        }
    }

    /// As `stringify` of the package `flatted`.
    func flatted() -> String {
        var elements: [String] = []
        var positionsOfNodes: [ObjectIdentifier: Int] = [:]
        var positionsOfTexts: [[UInt8]: Int] = [:]
        var work: [(position: Int, value: Value)] = []
        func position(of value: Value) -> Int {
            if case .object(let node) = value, let known = positionsOfNodes[ObjectIdentifier(node)]
            {
                return known
            }
            if case .text(let text) = value, let known = positionsOfTexts[Array(text.utf8)] {
                return known
            }
            let position = elements.count
            elements.append("")
            if case .object(let node) = value {
                positionsOfNodes[ObjectIdentifier(node)] = position
            }
            if case .text(let text) = value { positionsOfTexts[Array(text.utf8)] = position }
            work.append((position, value))
            return position
        }
        func reference(_ value: Value) -> String {
            if case .plain(let text) = value { return text }
            return "\"\(position(of: value))\""
        }
        _ = position(
            of: .dictionary(lists.map { ($0.className, .array($0.nodes.map { .object($0) })) }))
        var next = 0
        while next < work.count {
            let (position, value) = work[next]
            next += 1
            switch value {
            case .plain(let text): elements[position] = text
            case .text(let text): elements[position] = quoted(text)
            case .array(let values):
                elements[position] = "[" + values.map(reference).joined(separator: ",") + "]"
            case .dictionary(let members):
                elements[position] =
                    "{" + members.map { "\(quoted($0)):\(reference($1))" }.joined(separator: ",")
                    + "}"
            case .object(let node):
                elements[position] =
                    "{"
                    + node.members.map { "\(quoted($0)):\(reference($1))" }.joined(separator: ",")
                    + "}"
            }
        }
        return "[" + elements.joined(separator: ",") + "]"
    }

    private func quoted(_ text: String) -> String {
        "\""
            + text.unicodeScalars.map { scalar in
                switch scalar {
                case "\"": "\\\""
                case "\\": "\\\\"
                case "\n": "\\n"
                default:
                    scalar.value < 0x20
                        ? "\\u" + String(repeating: "0", count: scalar.value < 16 ? 3 : 2)
                            + String(scalar.value, radix: 16) : String(scalar)
                }
            }.joined() + "\""
    }
}
