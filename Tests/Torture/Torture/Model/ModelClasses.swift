import Foundation
import Freehold

/// The classes of the model checker: each type of property, each kind of relationship.
enum ModelClasses {
    static let all: [ObjectBase.Type] = [Item.self, Note.self, Ticket.self, Part.self, Clock.self]
    /// Of the schema in which notes are other than usual.
    static let migrated: [ObjectBase.Type] = [MigratedNote.self]

    enum Kind: String, PersistableEnum { case plain, fancy, rare }
    enum Mood: Int, PersistableEnum { case sad = -1, calm = 0, glad = 7 }

    final class Item: Object {
        override class func className() -> String { "Item" }
        @Persisted(primaryKey: true) var id = 0
        @Persisted(indexed: true) var rank = 0
        @Persisted(indexed: true) var name = ""
        @Persisted var text: String?
        @Persisted var score: Double?
        @Persisted var ratio: Float = 0
        @Persisted var flag = false
        @Persisted var small: Int8 = 0
        @Persisted(indexed: true) var big: Int64?
        @Persisted var data = Data()
        @Persisted(indexed: true) var date: Date?
        @Persisted var decimal: Decimal128 = 0
        @Persisted(indexed: true) var objectID: ObjectId?
        @Persisted var uuid: UUID?
        @Persisted(indexed: true) var kind = Kind.plain
        @Persisted var mood: Mood?
        @Persisted var part: Part?
        @Persisted var next: Item?
        @Persisted(deleteRule: .cascade) var owned: Item?
        @Persisted(deleteRule: .deny) var needed: Item?
        @Persisted var note: Note?
        @Persisted var numbers: List<Int>
        @Persisted var texts: List<String?>
        @Persisted var children: List<Item>
        @Persisted var parts: List<Part>
        @Persisted var tags: MutableSet<String>
        @Persisted var friends: MutableSet<Item>
        @Persisted var marks: Map<String, Int>
        @Persisted var related: Map<String, Item?>
        @Persisted var rooms: Map<String, Part?>
        @Persisted var anything: AnyRealmValue
        @Persisted var things: List<AnyRealmValue>
        @Persisted(originProperty: "next") var previous: LinkingObjects<Item>
        @Persisted(originProperty: "children") var parents: LinkingObjects<Item>
        @Persisted(originProperty: "friends") var admirers: LinkingObjects<Item>
        @Persisted(originProperty: "related") var relatives: LinkingObjects<Item>
        @Persisted(originProperty: "item") var notes: LinkingObjects<Note>
    }

    /// Without a primary key.
    final class Note: Object {
        override class func className() -> String { "Note" }
        @Persisted(indexed: true) var serial = 0
        @Persisted var text = ""
        @Persisted var number = 0
        @Persisted var item: Item?
        @Persisted var items: List<Item>
        @Persisted(originProperty: "note") var users: LinkingObjects<Item>
    }

    /// A note after a migration: one property has another name, one another type, two are gone.
    final class MigratedNote: Object {
        override class func className() -> String { "Note" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        @Persisted(indexed: true) var serial = 0
        @Persisted(indexed: true) var words = ""
        @Persisted var number: String?
    }

    /// The realm gives the keys.
    final class Ticket: Object {
        override class func className() -> String { "Ticket" }
        @Persisted(primaryKey: true, autoIncrement: true) var id: Int
        @Persisted var title = ""
        @Persisted var item: Item?
    }

    final class Part: EmbeddedObject {
        override class func className() -> String { "Part" }
        @Persisted var serial = 0
        @Persisted(indexed: true) var size = 0
        @Persisted var label = ""
        @Persisted var target: Item?
        @Persisted(deleteRule: .cascade) var owned: Item?
        @Persisted var sizes: List<Int>
        @Persisted var inner: Part?
    }

    /// Tells readers which version a realm reads: each transaction that changes anything
    /// increments it.
    final class Clock: Object {
        override class func className() -> String { "Clock" }
        @Persisted(primaryKey: true) var id = 0
        @Persisted var time = 0
        /// The last number that was given to a note or a part.
        @Persisted var serial = 0
    }

    final class ItemProjection: Projection<Item> {
        @Projected(\Item.name) var name
        @Projected(\Item.rank) var rank
        @Projected(\Item.next?.name) var nextName
        @Projected(\Item.part?.size) var size
        @Projected(\Item.children.projectTo.name) var childNames: ProjectedCollection<String>
    }
}
