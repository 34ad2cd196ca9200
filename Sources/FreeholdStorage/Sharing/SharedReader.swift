/// Reads a commit's bytes. Takes memory only for what it has read, and no deeper values than
/// ``SharedValue/greatestDepth``. What no file can have is damage: a name, a class or a value
/// beyond the limits of files.
struct SharedReader {
    private var reader: ArchiveReader
    private var names: [String] = []
    private static let longestValue = StorageLayout().longestValue

    init(_ bytes: UnsafeRawBufferPointer) { reader = ArchiveReader(bytes) }

    mutating func commit() throws(ArchiveDamage) -> SharedCommit {
        for _ in 0..<(try reader.number()) {
            let name = try reader.name()
            guard name.utf8.count <= Catalog.longestName else { throw ArchiveDamage() }
            names.append(name)
        }
        var commit = SharedCommit()
        let flags = try reader.integer(UInt8.self)
        guard flags < 4 else { throw ArchiveDamage() }
        if flags & 1 != 0 { commit.author = try reader.name() }
        if flags & 2 != 0 { commit.nonce = try reader.integer() }
        for _ in 0..<(try reader.number()) {
            let name = try name()
            commit.classes[name] = try definition(of: name)
        }
        for _ in 0..<(try reader.number()) { commit.deleted.append(try object()) }
        for _ in 0..<(try reader.number()) {
            commit.inserted.append(SharedCommit.Insertion(try object(), try fields(0)))
        }
        for _ in 0..<(try reader.number()) {
            let object = try object()
            var changes: [String: SharedCommit.Change] = [:]
            for _ in 0..<(try reader.number()) { changes[try name()] = try change() }
            commit.updated.append(SharedCommit.Update(object, changes))
        }
        guard reader.isAtEnd else { throw ArchiveDamage() }
        return commit
    }

    private mutating func name() throws(ArchiveDamage) -> String {
        let place = try reader.number()
        guard names.indices.contains(place) else { throw ArchiveDamage() }
        return names[place]
    }

    private mutating func definition(of name: String) throws(ArchiveDamage) -> SharedCommit.Class {
        let isEmbedded = try reader.flag()
        let key = try self.name()
        var definition = SharedCommit.Class(
            isEmbedded: isEmbedded, primaryKey: isEmbedded ? nil : key)
        for _ in 0..<(try reader.number()) {
            let name = try self.name()
            definition.properties[name] = try property()
        }
        guard definition.properties.count <= TableDefinition.mostColumns else {
            throw ArchiveDamage()
        }
        return definition
    }

    private mutating func property() throws(ArchiveDamage) -> SharedCommit.Property {
        let type = try type(try reader.integer())
        let flags = try reader.integer(UInt8.self)
        let shape = try reader.integer(UInt8.self)
        let elements = try reader.integer(UInt8.self)
        guard flags < 8 else { throw ArchiveDamage() }
        var property = SharedCommit.Property(type: type, isNullable: flags & 1 != 0)
        if shape != 0 {
            guard type == .bytes, let shape = StoredCollectionKind.Shape(rawValue: shape) else {
                throw ArchiveDamage()
            }
            property.collection = StoredCollectionKind(
                shape, of: try self.type(elements), isNullable: flags & 4 != 0)
        }
        if flags & 2 != 0 { property.target = try name() }
        guard (property.target != nil) == ((property.collection?.type ?? type) == .link) else {
            throw ArchiveDamage()
        }
        return property
    }

    private func type(_ value: UInt8) throws(ArchiveDamage) -> ColumnType {
        guard let type = ColumnType(rawValue: value) else { throw ArchiveDamage() }
        return type
    }

    private mutating func object(_ depth: Int = 0) throws(ArchiveDamage) -> SharedReference {
        let name = try name()
        let key = try value(depth + 1)
        switch key {
        case .integer, .text, .fixed: return SharedReference(name, key)
        default: throw ArchiveDamage()
        }
    }

    private mutating func fields(_ depth: Int) throws(ArchiveDamage) -> [String: SharedValue] {
        var fields: [String: SharedValue] = [:]
        for _ in 0..<(try reader.number()) { fields[try name()] = try value(depth + 1) }
        return fields
    }

    private mutating func change() throws(ArchiveDamage) -> SharedCommit.Change {
        switch try reader.integer(UInt8.self) {
        case 1: return .assign(try value(0))
        case 2: return .add(try signed())
        case 3:
            var edits: [SharedListEdits.Edit] = []
            for _ in 0..<(try reader.number()) { edits.append(try edit()) }
            return .list(SharedListEdits(edits: edits))
        case 4: return .set(removed: Set(try values(0)), added: Set(try values(0)))
        case 5:
            var changes: [ContiguousArray<UInt8>: SharedValue?] = [:]
            for _ in 0..<(try reader.number()) {
                let key = try text()
                changes.updateValue(try reader.flag() ? try value(0) : nil, forKey: key)
            }
            return .map(changes)
        default: throw ArchiveDamage()
        }
    }

    private mutating func edit() throws(ArchiveDamage) -> SharedListEdits.Edit {
        let position = try reader.number()
        let (removed, inserted) = (try values(0), try values(0))
        let flags = try reader.integer(UInt8.self)
        guard flags < 4, position < Int(Int32.max) else { throw ArchiveDamage() }
        return SharedListEdits.Edit(
            position: position, removed: removed, inserted: inserted,
            before: flags & 1 == 0 ? nil : try value(0), after: flags & 2 == 0 ? nil : try value(0))
    }

    private mutating func values(_ depth: Int) throws(ArchiveDamage) -> [SharedValue] {
        var values: [SharedValue] = []
        for _ in 0..<(try reader.number()) { values.append(try value(depth)) }
        return values
    }

    private mutating func signed() throws(ArchiveDamage) -> Int64 {
        let value = try reader.varint()
        return Int64(bitPattern: value &>> 1) ^ -Int64(bitPattern: value & 1)
    }

    private mutating func bytes() throws(ArchiveDamage) -> ContiguousArray<UInt8> {
        let count = try reader.number()
        guard count <= Self.longestValue else { throw ArchiveDamage() }
        return ContiguousArray(try reader.raw(count))
    }

    private mutating func text() throws(ArchiveDamage) -> ContiguousArray<UInt8> {
        let bytes = try bytes()
        guard String(validating: bytes, as: UTF8.self) != nil else { throw ArchiveDamage() }
        return bytes
    }

    private mutating func value(_ depth: Int) throws(ArchiveDamage) -> SharedValue {
        guard depth <= SharedValue.greatestDepth else { throw ArchiveDamage() }
        switch try reader.integer(UInt8.self) {
        case 0: return .null
        case 1: return .boolean(false)
        case 2: return .boolean(true)
        case 3: return .integer(try signed())
        case 4: return .float(try reader.integer())
        case 5: return .double(try reader.integer())
        case 6: return .timestamp(try reader.integer())
        case 7: return .decimal(try reader.integer(), try reader.integer())
        case 8: return .text(try text())
        case 9: return .bytes(try bytes())
        case 10:
            return .fixed(
                FixedValue((try reader.integer(), try reader.integer()) as (UInt64, UInt32)))
        case 11:
            return .fixed(
                FixedValue((try reader.integer(), try reader.integer()) as (UInt64, UInt64)))
        case 12: return .link(try object(depth))
        case 13: return .anyLink(try object(depth))
        case 14: return .object(try fields(depth))
        case 15: return .list(try values(depth + 1))
        case 16: return .set(Set(try values(depth + 1)))
        case 17:
            var entries: [ContiguousArray<UInt8>: SharedValue] = [:]
            for _ in 0..<(try reader.number()) { entries[try text()] = try value(depth + 1) }
            return .map(entries)
        default: throw ArchiveDamage()
        }
    }
}
