import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Objects that a draft adds while others add objects of the same classes, and a plain model of
/// those of the draft. The objects of both sides have names of their own and never link to each
/// other.
enum MovedWorld {
    /// Without a primary key.
    class Item: Object {
        @Persisted var name: String
        @Persisted var number: Int
        @Persisted var link: Item?
        @Persisted var items: List<Item>
        @Persisted var words: List<String>
        @Persisted var parts: List<Part>
        @Persisted var any: AnyRealmValue
        @Persisted(originProperty: "items") var owners: LinkingObjects<Item>
        @Persisted(originProperty: "link") var linking: LinkingObjects<Item>
    }

    class Part: EmbeddedObject {
        @Persisted var name: String
    }

    /// With a primary key that is no row key.
    class Code: Object {
        @Persisted(primaryKey: true) var code: String
        @Persisted var item: Item?
    }

    static let all: [ObjectBase.Type] = [Item.self, Part.self, Code.self]

    // MARK: The model

    struct ItemState: Equatable {
        var number = 0
        var link: String?
        var items: [String] = []
        var words: [String] = []
        var parts: [String] = []
        var any = AnyState.none
    }

    enum AnyState: Equatable {
        case none
        case object(String)
        /// A list of a dictionary and a list, with a name for each value that was stored.
        case nested(Int, object: String?, numbers: [Int])
    }

    struct State: Equatable {
        var items: [String: ItemState] = [:]
        var codes: [String: String?] = [:]

        mutating func delete(_ name: String) {
            items[name] = nil
            for other in items.keys {
                items[other]?.items.removeAll { $0 == name }
                if items[other]?.link == name { items[other]?.link = nil }
                switch items[other]?.any {
                case .object(name): items[other]?.any = .none
                case .nested(let id, name, let numbers):
                    items[other]?.any = .nested(id, object: nil, numbers: numbers)
                default: break
                }
            }
            for (code, item) in codes where item == name { codes[code] = .some(nil) }
        }

        /// The items with a property, by name.
        func names(_ isIncluded: (ItemState) -> Bool) -> [String] {
            items.filter { isIncluded($0.value) }.map(\.key).sorted()
        }
    }

    /// Adds, changes and deletes objects of the other side.
    static func editElsewhere(
        _ configuration: Realm.Configuration, _ seed: UInt64
    ) throws {
        try onNewThread {
            var random = SeededGenerator(seed: seed)
            let realm = try Realm(configuration: configuration)
            try realm.write {
                for index in 0...random.int(0...3) {
                    let item = realm.create(
                        Item.self, value: ["name": "their\(seed).\(index)", "words": ["x", "y"]])
                    item.link = item
                    item.items.append(objectsIn: [item, item])
                    item.parts.append(Part(value: ["name": "theirs"]))
                    item.any = .fromArray([.object(item), .fromArray([.int(7)])])
                    if random.once(in: 2) {
                        realm.create(
                            Code.self, value: ["code": "their\(seed).\(index)", "item": item])
                    }
                }
                let theirs = realm.objects(Item.self).where { $0.name.starts(with: "their") }
                if random.once(in: 2), let item = theirs.randomElement(using: &random) {
                    realm.delete(item)
                }
            }
        }
    }
}
