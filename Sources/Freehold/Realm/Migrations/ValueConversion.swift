import FreeholdStorage

/// Converts a value whose property has a new type.
///
/// Converts only without loss and without ambiguity. Everything else becomes zero, empty or nil,
/// as in Realm, and is left to the block. Null stays null, or becomes zero if the new property
/// cannot be nil.
struct ValueConversion {
    /// Writes a value that is not null into a row.
    ///
    /// - Parameter bytes: The text or bytes of the value; empty for other types.
    typealias Body = (
        _ view: ColumnView, _ row: Int, _ bytes: UnsafeRawBufferPointer, _ target: MutableRow,
        _ column: ColumnID
    ) -> Void

    let body: Body
    /// Whether the conversion needs the value's bytes.
    let readsBytes: Bool

    /// Nil if there is no conversion between the types.
    init?(from old: ColumnType, to new: ColumnType) {
        guard let body = old == new ? Self.copy(old) : Self.conversion(from: old, to: new) else {
            return nil
        }
        self.body = body
        readsBytes = old.isVariableLength
    }

    private static func copy(_ type: ColumnType) -> Body? {
        if type == .mixed { return nil }
        if type.isVariableLength { return { $3.setBytes($4, $2) } }
        let layout = type.layout
        return { $3.copy($4, $0, $1, layout) }
    }

    private static func conversion(from old: ColumnType, to new: ColumnType) -> Body? {
        if new == .mixed { return mixed(old) }
        return switch (old, new) {
        case (.boolean, .integer): { $3.setInteger($4, $0.boolean(at: $1) ? 1 : 0) }
        case (.integer, .double): { $3.setDouble($4, Double($0.integer(at: $1))) }
        case (.float, .double): { $3.setDouble($4, Double($0.float(at: $1))) }
        case (.integer, .decimal):
            {
                let value = Decimal128(Int($0.integer(at: $1)))
                $3.setFixed16($4, (value.lowBits, value.highBits))
            }
        case (.boolean, .text): { Self.set($0.boolean(at: $1) ? "true" : "false", $3, $4) }
        case (.integer, .text): { Self.set(String($0.integer(at: $1)), $3, $4) }
        case (.float, .text): { Self.set("\($0.float(at: $1))", $3, $4) }
        case (.double, .text): { Self.set("\($0.double(at: $1))", $3, $4) }
        case (.decimal, .text):
            { Self.set(Decimal128(storedWords: $0.fixed16(at: $1)).description, $3, $4) }
        case (_, .text) where old.isFixedValue:
            { Self.set("\(FixedValue($0, $1, old).value)", $3, $4) }
        case (.text, .bytes): { $3.setBytes($4, $2) }
        default: nil
        }
    }

    private static func set(_ text: String, _ row: MutableRow, _ column: ColumnID) {
        var text = text
        text.withUTF8 { row.setBytes(column, UnsafeRawBufferPointer($0)) }
    }

    /// To a value of any type.
    private static func mixed(_ old: ColumnType) -> Body? {
        func body(_ value: @escaping (ColumnView, Int, UnsafeRawBufferPointer) -> MixedValue)
            -> Body
        {
            { view, row, bytes, target, column in
                value(view, row, bytes).encoded.withUnsafeBytes { target.setMixed(column, $0) }
            }
        }
        return switch old {
        case .integer: body { view, row, _ in .integer(view.integer(at: row)) }
        case .boolean: body { view, row, _ in .boolean(view.boolean(at: row)) }
        case .float: body { view, row, _ in .float(view.float(at: row)) }
        case .double: body { view, row, _ in .double(view.double(at: row)) }
        case .timestamp: body { view, row, _ in .timestamp(view.double(at: row)) }
        case .text: body { .text(ContiguousArray($2)) }
        case .bytes: body { .bytes(ContiguousArray($2)) }
        case .decimal:
            body { view, row, _ in .decimal(view.fixed16(at: row).0, view.fixed16(at: row).1) }
        case .link, .mixed: nil
        default: body { view, row, _ in .fixed(FixedValue(view, row, old)) }
        }
    }
}

// MARK: - Columns

/// A column whose values move to another column.
struct ColumnConversion {
    let table: TableID
    let source: ColumnDefinition
    let target: ColumnDefinition

    /// Nil if there is no conversion: the new column is then null, zero or empty.
    init?(_ source: ColumnDefinition, to target: ColumnDefinition, of table: TableID) {
        let isPossible: Bool
        switch (source.collection, target.collection) {
        case (nil, nil):
            isPossible =
                source.target == target.target
                && ValueConversion(from: source.type, to: target.type) != nil
        case (let old?, let new?):
            // Converting the values of a set could make some of them equal.
            isPossible =
                old.shape == new.shape && source.target == target.target && !old.carriesLinks
                && !new.carriesLinks
                && (old.type == new.type || old.shape != .set)
                && ValueConversion(from: old.type, to: new.type) != nil
        default: isPossible = false
        }
        if !isPossible { return nil }
        self.table = table
        self.source = source
        self.target = target
    }

    /// O(rows).
    func carryOut(in writeSet: WriteSet, _ progress: inout MigrationProgressCounter) {
        let table = writeSet.mutableTable(table)
        if let old = source.collection, let new = target.collection {
            convertElements(table, old, new, &progress)
            return
        }
        guard let conversion = ValueConversion(from: source.type, to: target.type) else { return }
        let (body, readsBytes, column) = (conversion.body, conversion.readsBytes, target.id)
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        table.fill(column, from: source.id, progress: { progress.add($0) }) { value, row in
            if value.isNull { return }
            if readsBytes {
                value.withBytes { body(value.view, value.row, $0, row, column) }
            } else {
                body(value.view, value.row, none, row, column)
            }
        }
    }

    private func convertElements(
        _ table: MutableTable, _ old: StoredCollectionKind, _ new: StoredCollectionKind,
        _ progress: inout MigrationProgressCounter
    ) {
        guard let conversion = ValueConversion(from: old.type, to: new.type) else { return }
        table.fillElements(of: target.id, from: source.id, old, progress: { progress.add($0) }) {
            elements, tree in
            elements.forEachLeaf { leaf in
                for row in 0..<leaf.count {
                    append(leaf, row, old, conversion, to: tree, new, table)
                }
                return true
            }
        }
    }

    private func append(
        _ leaf: CollectionLeaf, _ row: Int, _ old: StoredCollectionKind,
        _ conversion: ValueConversion,
        to tree: MutableStoredCollection, _ new: StoredCollectionKind, _ table: MutableTable
    ) {
        let isNull = leaf.values.isNull(at: row)
        var index = tree.count
        if new.shape == .set {
            // If elements cannot be null, null becomes zero, which the set may already contain.
            let value =
                isNull && !new.isNullable
                ? ScanValue(zeroOf: new.type) : ScanValue(leaf.values, row, old.type)
            let place = tree.stored.find(value)
            if place.isFound { return }
            index = place.index
        }
        let target = tree.insert(at: index)
        if new.shape == .map { tree.setKey(leaf.keys.heapBytes(at: row), at: index) }
        if isNull {
            if new.isNullable { target.setNull(MutableStoredCollection.values) }
            return
        }
        conversion.body(
            leaf.values, row,
            conversion.readsBytes
                ? leaf.values.heapBytes(at: row) : UnsafeRawBufferPointer(start: nil, count: 0),
            target, MutableStoredCollection.values)
    }
}
