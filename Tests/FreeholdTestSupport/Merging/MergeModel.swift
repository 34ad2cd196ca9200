/// What a version of a file holds, as plain values, for tests of merges.
///
/// Rows are named by what a program sees: items by their primary keys, rows of `Named` by their
/// titles, owners by their labels, owned rows by their owners.
package struct MergeModel: Equatable, Sendable {
    package struct Item: Equatable, Sendable {
        package var name = ""
        package var count: Int64 = 0
        /// Only incremented, so that the amounts of both sides add up.
        package var hits: Int64 = 0
        package var friend: Int64?
        package var numbers: [Int64] = []
        package var links: [Int64] = []
        package var tags: Set<Int64> = []
        package var scores: [String: Int64] = [:]

        package init(
            name: String = "", count: Int64 = 0, friend: Int64? = nil, numbers: [Int64] = [],
            links: [Int64] = [], tags: Set<Int64> = [], scores: [String: Int64] = [:]
        ) {
            self.name = name
            self.count = count
            self.friend = friend
            self.numbers = numbers
            self.links = links
            self.tags = tags
            self.scores = scores
        }
    }

    package struct Named: Equatable, Sendable {
        package var rank: Int64
        package var item: Int64?
        package var twin: String?

        package init(rank: Int64 = 0, item: Int64? = nil, twin: String? = nil) {
            self.rank = rank
            self.item = item
            self.twin = twin
        }
    }

    package struct Address: Equatable, Sendable {
        package var street: String
        package var city: String
        /// Tells rows of a list apart in all versions; nil for one that no other version has.
        package var number: Int?

        package init(street: String, city: String, number: Int? = nil) {
            self.street = street
            self.city = city
            self.number = number
        }
    }

    package struct Owner: Equatable, Sendable {
        package var address: Address?
        package var addresses: [Address]

        package init(address: Address? = nil, addresses: [Address] = []) {
            self.address = address
            self.addresses = addresses
        }
    }

    package var items: [Int64: Item] = [:]
    package var named: [String: Named] = [:]
    package var owners: [String: Owner] = [:]

    package init() {}

    package mutating func deleteItem(_ key: Int64) {
        items[key] = nil
        for other in items.keys {
            if items[other]?.friend == key { items[other]?.friend = nil }
            items[other]?.links.removeAll { $0 == key }
        }
        for title in named.keys where named[title]?.item == key { named[title]?.item = nil }
    }

    package mutating func deleteNamed(_ title: String) {
        named[title] = nil
        for other in named.keys where named[other]?.twin == title { named[other]?.twin = nil }
    }

    /// Without the numbers of addresses.
    package var visible: MergeModel {
        var model = self
        for label in owners.keys {
            model.owners[label]?.address?.number = nil
            for index in owners[label]?.addresses.indices ?? 0..<0 {
                model.owners[label]?.addresses[index].number = nil
            }
        }
        return model
    }
}

extension MergeModel {
    /// The merge of three versions, where one side wins each conflict. Lists that both sides
    /// changed are as in `merged`; see ``MergeExpectation/brokenListRule(of:isConflict:)``.
    ///
    /// - Parameter mineWins: Whether my side wins; otherwise theirs.
    package static func merge(
        _ base: MergeModel, _ mine: MergeModel, _ theirs: MergeModel, mineWins: Bool,
        merged: MergeModel
    ) -> MergeModel {
        MergeExpectation(
            base: base, mine: mine, theirs: theirs, mineWins: mineWins, merged: merged
        ).result()
    }
}
