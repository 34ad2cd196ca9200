/// What a file's history records, and for how long. It is in the file, so every process and every
/// realm records, whatever its own configuration.
package struct HistoryPolicy: Hashable, Sendable {
    /// Names the history through copies of the file. A history that was dropped and begun again
    /// has another one.
    package var lineage: UniqueIdentifier
    /// How long transactions are kept; nil for ever.
    package var seconds: Double?
    /// The names of the recorded tables; nil for all.
    package var tables: Set<String>?
    /// Whether old and new values are recorded.
    package var keepsValues: Bool
    /// The names of the columns, by table, whose values are recorded when a row is deleted.
    package var preserved: [String: Set<String>]

    package init(
        lineage: UniqueIdentifier = .random(), seconds: Double? = nil, tables: Set<String>? = nil,
        keepsValues: Bool = false, preserved: [String: Set<String>] = [:]
    ) {
        self.lineage = lineage
        self.seconds = seconds
        self.tables = tables
        self.keepsValues = keepsValues
        self.preserved = preserved
    }

    package func records(_ table: String) -> Bool { tables?.contains(table) ?? true }

    /// The policy with the preserved columns under the names that they have in a later catalog.
    ///
    /// - Parameter moved: The new columns of those that were renamed, and became others.
    func renamingColumns(
        from old: Catalog, to new: Catalog, moved: [TableID: [ColumnID: ColumnID]]
    ) -> HistoryPolicy {
        if preserved.isEmpty || old == new { return self }
        var renamed = self
        for (table, names) in preserved {
            guard let before = old[table], let now = new[before.id], before != now else { continue }
            renamed.preserved[table] = Set(
                names.map { name in
                    before[name].flatMap { now[moved[before.id]?[$0.id] ?? $0.id]?.name } ?? name
                })
        }
        return renamed
    }
}

/// The policy as the row 0 of the history's table has it, little-endian:
///
///     format (UInt8, 1), lineage (2 x UInt64: high, low), seconds (Float64; infinity for ever),
///     flags (UInt8: 1 values, 2 some tables only, 4 the history has a tail), tables (UInt32),
///     then each name,
///     tables with preserved columns (UInt32), then for each: name, columns (UInt32), each name
///
/// A name is its length (UInt16) and its UTF-8 bytes. Names ascend.
extension HistoryPolicy {
    private static let format: UInt8 = 1

    private static let tailFlag: UInt8 = 4
    private static let flagsOffset = 25

    /// Whether an encoded policy says that the history has a tail (``HistoryTail``).
    static func saysTail(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count > flagsOffset && bytes[flagsOffset] & tailFlag != 0
    }

    func encoded(withTail: Bool) -> ContiguousArray<UInt8> {
        var out = ContiguousArray<UInt8>()
        func put<Value: FixedWidthInteger>(_ value: Value) {
            withUnsafeBytes(of: value.littleEndian) { out.append(contentsOf: $0) }
        }
        func put(_ names: Set<String>) {
            put(UInt32(names.count))
            for name in names.sorted() {
                put(UInt16(name.utf8.count))
                out.append(contentsOf: name.utf8)
            }
        }
        put(Self.format)
        put(lineage.high)
        put(lineage.low)
        put((seconds ?? .infinity).bitPattern)
        put(
            UInt8((keepsValues ? 1 : 0) | (tables == nil ? 0 : 2))
                | (withTail ? Self.tailFlag : 0))
        put(tables ?? [])
        put(UInt32(preserved.count))
        for (table, columns) in preserved.sorted(by: { $0.key < $1.key }) {
            put(UInt16(table.utf8.count))
            out.append(contentsOf: table.utf8)
            put(columns)
        }
        return out
    }

    /// Nil if the bytes are damaged.
    init?(decoding bytes: UnsafeRawBufferPointer) {
        var reader = FieldReader(bytes)
        guard reader.integer(UInt8.self) == Self.format, let high = reader.integer(UInt64.self),
            let low = reader.integer(UInt64.self), let bits = reader.integer(UInt64.self),
            let flags = reader.integer(UInt8.self), flags < 8, let names = reader.names(),
            let count = reader.integer(UInt32.self)
        else { return nil }
        let seconds = Double(bitPattern: bits)
        guard seconds >= 0 else { return nil }
        var preserved: [String: Set<String>] = [:]
        for _ in 0..<count {
            guard let table = reader.name(), let columns = reader.names() else { return nil }
            preserved[table] = columns
        }
        guard reader.isAtEnd else { return nil }
        self.init(
            lineage: UniqueIdentifier(high: high, low: low),
            seconds: seconds == .infinity ? nil : seconds, tables: flags & 2 == 0 ? nil : names,
            keepsValues: flags & 1 != 0, preserved: preserved)
    }
}

extension FieldReader {
    fileprivate mutating func names() -> Set<String>? {
        guard let count = integer(UInt32.self) else { return nil }
        var names: Set<String> = []
        for _ in 0..<count {
            guard let name = name() else { return nil }
            names.insert(name)
        }
        return names
    }
}
