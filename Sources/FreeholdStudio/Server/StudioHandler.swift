import FlyingFox
import Foundation
import Freehold
import FreeholdImport
import FreeholdInspection
import FreeholdStorage

/// Answers requests: the page's files, and what it asks about the files of realms.
struct StudioHandler: HTTPHandler {
    let gate: Gate
    let files: [StudioEntry]
    /// Where the page is read from while it is being worked on; nil for the executable.
    let pageDirectory: String?

    static let largestBody = 32 << 20

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        switch gate.judge(request) {
        case .refused(let status, let text): return Reply.text(status, text)
        case .entering:
            var headers = Reply.headers("text/plain; charset=utf-8")
            headers[.location] = "/"
            headers[.setCookie] = gate.cookie
            return HTTPResponse(
                statusCode: HTTPStatusCode(303, phrase: "See Other"), headers: headers)
        case .admitted: break
        }
        do {
            if request.path.hasPrefix("/api/") {
                return try await answer(String(request.path.dropFirst(5)), request)
            }
            guard request.method == .GET else {
                return Reply.text(405, "Only GET is answered here.")
            }
            let name = request.path == "/" ? "index.html" : String(request.path.dropFirst())
            guard let file = PageFiles.file(name, from: pageDirectory) else {
                return Reply.text(404, "There is no such page.")
            }
            return HTTPResponse(
                statusCode: .ok, headers: Reply.headers(file.type), body: Data(file.bytes))
        } catch {
            return try failure(error)
        }
    }

    // MARK: Failures

    private struct FailureReply: Encodable {
        var kind: String
        var message: String
        var detail: String?
        var remedy: String?
        var line: Int?
        var column: Int?
    }

    private func failure(_ error: any Error) throws -> HTTPResponse {
        switch error {
        case let error as RequestError:
            return try Reply.json(
                FailureReply(kind: "request", message: error.message), status: error.status)
        case let error as RealmPredicateError:
            return try Reply.json(
                FailureReply(
                    kind: "query", message: error.message, detail: error.detail,
                    remedy: error.remedy, line: error.line, column: error.column), status: 422)
        case let error as InspectionError:
            return try Reply.json(
                FailureReply(kind: "request", message: error.message, remedy: error.remedy),
                status: 400)
        case let error as DraftConflict:
            return try Reply.json(
                FailureReply(
                    kind: "conflict",
                    message: error.errorDescription ?? "Others changed the same."),
                status: 409)
        case let error as StorageError:
            return try Reply.json(
                FailureReply(kind: "file", message: error.message), status: 500)
        default:
            return try Reply.json(
                FailureReply(kind: "file", message: "\(error)"), status: 500)
        }
    }

    // MARK: Requests

    private func answer(_ path: String, _ request: HTTPRequest) async throws -> HTTPResponse {
        if path == "files", request.method == .GET {
            return try Reply.json(["files": files.map(\.description)])
        }
        if request.method == .GET { return try await read(path, Parameters(request)) }
        guard request.method == .POST else { throw RequestError(405, "GET and POST are answered.") }
        guard
            request.headers[.contentType]?.lowercased().hasPrefix("application/json") == true
        else { throw RequestError(400, "The body must be JSON.") }
        return try await write(path, try await Body(request))
    }

    private func file(_ id: Int?) throws -> StudioFile {
        guard let id, files.indices.contains(id) else { throw RequestError.missing("file") }
        guard let file = files[id].file else {
            throw RequestError(400, files[id].error ?? "The file is not open.")
        }
        return file
    }

    private func read(_ path: String, _ parameters: Parameters) async throws -> HTTPResponse {
        let file = try file(parameters.integer("file"))
        let name = parameters["class"] ?? ""
        switch path {
        case "schema": return try Reply.json(await file.schema())
        case "rows": return Reply.json(try await file.rows(parameters.rows()))
        case "explain":
            return Reply.json(try await file.explain(name, parameters["query"] ?? ""))
        case "object": return Reply.json(try await file.object(name, try parameters.key("key")))
        case "value":
            return Reply.json(
                try await file.value(
                    name, try parameters.key("key"), parameters["property"] ?? "",
                    forEditing: parameters["coding"] == "dump"))
        case "values":
            return Reply.json(
                try await file.values(
                    name, parameters["property"] ?? "", prefix: parameters["prefix"] ?? ""))
        case "find":
            return Reply.json(
                try await file.find(parameters["text"] ?? "", in: parameters["class"]))
        case "deletion":
            return Reply.json(try await file.deletion(name, try parameters.key("key")))
        case "draft": return Reply.json(try await file.review())
        case "versions": return Reply.json(try await file.versions())
        case "space": return Reply.stream("application/x-ndjson", file.space())
        case "stream":
            return Reply.json(
                try await file.stream(since: UInt64(parameters["since"] ?? "") ?? 0))
        case "events": return Reply.stream("text/event-stream", try await file.events())
        case "check": return Reply.stream("application/x-ndjson", file.check())
        case "export": return try await file.export(parameters)
        default: throw RequestError(404, "There is no such request.")
        }
    }

    private func write(_ path: String, _ body: Body) async throws -> HTTPResponse {
        let file = try file(body.integer("file"))
        let name = body.text("class") ?? ""
        switch path {
        case "draft/set":
            if let text = body.text("valueText") {
                let value = try Body.parse(Data(text.utf8))
                return Reply.json(
                    try await file.set(
                        name, try body.key("key"), body.text("property") ?? "", value.root,
                        of: value))
            }
            guard let value = body.member("value") else { throw RequestError.missing("value") }
            return Reply.json(
                try await file.set(
                    name, try body.key("key"), body.text("property") ?? "", value,
                    of: body.document))
        case "draft/add":
            return Reply.json(
                try await file.add(
                    name, primaryKey: body.member("primaryKey"), of: body.document))
        case "draft/delete": return Reply.json(try await file.delete(name, try body.key("key")))
        case "draft/undo": return Reply.json(try await file.undo())
        case "draft/redo": return Reply.json(try await file.redo())
        case "draft/discard": return Reply.json(try await file.discard())
        case "draft/save": return Reply.json(try await file.save(body.texts("resolutions")))
        case "salvage":
            guard let entry = files.first(where: { $0.file === file }) else {
                throw RequestError.missing("file")
            }
            return Reply.stream(
                "application/x-ndjson",
                try file.salvage(to: body.text("target") ?? "", key: entry.key))
        default: throw RequestError(404, "There is no such request.")
        }
    }
}

/// A file that Studio was started with: open, or why it is not.
struct StudioEntry: Sendable {
    let path: String
    let key: Data?
    let isWritable: Bool
    let file: StudioFile?
    let error: String?
    let id: Int

    init(id: Int, path: String, key: Data?, isWritable: Bool) {
        (self.id, self.path, self.key, self.isWritable) = (id, path, key, isWritable)
        do {
            file = try StudioFile(id: id, path: path, key: key, isWritable: isWritable)
            error = nil
        } catch {
            file = nil
            self.error = (error as? StorageError)?.message ?? "\(error)"
        }
    }

    struct Description: Encodable {
        let id: Int
        let name: String
        let path: String
        let isWritable: Bool
        let isEncrypted: Bool
        let error: String?
    }

    var description: Description {
        Description(
            id: id, name: URL(fileURLWithPath: path).lastPathComponent, path: path,
            isWritable: isWritable, isEncrypted: key != nil, error: error)
    }
}
