import Foundation

/// The objects of one class, as CSV.
struct CSVTable: Sendable {
    let className: String
    let file: String?
    let header: [String]
    /// The fields of all records, one record after the other; each has as many as the header.
    private let fields: [String?]
    private let lines: [Int32]

    init(_ data: Data, className: String, file: String?) throws {
        var place = ImportPlace(file: file, className: className)
        let records: [CSVParser.Record]
        do throws(CSVSyntaxError) {
            records = try CSVParser.parse(data)
        } catch {
            place.line = error.line
            throw ImportError(.malformedCSV, place, expected: error.expected, found: error.found)
        }
        guard let first = records.first else {
            throw ImportError(
                .malformedCSV, place, expected: "a header with the names of properties",
                found: "an empty file")
        }
        place.line = first.line
        var names: Set<String> = []
        for name in first.fields {
            guard let name, !name.isEmpty else {
                throw ImportError(
                    .malformedCSV, place, expected: "a name for every column of the header",
                    found: "an empty one")
            }
            guard names.insert(name).inserted else {
                throw ImportError(
                    .malformedCSV, place, expected: "each name once in the header",
                    found: "'\(shortened(name))' twice")
            }
        }
        for (row, record) in records.dropFirst().enumerated()
        where record.fields.count != first.fields.count {
            place.line = record.line
            place.row = row + 1
            throw ImportError(
                .malformedCSV, place, expected: "\(first.fields.count) fields, as in the header",
                found: "\(record.fields.count)",
                remedy: "Commas and line breaks in a field need quotes around it.")
        }
        self.className = className
        self.file = file
        header = first.fields.compactMap { $0 }
        fields = records.dropFirst().flatMap(\.fields)
        lines = records.dropFirst().map { Int32(clamping: $0.line) }
    }

    var count: Int { lines.count }

    func line(of row: Int) -> Int { Int(lines[row]) }

    func field(_ column: Int, of row: Int) -> String? { fields[row * header.count + column] }
}
