import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Classes that declare `Codable` or `Encodable` themselves: synthesised code reads managed
/// objects, too.
@Suite struct CodableClassTests {
    typealias Book = EncodingModels.Book
    typealias Author = EncodingModels.Author
    typealias Measured = EncodingModels.Measured

    private func makeBook() -> Book {
        Book(
            value: [
                "id": 1, "title": "Notes", "isGood": true, "rating": 5, "mood": "calm",
                "author": ["name": "Ada"], "tags": ["a"], "chapters": [["pages": 3]],
            ] as [String: Any])
    }

    private let text = """
        {"author":{"best":null,"books":[],"name":"Ada"},"chapters":[{"pages":3}],"id":1,\
        "isGood":true,"mood":"calm","name":"Notes","published":0,\
        "rating":5,"tags":["a"]}
        """

    @Test func managedObjectsEncodeAsUnmanagedOnes() throws {
        let unmanaged = makeBook()
        #expect(try unmanaged.json() == text)
        try withTemporaryRealm(EncodingModels.all) { realm in
            let kept = makeBook()
            try realm.write { realm.add(kept) }
            #expect(try kept.json() == text, "An object that was added keeps its instance.")
            let book = try #require(realm.objects(Book.self).first)
            #expect(try book.json() == text && book.freeze().json() == text)
            let frozen = Frozen(book)
            #expect(try frozen.json() == text)
            #expect(try onNewThread { try frozen.json() } == text)
            #expect(try realm.objects(Book.self).json() == "[\(text)]")
            #expect(try [book].json() == "[\(text)]" && book.encodable.json() == text)
            // Loops use one instance again.
            for book in realm.objects(Book.self) { #expect(try book.json() == text) }
            let copy = try JSONDecoder().decode(Book.self, from: JSONEncoder().encode(book))
            #expect(
                copy.realm == nil && copy.title == "Notes" && copy.author?.name == "Ada"
                    && copy.chapters[0].pages == 3)
        }
    }

    @Test func circlesEnd() throws {
        let book = makeBook()
        book.author?.books.append(book)
        book.author?.best = book
        let inner =
            #"""
            {"author":"Ada","chapters":[{"pages":3}],"id":1,"isGood":true,"mood":"calm",\#
            "name":"Notes","published":0,"rating":5,"tags":["a"]}
            """#
        // The wrappers of an unmanaged object do not know it, so it is written once more.
        #expect(
            try book.json().hasPrefix(
                #"{"author":{"best":\#(inner),"books":[\#(inner)],"name":"Ada"}"#))
        try withTemporaryRealm(EncodingModels.all) { realm in
            try realm.write { realm.add(book) }
            #expect(try book.json().hasPrefix(#"{"author":{"best":1,"books":[1],"name":"Ada"}"#))
            #expect(
                try #require(book.author).json()
                    == #"{"best":\#(inner),"books":[\#(inner)],"name":"Ada"}"#)
            #expect(
                try #require(book.author).json(linkDepth: 0)
                    == #"{"best":1,"books":[1],"name":"Ada"}"#)
        }
    }

    @Test func unmanagedObjectsHaveNoLimitButTheStack() throws {
        func chain(_ count: Int) -> EncodingModels.CodableChain {
            let first = EncodingModels.CodableChain(value: ["id": 0])
            return (1..<count).reduce(first) {
                EncodingModels.CodableChain(value: ["id": $1, "next": $0] as [String: Any])
            }
        }
        #expect(try chain(60).json().contains(#"{"id":0,"next":null}"#))
        #expect(
            try chain(60).json(linkDepth: 2)
                == #"{"id":59,"next":{"id":58,"next":{"id":57,"next":56}}}"#)
        #expect(throws: EncodingError.self) { try chain(1000).json() }
        try withTemporaryRealm(EncodingModels.all) { realm in
            let chain = try realm.write {
                realm.create(EncodingModels.CodableChain.self, value: chain(60))
            }
            #expect(
                try chain.json()
                    == #"""
                    {"id":59,"next":{"id":58,"next":{"id":57,"next":{"id":56,"next":{"id":55,\#
                    "next":54}}}}}
                    """#
            )
            #expect(try chain.json(linkDepth: 1) == #"{"id":59,"next":{"id":58,"next":57}}"#)
        }
    }

    @Test func ownCodeAddsToTheLibrarys() throws {
        try withTemporaryRealm(EncodingModels.all) { realm in
            let first = try realm.write {
                realm.create(Measured.self, value: ["id": 1, "next": ["id": 2]] as [String: Any])
            }
            let text = #"{"id":1,"next":{"id":2,"next":null,"twice":4},"twice":2}"#
            #expect(
                try first.json() == text && first.encodable.json() == text
                    && Frozen(first).json() == text)
            try realm.write { first.next?.next = first }
            #expect(try first.json() == #"{"id":1,"next":{"id":2,"next":1,"twice":4},"twice":2}"#)
            #expect(
                try realm.objects(Measured.self).json().hasPrefix(
                    #"[{"id":1,"next":{"id":2,"next":1,"twice":4},"twice":2}"#))
            try realm.write { first.next = first }
            #expect(try first.json() == #"{"id":1,"next":1,"twice":2}"#)
        }
    }

    @Test func aWrongThreadIsReported() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(EncodingModels.all) { realm in
                let book = try realm.write { realm.create(Book.self, value: ["id": 1]) }
                struct Passed: @unchecked Sendable { let book: Book }
                let passed = Passed(book: book)
                _ = try onNewThread { try passed.book.json() }
            }
        }
        expectMessage(
            result, "Realm accessed from incorrect thread.", "Reading 'EncodingModels_Book.id'")
    }
}
