/// A value as machines exchange it: by names and primary keys, with nothing of one file in it.
///
/// Equal values are stored as the same bits. Embedded objects are values of their owners.
package indirect enum SharedValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    /// Bit patterns, so that NaN equals itself, and -0.0 is not 0.0.
    case float(UInt32)
    case double(UInt64)
    case timestamp(UInt64)
    /// Low word, high word.
    case decimal(UInt64, UInt64)
    /// UTF-8.
    case text(ContiguousArray<UInt8>)
    case bytes(ContiguousArray<UInt8>)
    /// An ObjectId or a UUID.
    case fixed(FixedValue)
    /// A link of a property of links.
    case link(SharedReference)
    /// A link as a value of any type.
    case anyLink(SharedReference)
    /// An embedded object, without the properties that have their initial values.
    case object([String: SharedValue])
    case list([SharedValue])
    case set(Set<SharedValue>)
    /// The keys are UTF-8.
    case map([ContiguousArray<UInt8>: SharedValue])

    /// The greatest depth of values in values.
    package static let greatestDepth = 250
    /// The greatest depth of embedded objects in each other, and in lists, that a file writes. The
    /// innermost one may have a value of any type, with collections in it.
    package static let greatestEmbeddedDepth = 140
}

extension SharedValue {
    /// How long ``MixedValue/encoded`` is, if no link is gone: the same on all machines.
    var mixedByteCount: Int {
        switch self {
        case .null, .link, .object, .set: 0
        case .boolean: 2
        case .float: 5
        case .integer, .double, .timestamp: 9
        case .anyLink: 13
        case .decimal: 17
        case .fixed(let value): 1 + value.withBytes { $0.count }
        case .text(let bytes), .bytes(let bytes): 1 + bytes.count
        case .list(let elements): elements.reduce(13) { $0 + 4 + $1.mixedByteCount }
        case .map(let entries):
            entries.reduce(13) { $0 + 8 + $1.key.count + $1.value.mixedByteCount }
        }
    }

    /// How deep embedded objects are in each other, and in lists and maps: 0 for a value without
    /// one.
    var embeddedDepth: Int {
        func deepest(_ values: some Sequence<SharedValue>) -> Int {
            values.reduce(0) { max($0, $1.embeddedDepth) }
        }
        return switch self {
        case .object(let fields): 1 + deepest(fields.values)
        case .list(let elements):
            if case .object? = elements.first { 1 + deepest(elements) } else { 0 }
        case .map(let entries):
            entries.values.contains { if case .object = $0 { true } else { false } }
                ? 1 + deepest(entries.values) : 0
        default: 0
        }
    }
}

/// An object, as all machines know it.
package struct SharedReference: Hashable, Sendable {
    package var className: String
    /// An integer, a text, an ObjectId or a UUID.
    package var key: SharedValue

    package init(_ className: String, _ key: SharedValue) {
        self.className = className
        self.key = key
    }
}

extension SharedValue {
    /// Calls `body` with each object that the value links to.
    package func forEachLink(_ body: (SharedReference) -> Void) {
        switch self {
        case .link(let target), .anyLink(let target): body(target)
        case .object(let fields): for value in fields.values { value.forEachLink(body) }
        case .list(let elements): for value in elements { value.forEachLink(body) }
        case .set(let elements): for value in elements { value.forEachLink(body) }
        case .map(let entries): for value in entries.values { value.forEachLink(body) }
        default: break
        }
    }

    /// What is left of a value when objects are deleted, as
    /// ``WriteSet/deleteRows(_:of:areUnlinked:)`` leaves it: links become null; lists of links,
    /// and sets, lose the elements.
    package func withoutLinks(to isGone: (SharedReference) -> Bool) -> SharedValue {
        if !links(to: isGone) { return self }
        switch self {
        case .link, .anyLink: return .null
        case .list(let elements):
            return .list(
                elements.compactMap {
                    if case .link(let target) = $0, isGone(target) { return nil }
                    return $0.withoutLinks(to: isGone)
                })
        case .set(let elements): return .set(elements.filter { !$0.links(to: isGone) })
        case .map(let entries): return .map(entries.mapValues { $0.withoutLinks(to: isGone) })
        case .object(let fields):
            return .object(
                fields.compactMapValues {
                    let rest = $0.withoutLinks(to: isGone)
                    return rest == .null || rest.isEmptyCollection ? nil : rest
                })
        default: return self
        }
    }

    private func links(to isGone: (SharedReference) -> Bool) -> Bool {
        var isFound = false
        forEachLink { if !isFound, isGone($0) { isFound = true } }
        return isFound
    }

    package var isEmptyCollection: Bool {
        switch self {
        case .list(let elements): elements.isEmpty
        case .set(let elements): elements.isEmpty
        case .map(let entries): entries.isEmpty
        default: false
        }
    }
}
