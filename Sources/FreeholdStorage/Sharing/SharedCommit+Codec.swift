/// A commit as bytes, little-endian. Counts, lengths and places in lists are LEB128, signed
/// numbers zigzag LEB128. A name is its place among the names.
///
///     names, then for each: length, UTF-8; they ascend
///     flags (UInt8: 1 author, 2 nonce), author (length, UTF-8), nonce (8 bytes)
///     classes, then for each:
///       name, flags (UInt8: 1 embedded), primary key (name; of none that of the class)
///       properties, then for each: name, type (UInt8), flags (UInt8: 1 nullable, 2 target,
///         4 nullable elements), shape (UInt8), type of the elements (UInt8), target (name)
///     deleted objects, then for each: object
///     inserted objects, then for each: object, fields
///     updated objects, then for each: object, changes, then for each: name, change
///
///     object: class (name), key (value)
///     fields: count, then for each: name, value
///     change: kind (UInt8), then
///       1 assign: value
///       2 add: signed number
///       3 list: edits, then for each: position, removed values, inserted values, flags (UInt8:
///         1 before, 2 after), the values before and after
///       4 set: removed values, added values
///       5 map: entries, then for each: key (length, UTF-8), flag (UInt8: 1 value), value
///     value: tag (UInt8), then
///       0 null; 1 false; 2 true; 3 integer: signed number; 4 float: 4 bytes; 5 double,
///       6 timestamp: 8 bytes; 7 decimal: 16 bytes; 8 text, 9 bytes: length, bytes;
///       10 ObjectId: 12 bytes; 11 UUID: 16 bytes; 12 link, 13 link of any type: object;
///       14 embedded object: fields; 15 list, 16 set: values; 17 map: entries, then for each:
///       key (length, UTF-8), value
///     values: count, then each
extension SharedCommit {
    /// The version of these bytes.
    package static let format: Int32 = 1

    package func encoded() -> ContiguousArray<UInt8> {
        var collector = SharedNames()
        collector.note(self)
        var out = SharedWriter(names: collector.names.sorted())
        out.putNames()
        out.put(self)
        return out.bytes
    }

    /// Nil for bytes that are none of a commit.
    package init?(decoding bytes: UnsafeRawBufferPointer) {
        var reader = SharedReader(bytes)
        guard let commit = try? reader.commit() else { return nil }
        self = commit
    }

    package init?(decoding bytes: some Sequence<UInt8>) {
        guard let commit = ContiguousArray(bytes).withUnsafeBytes({ SharedCommit(decoding: $0) })
        else { return nil }
        self = commit
    }
}

/// The names that a commit mentions.
private struct SharedNames {
    var names: Set<String> = []

    mutating func note(_ commit: SharedCommit) {
        for (name, definition) in commit.classes {
            names.insert(name)
            if let key = definition.primaryKey { names.insert(key) }
            for (name, property) in definition.properties {
                names.insert(name)
                if let target = property.target { names.insert(target) }
            }
        }
        for object in commit.deleted { note(object) }
        for insertion in commit.inserted {
            note(insertion.object)
            note(insertion.values)
        }
        for update in commit.updated {
            note(update.object)
            for (name, change) in update.changes {
                names.insert(name)
                if case .list(let edits) = change {
                    for edit in edits.edits {
                        if let value = edit.before { note(value) }
                        if let value = edit.after { note(value) }
                    }
                }
                change.forEachValue { note($0) }
            }
        }
    }

    private mutating func note(_ object: SharedReference) { names.insert(object.className) }

    private mutating func note(_ fields: [String: SharedValue]) {
        for (name, value) in fields {
            names.insert(name)
            note(value)
        }
    }

    private mutating func note(_ value: SharedValue) {
        switch value {
        case .link(let object), .anyLink(let object): note(object)
        case .object(let fields): note(fields)
        case .list(let elements): for element in elements { note(element) }
        case .set(let elements): for element in elements { note(element) }
        case .map(let entries): for value in entries.values { note(value) }
        default: break
        }
    }
}

/// Writes what ``SharedReader`` reads.
private struct SharedWriter {
    private let names: [String]
    private let places: [String: Int]
    private var out = ArchiveWriter()

    init(names: [String]) {
        self.names = names
        places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    }

    var bytes: ContiguousArray<UInt8> { out.bytes }

    mutating func putNames() {
        out.put(number: names.count)
        for name in names { out.put(text: name) }
    }

    mutating func put(_ commit: SharedCommit) {
        out.put(UInt8((commit.author == nil ? 0 : 1) | (commit.nonce == nil ? 0 : 2)))
        if let author = commit.author { out.put(text: author) }
        if let nonce = commit.nonce { out.put(nonce) }
        out.put(number: commit.classes.count)
        for (name, definition) in commit.classes.sorted(by: { $0.key < $1.key }) {
            put(name: name)
            out.put(UInt8(definition.isEmbedded ? 1 : 0))
            put(name: definition.primaryKey ?? name)
            out.put(number: definition.properties.count)
            for (name, property) in definition.properties.sorted(by: { $0.key < $1.key }) {
                put(name: name)
                put(property)
            }
        }
        out.put(number: commit.deleted.count)
        for object in commit.deleted { put(object) }
        out.put(number: commit.inserted.count)
        for insertion in commit.inserted {
            put(insertion.object)
            put(insertion.values)
        }
        out.put(number: commit.updated.count)
        for update in commit.updated {
            put(update.object)
            out.put(number: update.changes.count)
            for (name, change) in update.changes.sorted(by: { $0.key < $1.key }) {
                put(name: name)
                put(change)
            }
        }
    }

    private mutating func put(name: String) { out.put(number: places[name] ?? 0) }

    private mutating func put(_ property: SharedCommit.Property) {
        out.put(property.type.rawValue)
        out.put(
            UInt8(
                (property.isNullable ? 1 : 0) | (property.target == nil ? 0 : 2)
                    | (property.collection?.isNullable ?? false ? 4 : 0)))
        out.put(property.collection?.shape.rawValue ?? 0)
        out.put(property.collection?.type.rawValue ?? 0)
        if let target = property.target { put(name: target) }
    }

    private mutating func put(_ object: SharedReference) {
        put(name: object.className)
        put(object.key)
    }

    private mutating func put(_ fields: [String: SharedValue]) {
        out.put(number: fields.count)
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            put(name: name)
            put(value)
        }
    }

    private mutating func put(_ change: SharedCommit.Change) {
        switch change {
        case .assign(let value):
            out.put(1 as UInt8)
            put(value)
        case .add(let amount):
            out.put(2 as UInt8)
            out.put(signed: amount)
        case .list(let edits):
            out.put(3 as UInt8)
            out.put(number: edits.edits.count)
            for edit in edits.edits {
                out.put(number: edit.position)
                put(values: edit.removed)
                put(values: edit.inserted)
                out.put(UInt8((edit.before == nil ? 0 : 1) | (edit.after == nil ? 0 : 2)))
                if let value = edit.before { put(value) }
                if let value = edit.after { put(value) }
            }
        case .set(let removed, let added):
            out.put(4 as UInt8)
            put(removed)
            put(added)
        case .map(let changes):
            out.put(5 as UInt8)
            out.put(number: changes.count)
            for (key, value) in changes.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
                put(bytes: key)
                out.put(UInt8(value == nil ? 0 : 1))
                if let value { put(value) }
            }
        }
    }

    private mutating func put(values: [SharedValue]) {
        out.put(number: values.count)
        for value in values { put(value) }
    }

    /// In the order of the elements' bytes: equal commits have equal bytes in all processes.
    private mutating func put(_ elements: Set<SharedValue>) {
        var writer = self
        writer.out = ArchiveWriter()
        var ranges: [Range<Int>] = []
        for element in elements {
            let start = writer.out.bytes.count
            writer.put(element)
            ranges.append(start..<writer.out.bytes.count)
        }
        out.put(number: ranges.count)
        writer.out.bytes.withUnsafeBytes { bytes in
            ranges.sort { bytes[$0].lexicographicallyPrecedes(bytes[$1]) }
            for range in ranges { out.put(raw: bytes[range]) }
        }
    }

    private mutating func put(bytes: ContiguousArray<UInt8>) {
        out.put(number: bytes.count)
        out.put(raw: bytes)
    }

    private mutating func put(_ value: SharedValue) {
        switch value {
        case .null: out.put(0 as UInt8)
        case .boolean(let value): out.put(UInt8(value ? 2 : 1))
        case .integer(let value):
            out.put(3 as UInt8)
            out.put(signed: value)
        case .float(let bits):
            out.put(4 as UInt8)
            out.put(bits)
        case .double(let bits):
            out.put(5 as UInt8)
            out.put(bits)
        case .timestamp(let bits):
            out.put(6 as UInt8)
            out.put(bits)
        case .decimal(let low, let high):
            out.put(7 as UInt8)
            out.put(low)
            out.put(high)
        case .text(let bytes):
            out.put(8 as UInt8)
            put(bytes: bytes)
        case .bytes(let bytes):
            out.put(9 as UInt8)
            put(bytes: bytes)
        case .fixed(let value):
            out.put(UInt8(value.kind == .fixed12 ? 10 : 11))
            out.put(ScanValue.fixed(value))
        case .link(let object):
            out.put(12 as UInt8)
            put(object)
        case .anyLink(let object):
            out.put(13 as UInt8)
            put(object)
        case .object(let fields):
            out.put(14 as UInt8)
            put(fields)
        case .list(let elements):
            out.put(15 as UInt8)
            put(values: elements)
        case .set(let elements):
            out.put(16 as UInt8)
            put(elements)
        case .map(let entries):
            out.put(17 as UInt8)
            out.put(number: entries.count)
            for (key, value) in entries.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
                put(bytes: key)
                put(value)
            }
        }
    }
}

extension ArchiveWriter {
    fileprivate mutating func put(signed value: Int64) {
        put(varint: UInt64(bitPattern: value &<< 1 ^ value &>> 63))
    }
}
