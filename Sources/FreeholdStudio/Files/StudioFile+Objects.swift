import Foundation
import Freehold
import FreeholdInspection
import FreeholdStorage

extension StudioFile {
    /// One object: all values, what it is embedded in, and what links to it.
    func object(_ className: String, _ key: Int64) throws -> [UInt8] {
        let view = try view()
        let definition = try table(className, in: view)
        let rows = view.rows.table(definition.id)
        guard let place = rows.locate(RowKey(rawValue: key)) else {
            throw RequestError(404, "There is no such object.")
        }
        let target = LinkTarget(table: definition.id, key: key)
        var encoder = CellEncoder(view.rows, .card)
        var json = JSONBytes()
        json.append(raw: "{\"version\":")
        json.append(Int64(clamping: view.version))
        if let title = encoder.title(of: target) {
            json.append(raw: ",\"title\":")
            json.append(quoted: title)
        }
        if let mark = rowMarks()[RowName(className: className, key: key)] {
            json.append(raw: ",\"changed\":")
            json.append(raw: try Reply.encoded(mark.properties))
        }
        if definition.isOwned, let owner = try view.rows.owner(of: target) {
            json.append(raw: ",\"owner\":")
            var link = JSONBytes()
            encoder.append(link: owner.row, to: &link)
            json.append(raw: Array(link.bytes.dropLast()))
            json.append(raw: ",\"property\":")
            json.append(quoted: view.catalog[owner.row.table]?[owner.column]?.name ?? "")
            json.append(raw: "}")
        }
        json.append(raw: ",\"values\":{")
        for (index, column) in definition.columns.enumerated() {
            if index > 0 { json.append(raw: ",") }
            json.append(quoted: column.name)
            json.append(raw: ":")
            encoder.append(column, place.cluster, place.row, of: definition.id, to: &json)
        }
        json.append(raw: "},\"backlinks\":[")
        if !definition.isOwned {
            for (index, found) in try view.rows.incomingLinks(to: target).enumerated() {
                if index > 0 { json.append(raw: ",") }
                json.append(raw: "{\"className\":")
                json.append(quoted: found.className)
                json.append(raw: ",\"property\":")
                json.append(quoted: found.property)
                json.append(raw: ",\"count\":")
                json.append(Int64(found.keys.count))
                json.append(raw: ",\"rows\":[")
                for (number, row) in found.keys.prefix(50).enumerated() {
                    if number > 0 { json.append(raw: ",") }
                    encoder.append(link: LinkTarget(table: found.table, key: row), to: &json)
                }
                json.append(raw: "]}")
            }
        }
        json.append(raw: "]}")
        return json.bytes
    }

    /// One value whole: as a cell, or in the coding that edits are sent in.
    func value(_ className: String, _ key: Int64, _ property: String, forEditing: Bool) throws
        -> [UInt8]
    {
        let view = try view()
        let definition = try table(className, in: view)
        guard let column = definition[property],
            let place = view.rows.table(definition.id).locate(RowKey(rawValue: key))
        else { throw RequestError(404, "There is no such value.") }
        var json = JSONBytes()
        if forEditing {
            var encoder = RowEncoder(view.rows)
            var text = JSONBytes()
            encoder.append(column, place.cluster, place.row, of: definition.id, to: &text)
            // Beside it as a text, because JavaScript's numbers have 53 bits.
            json.append(raw: "{\"value\":")
            json.append(raw: text.bytes)
            json.append(raw: ",\"text\":")
            json.append(quoted: text.text)
        } else {
            var encoder = CellEncoder(view.rows, .whole)
            json.append(raw: "{\"cell\":")
            encoder.append(column, place.cluster, place.row, of: definition.id, to: &json)
        }
        json.append(raw: "}")
        return json.bytes
    }

    /// What is deleted with an object, and which links to it end.
    func deletion(_ className: String, _ key: Int64) throws -> [UInt8] {
        struct Group: Encodable {
            let className: String
            let property: String?
            let count: Int
        }
        struct Answer: Encodable {
            let title: String?
            let along: [Group]
            let links: [Group]
        }
        let view = try view()
        let definition = try table(className, in: view)
        guard view.rows.table(definition.id).contains(RowKey(rawValue: key)) else {
            throw RequestError(404, "There is no such object.")
        }
        let target = LinkTarget(table: definition.id, key: key)
        var encoder = CellEncoder(view.rows, .grid)
        var along: [String: Int] = [:]
        var work: [(TableID, [Int64])] = [(definition.id, [key])]
        while let (id, keys) = work.popLast() {
            let rows = view.rows.table(id)
            for column in rows.definition.columns {
                guard let owned = column.target.flatMap({ view.catalog[$0] }), owned.isOwned else {
                    continue
                }
                var found: [Int64] = []
                rows.forEachLink(of: column.id, in: keys) { found.append($0) }
                if found.isEmpty { continue }
                along[owned.name, default: 0] += found.count
                work.append((owned.id, found))
            }
        }
        return try Reply.encoded(
            Answer(
                title: encoder.title(of: target),
                along: along.sorted { $0.key < $1.key }.map {
                    Group(className: $0.key, property: nil, count: $0.value)
                },
                links: try view.rows.incomingLinks(to: target).map {
                    Group(className: $0.className, property: $0.property, count: $0.keys.count)
                }))
    }
}
