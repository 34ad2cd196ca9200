import FlyingFox
import Foundation
import FreeholdImport
import FreeholdInspection

/// The parameters of an address.
struct Parameters: Sendable {
    private let values: [String: String]

    init(_ request: HTTPRequest) {
        values = Dictionary(
            request.query.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
    }

    subscript(name: String) -> String? {
        // A plus is a space in what URLSearchParams writes, and URLComponents leaves it.
        values[name]
    }

    func integer(_ name: String) -> Int? { self[name].flatMap { Int($0) } }

    /// The key of a row.
    func key(_ name: String) throws -> Int64 {
        guard let key = self[name].flatMap({ Int64($0) }) else { throw RequestError.missing(name) }
        return key
    }

    func rows() throws -> StudioFile.RowsRequest {
        var request = StudioFile.RowsRequest(
            className: self["class"] ?? "", query: self["query"] ?? "",
            columns: self["columns"].map { $0.split(separator: ",").map(String.init) },
            // Beyond all positions, with room for adding.
            position: min(max(integer("position") ?? 0, 0), 1 << 48), count: integer("count") ?? 100
        )
        if let key = self["anchor"].flatMap({ Int64($0) }), let position = integer("anchorPosition")
        {
            request.anchor = (key, min(max(position, 0), 1 << 48))
        }
        return request
    }
}

/// The body of a request: a JSON object.
struct Body: Sendable {
    let document: JSONDocument
    private let members: Range<Int>

    init(_ request: HTTPRequest) async throws {
        var data = Data()
        for try await chunk in request.bodySequence {
            data.append(chunk)
            if data.count > StudioHandler.largestBody {
                throw RequestError(413, "The body is too large.")
            }
        }
        document = try Body.parse(data)
        guard case .object(let members) = document[document.root] else {
            throw RequestError(400, "The body must be an object.")
        }
        self.members = members
    }

    static func parse(_ data: Data) throws -> JSONDocument {
        do {
            return try JSONParser.parse(data)
        } catch {
            throw RequestError(400, "That is no JSON: \(error.expected), not \(error.found).")
        }
    }

    func member(_ name: String) -> JSONDocument.ID? { document.member(of: members, named: name) }

    func text(_ name: String) -> String? {
        guard let id = member(name), case .string(let text) = document[id] else { return nil }
        return text
    }

    func integer(_ name: String) -> Int? {
        guard let id = member(name), case .integer(let value) = document[id] else { return nil }
        return value
    }

    func key(_ name: String) throws -> Int64 {
        guard let key = text(name).flatMap({ Int64($0) }) else { throw RequestError.missing(name) }
        return key
    }

    /// An object of texts; empty if there is none.
    func texts(_ name: String) -> [String: String] {
        guard let id = member(name), case .object(let members) = document[id] else { return [:] }
        var found: [String: String] = [:]
        for member in document.members[members] {
            if case .string(let text) = document[Int(member.value)] {
                found[document.name(of: member)] = text
            }
        }
        return found
    }
}
