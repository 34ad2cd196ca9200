import Foundation
import Freehold

/// A note of the notebook that the server keeps.
final class Note: Object {
    @Persisted(primaryKey: true) var id: UUID
    @Persisted var title = ""
    @Persisted var text = ""
    @Persisted(indexed: true) var changed: Date
    @Persisted var tags: MutableSet<String>
}

/// The part of a note that a client sends.
struct NoteContent: Decodable {
    let title: String
    let text: String?
    let tags: [String]?
}

/// The server's realm. Handlers await it only briefly: it returns frozen values, which the handlers
/// encode.
actor Notebook {
    private let realm: Realm
    private var broadcast: ChangeBroadcast<Results<Note>>?

    init(_ file: URL) async throws {
        realm = try await Realm.open(
            configuration: Realm.Configuration(fileURL: file, objectTypes: [Note.self]))
    }

    /// The newest notes first.
    func notes(tagged tag: String?) -> Frozen<Results<Note>> {
        var notes = realm.objects(Note.self)
        if let tag { notes = notes.where { $0.tags.contains(tag) } }
        return Frozen(notes.sorted(by: \.changed, ascending: false))
    }

    func note(_ id: UUID) -> Frozen<Note>? {
        realm.object(ofType: Note.self, forPrimaryKey: id).map { Frozen($0) }
    }

    /// Adds or changes a note. Returns it when it is on disk.
    func write(_ content: NoteContent, to id: UUID) async throws -> Frozen<Note> {
        let note = try await realm.asyncWrite {
            let note = realm.create(Note.self, value: ["id": id], update: .modified)
            note.title = content.title
            note.text = content.text ?? ""
            note.changed = Date()
            note.tags.removeAll()
            note.tags.insert(objectsIn: content.tags ?? [])
            return note
        }
        return Frozen(note)
    }

    /// Returns whether the note existed.
    func delete(_ id: UUID) async throws -> Bool {
        try await realm.asyncWrite {
            guard let note = realm.object(ofType: Note.self, forPrimaryKey: id) else {
                return false
            }
            realm.delete(note)
            return true
        }
    }

    /// One observation serves all clients. Each client has its own stream.
    func changes() -> ChangeBroadcast<Results<Note>>.Updates {
        if let broadcast { return broadcast.updates }
        let made = realm.objects(Note.self).broadcast()
        broadcast = made
        return made.updates
    }

    func check() throws -> [String] { try realm.check() }
}
