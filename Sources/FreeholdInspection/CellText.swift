package import FreeholdStorage

/// Values for people, and fields of CSV.
package enum CellText {
    package struct Cell: Sendable {
        package let text: String
        package let isNull: Bool

        package init(text: String, isNull: Bool) {
            self.text = text
            self.isNull = isNull
        }
    }

    /// The value of a column of a row: texts and numbers as they are, others as JSON.
    package static func cell(
        _ column: ColumnDefinition, _ row: RowWalk.Row, _ encoder: inout RowEncoder
    ) -> Cell {
        let view = row.cluster.columns[column.id.position]
        if column.collection == nil {
            if view.isNull(at: row.row) { return Cell(text: "", isNull: true) }
            if column.type == .text {
                return Cell(
                    text: row.table.withBytes(row.cluster, column.id, row.row) {
                        String(decoding: $0, as: UTF8.self)
                    }, isNull: false)
            }
        }
        var json = JSONBytes()
        encoder.append(column, row.cluster, row.row, of: row.table.id, to: &json)
        return Cell(text: unquoted(json.text), isNull: false)
    }

    /// JSON of one scalar without its quotes.
    package static func unquoted(_ json: String) -> String {
        // Only texts need escapes, and these are not asked for here.
        guard json.utf8.first == UInt8(ascii: "\""), json.utf8.count >= 2,
            !json.utf8.contains(UInt8(ascii: "\\"))
        else { return json }
        return String(json.dropFirst().dropLast())
    }

    /// A field of CSV (RFC 4180). Null is empty, and an empty text is two quotes.
    package static func append(csv cell: Cell, to bytes: inout [UInt8]) {
        if cell.isNull { return }
        let needsQuotes =
            cell.text.isEmpty
            || cell.text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
            || cell.text.utf8.first == UInt8(ascii: " ")
        guard needsQuotes else { return bytes.append(contentsOf: cell.text.utf8) }
        bytes.append(0x22)
        for byte in cell.text.utf8 {
            if byte == 0x22 { bytes.append(0x22) }
            bytes.append(byte)
        }
        bytes.append(0x22)
    }
}

extension TableDefinition {
    /// The key of a row that a person names: the primary key, or the row key of a class without
    /// one.
    package func key(_ text: String, in source: TableSource) throws -> Int64? {
        let rows = source.table(id)
        guard let column = primaryKey.flatMap({ self[$0] }) else {
            guard let key = Int64(text) else {
                throw InspectionError(
                    "\(name) has no primary key, and '\(text)' is no row key.",
                    remedy: "Row keys are integers: freehold query --keys shows them.")
            }
            return rows.contains(RowKey(rawValue: key)) ? key : nil
        }
        let value: ScanValue?
        switch column.type {
        case .integer: value = Int64(text).map { .integer($0) }
        case .text: value = .text(Array(text.utf8))
        default: value = ScalarText.fixed(text, column.type).map { .fixed($0) }
        }
        guard let value else {
            throw InspectionError(
                """
                The primary key '\(column.name)' of \(name) must be \
                \(ValueDecoder.expectation(of: column.type)), and '\(text)' is not.
                """)
        }
        if usesPrimaryKeyAsRowKey, case .integer(let key) = value {
            return rows.contains(RowKey(rawValue: key)) ? key : nil
        }
        return try ScanEngine(source: source).firstKey(
            .compare(ScanPath(column: column.id), .equal, value), in: rows)
    }

    /// What names a row for a person: its primary key, or its row key.
    package func identity(
        _ cluster: ClusterView, _ row: Int, _ encoder: inout RowEncoder
    ) -> String {
        let key = cluster.key(at: row).rawValue
        guard let column = primaryKey.flatMap({ self[$0] }) else { return "row \(key)" }
        var json = JSONBytes()
        encoder.append(column, cluster, row, of: id, to: &json)
        return json.text
    }
}
