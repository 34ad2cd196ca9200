import Foundation
import Testing

import Freehold
import FreeholdRealmTestSupport

@Suite struct ObjectCodableTests {
    typealias Note = ObjectModels.Note

    @Test func roundTrip() throws {
        let note = Note()
        note.title = "Hello"
        note.mood = .cross
        note.amount = try Decimal128(string: "1.50")
        note.reply = Note(value: ["title": "Hi", "stars": 3])
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        note.written = Date(timeIntervalSinceReferenceDate: 1000)
        note.reply?.written = Date(timeIntervalSinceReferenceDate: 2000)
        let json = try encoder.encode(note)
        #expect(String(decoding: json, as: UTF8.self).contains("\"2001-01-01T00:16:40Z\""))
        let copy = try decoder.decode(Note.self, from: json)
        #expect(copy.description == note.description)
        #expect(copy.stars == nil && copy.reply?.stars == 3)
    }

    @Test func encodesTheDefaultThatIsReadLater() throws {
        let note = Note()
        let json = try JSONEncoder().encode(note)
        let copy = try JSONDecoder().decode(Note.self, from: json)
        #expect(copy._id == note._id)
        #expect(copy.written == note.written)
    }

    @Test func missingOptionalsAreNil() throws {
        let json =
            #"""
            {"_id": "5f4e1c9f2b3a4d5e6f708192", "title": "a", "mood": "calm", "written": 0, \#
            "amount": "1", "stars": null}
            """#
        let note = try JSONDecoder().decode(Note.self, from: Data(json.utf8))
        #expect(note.stars == nil && note.reply == nil && note.title == "a")
    }

    @Test func missingValuesThrow() {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Note.self, from: Data("{}".utf8))
        }
    }
}
