import Foundation
import Freehold
import Hummingbird
import ServiceLifecycle

/// The notebook over HTTP.
func routes(of notebook: Notebook) -> Router<BasicRequestContext> {
    let router = Router()

    router.get("notes") { request, _ in
        try json(await notebook.notes(tagged: request.uri.queryParameters.get("tag")))
    }
    router.get("notes/:id") { _, context in
        guard let note = await notebook.note(try context.parameters.require("id", as: UUID.self))
        else { throw HTTPError(.notFound) }
        return try json(note)
    }
    router.put("notes/:id") { request, context in
        let content = try await request.decode(as: NoteContent.self, context: context)
        return try json(
            await notebook.write(content, to: try context.parameters.require("id", as: UUID.self)))
    }
    router.delete("notes/:id") { _, context -> Response in
        guard try await notebook.delete(try context.parameters.require("id", as: UUID.self)) else {
            throw HTTPError(.notFound)
        }
        return Response(status: .noContent)
    }
    router.get("changes") { _, _ in
        let updates = await notebook.changes()
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream"],
            body: ResponseBody { writer in
                // The loop ends when the client disconnects, which cancels it, and when the server
                // shuts down.
                for await update in updates.cancelOnGracefulShutdown() {
                    try await writer.write(
                        ByteBuffer(string: "data: \(try text(Change(update)))\n\n"))
                }
                try await writer.finish(nil)
            })
    }
    return router
}

/// The event that a client gets for one or several commits. A slow client gets several commits as
/// one event.
struct Change: Encodable {
    /// The keys of deleted notes.
    let deleted: [String]
    /// New and changed notes, with all properties. The first message has all notes.
    let notes: [Frozen<Note>]

    init(_ update: ChangeBroadcast<Results<Note>>.Update) {
        let event = update.event
        deleted = event.deletions.map { "\($0)" }
        notes = (event.insertions + event.modifications + event.moves).compactMap {
            update.object(for: $0)
        }
    }
}

private func json(_ value: some Encodable) throws -> Response {
    Response(
        status: .ok, headers: [.contentType: "application/json"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: try text(value))))
}

private func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
}
