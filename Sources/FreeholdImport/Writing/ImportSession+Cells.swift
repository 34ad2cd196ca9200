import Foundation
import Freehold

// Reads the fields of CSV.

extension ImportSession {
    func values(ofRow record: Record, in table: CSVTable, linking: Bool) throws -> [(
        place: Int, value: Any
    )] {
        var values: [(place: Int, value: Any)] = []
        for (column, name) in table.header.enumerated() {
            guard
                let place = try place(
                    ofProperty: name, record.classIndex,
                    refusedAt: {
                        ImportPlace(
                            file: table.file, className: table.className, line: 1, property: name)
                    })
            else { continue }
            let property = classes[record.classIndex].properties[place]
            guard property.isLinking == linking else { continue }
            if let value = try value(
                ofField: table.field(column, of: record.content), property, record)
            {
                values.append((place, value))
            }
        }
        return values
    }

    /// Returns the value of a field; nil for a property that keeps its default.
    private func value(ofField field: String?, _ property: ImportedProperty, _ record: Record)
        throws -> Any?
    {
        guard let field, !field.isEmpty || property.type == .string && property.shape == .single
        else {
            return property.isOptional && property.shape == .single
                || property.shape == .single && property.type == .object ? NSNull() : nil
        }
        let target = property.target.flatMap { targetIndexes[$0] }
        if property.shape != .single || property.type == .any
            || target.map({ classes[$0].isEmbedded }) ?? false
        {
            return try value(ofJSON: field, property, record)
        }
        let context = ReadingContext(document: JSONDocument(), isExport: false, record: record)
        if let target {
            guard let keyPlace = classes[target].primaryKey else {
                throw ImportError(
                    .invalidValue, place(of: context, property),
                    expected: """
                        a class with a primary key, by which CSV can link to \
                        '\(classes[target].name)'
                        """, found: field)
            }
            let key = classes[target].properties[keyPlace]
            guard let value = key.type.value(ofCell: field) as? AnyHashable,
                key.constraint?.accepts(value.base) ?? true
            else {
                throw ImportError(
                    .invalidValue, place(of: context, property),
                    expected: """
                        the primary key of an object of class '\(classes[target].name)': \
                        \(key.expected)
                        """, found: field)
            }
            return try object(target, value, refusedAs: field, context, property)
        }
        guard let value = property.type.value(ofCell: field),
            property.constraint?.accepts(value) ?? true
        else {
            throw ImportError(
                .invalidValue, place(of: context, property),
                expected: property.constraint?.expected ?? property.type.expected(target: nil),
                found: field)
        }
        return value
    }

    private func value(ofJSON field: String, _ property: ImportedProperty, _ record: Record) throws
        -> Any
    {
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONParser.parse(Data(field.utf8))
        } catch {
            if property.type == .any, property.shape == .single {
                return AnyRealmValue.string(field)
            }
            throw ImportError(
                .invalidValue,
                place(
                    of: ReadingContext(document: JSONDocument(), isExport: false, record: record),
                    property),
                expected: "JSON: \(error.expected) instead of \(error.found)", found: field)
        }
        return try value(
            document.root, of: property,
            ReadingContext(document: document, isExport: false, record: record))
    }
}
