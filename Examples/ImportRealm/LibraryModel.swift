import Foundation
import Freehold

/// A writer of books.
class Author: Object {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted(indexed: true) var name = ""
    @Persisted var born: Date?
    @Persisted var books: List<Book>
}

/// A book. It has no primary key, so the importer distinguishes books by their contents.
class Book: Object {
    @Persisted var title = ""
    @Persisted var year: Int?
    @Persisted var author: Author?
    @Persisted var sequel: Book?
    @Persisted var subjects: MutableSet<String>
    @Persisted var imprint: Imprint?
    @Persisted var note: AnyRealmValue
}

/// The printer of a book, and the place. Deleted with the book.
class Imprint: EmbeddedObject {
    @Persisted var publisher = ""
    @Persisted var place: String?
}

/// A reader of books.
class Reader: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted var name = ""
    @Persisted var favourite: Author?
    @Persisted var ratings: Map<String, Int>
}

enum LibraryModel {
    static let all: [ObjectBase.Type] = [Author.self, Book.self, Imprint.self, Reader.self]
}
