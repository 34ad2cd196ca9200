import Freehold
import FreeholdTestSupport

/// The classes of a ``MergeModel``.
enum MergeBook {
    /// The primary key is the row key.
    class Item: Object {
        @Persisted(primaryKey: true) var id: Int64
        @Persisted var name: String
        @Persisted var count: Int64
        /// Only incremented.
        @Persisted var hits: Int64
        @Persisted var friend: Item?
        @Persisted var numbers: List<Int64>
        @Persisted var links: List<Item>
        @Persisted var tags: MutableSet<Int64>
        @Persisted var scores: Map<String, Int64>
        @Persisted(originProperty: "item") var named: LinkingObjects<Named>
    }

    /// The primary key is a text.
    class Named: Object {
        @Persisted(primaryKey: true) var title: String
        @Persisted var rank: Int64
        @Persisted var item: Item?
        @Persisted var twin: Named?
    }

    /// Without a primary key.
    class Owner: Object {
        @Persisted var label: String
        @Persisted var address: Address?
        @Persisted var addresses: List<Address>
    }

    class Address: EmbeddedObject {
        @Persisted var street: String
        @Persisted var city: String
    }

    static let all: [ObjectBase.Type] = [Item.self, Named.self, Owner.self, Address.self]
}

// MARK: - Reading

extension MergeModel {
    /// Reads all that a realm holds.
    init(_ realm: Realm) {
        self.init()
        for item in realm.objects(MergeBook.Item.self) { items[item.id] = Item(item) }
        for row in realm.objects(MergeBook.Named.self) { named[row.title] = Named(row) }
        for owner in realm.objects(MergeBook.Owner.self) { owners[owner.label] = Owner(owner) }
    }
}

extension MergeModel.Item {
    init(_ item: MergeBook.Item) {
        self.init(
            name: item.name, count: item.count, friend: item.friend?.id,
            numbers: Array(item.numbers), links: item.links.map(\.id), tags: Set(item.tags),
            scores: Dictionary(uniqueKeysWithValues: item.scores.map { ($0.key, $0.value) }))
        hits = item.hits
    }
}

extension MergeModel.Named {
    init(_ row: MergeBook.Named) {
        self.init(rank: row.rank, item: row.item?.id, twin: row.twin?.title)
    }
}

extension MergeModel.Owner {
    init(_ owner: MergeBook.Owner) {
        func address(_ address: MergeBook.Address) -> MergeModel.Address {
            MergeModel.Address(street: address.street, city: address.city)
        }
        self.init(
            address: owner.address.map(address), addresses: owner.addresses.map(address))
    }
}
