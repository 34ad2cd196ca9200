import FreeholdStorage
import FreeholdTestSupport

/// What a version of a ``MergeWorld`` holds, as plain values.
///
/// Rows are named by what a program sees: items by their primary keys, rows of `Named` by their
/// titles, owners by their labels, owned rows by their owners.
struct MergeModel: Equatable {
    struct Item: Equatable {
        var name = ""
        var count: Int64 = 0
        var friend: Int64?
        var numbers: [Int64] = []
        var links: [Int64] = []
        var tags: Set<Int64> = []
        var scores: [String: Int64] = [:]
    }

    struct Named: Equatable {
        var rank: Int64 = 0
        var item: Int64?
        var twin: String?
    }

    struct Address: Equatable {
        var street: String
        var city: String
        /// Tells rows of a list apart: a number of the base's, and nil for new ones.
        var number: Int?
    }

    struct Owner: Equatable {
        var address: Address?
        var addresses: [Address] = []
    }

    var items: [Int64: Item] = [:]
    var named: [String: Named] = [:]
    var owners: [String: Owner] = [:]

    mutating func deleteItem(_ key: Int64) {
        items[key] = nil
        for other in items.keys {
            if items[other]?.friend == key { items[other]?.friend = nil }
            items[other]?.links.removeAll { $0 == key }
        }
        for title in named.keys where named[title]?.item == key { named[title]?.item = nil }
    }

    mutating func deleteNamed(_ title: String) {
        named[title] = nil
        for other in named.keys where named[other]?.twin == title { named[other]?.twin = nil }
    }
}

// MARK: - Reading

extension MergeModel {
    /// Reads a version. Addresses have no numbers.
    init(_ source: TableSource, _ world: MergeWorld) {
        func value(_ table: TableID, _ key: Int64, _ column: ColumnID) -> StoredValue {
            MergeSide.value(source, table, key, column)
        }
        for key in source.table(world.items).allKeys {
            func get(_ column: ColumnID) -> StoredValue { value(world.items, key, column) }
            items[key] = Item(
                name: get(world.name).string, count: get(world.count).number,
                friend: get(world.friend).target, numbers: get(world.numbers).members.map(\.number),
                links: get(world.links).members.compactMap(\.target),
                tags: Set(get(world.tags).members.map(\.number)),
                scores: get(world.scores).pairs.mapValues(\.number))
        }
        func title(_ key: Int64) -> String { value(world.named, key, world.title).string }
        for key in source.table(world.named).allKeys {
            named[title(key)] = Named(
                rank: value(world.named, key, world.rank).number,
                item: value(world.named, key, world.item).target,
                twin: value(world.named, key, world.twin).target.map(title))
        }
        func address(_ key: Int64) -> Address {
            Address(
                street: value(world.owned, key, world.street).string,
                city: value(world.owned, key, world.city).string)
        }
        for key in source.table(world.owners).allKeys {
            owners[value(world.owners, key, world.label).string] = Owner(
                address: value(world.owners, key, world.address).target.map(address),
                addresses: value(world.owners, key, world.addresses).members.compactMap {
                    $0.target.map(address)
                })
        }
    }

    /// Without the numbers of addresses.
    var visible: MergeModel {
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

extension StoredValue {
    var string: String {
        if case .plain(.text(let bytes)) = self { return String(decoding: bytes, as: UTF8.self) }
        return ""
    }
    var number: Int64 {
        if case .plain(.integer(let value)) = self { return value }
        return -1
    }
    var target: Int64? {
        if case .plain(.link(let key)) = self { return key.rawValue }
        return nil
    }
    var members: [StoredValue] {
        switch self {
        case .list(let values), .set(let values): Array(values)
        default: []
        }
    }
    var pairs: [String: StoredValue] {
        guard case .map(let entries) = self else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: entries.map {
                (String(decoding: $0.key, as: UTF8.self), $0.value)
            })
    }
}

// MARK: - The merge

extension MergeModel {
    /// The merge of three versions, where one side wins each conflict. Lists that both sides
    /// changed are as in `merged`, which is checked by ``ListRules``.
    ///
    /// - Parameter mineWins: Whether my side wins; otherwise theirs.
    static func merge(
        _ base: MergeModel, _ mine: MergeModel, _ theirs: MergeModel, mineWins: Bool,
        merged: MergeModel
    ) -> MergeModel {
        MergeExpectation(
            base: base, mine: mine, theirs: theirs, mineWins: mineWins, merged: merged
        ).result()
    }
}

/// Computes what a merge should give.
struct MergeExpectation {
    let base, mine, theirs: MergeModel
    let mineWins: Bool
    let merged: MergeModel

    func result() -> MergeModel {
        let items = keptItems()
        let named = keptNamed()
        var result = MergeModel()
        for key in items {
            let (b, m, t) = (base.items[key], mine.items[key], theirs.items[key])
            guard let b else {
                result.items[key] = m == nil ? t : t == nil || mineWins ? m : t
                continue
            }
            let (own, others) = (m ?? b, t ?? b)
            var item = MergeModel.Item()
            item.name = pick(b.name, own.name, others.name)
            item.count = pick(b.count, own.count, others.count)
            item.friend = pick(
                b.friend, own.friend ?? lost(b.friend, mine),
                others.friend ?? lost(b.friend, theirs))
            item.tags = b.tags.intersection(own.tags).intersection(others.tags)
                .union(own.tags.subtracting(b.tags)).union(others.tags.subtracting(b.tags))
            for name in Set(b.scores.keys).union(own.scores.keys).union(others.scores.keys) {
                item.scores[name] = pick(b.scores[name], own.scores[name], others.scores[name])
            }
            item.numbers =
                own.numbers == b.numbers
                ? others.numbers
                : others.numbers == b.numbers ? own.numbers : merged.items[key]?.numbers ?? []
            item.links = merged.items[key]?.links ?? []
            result.items[key] = item
        }
        for key in items {
            if let friend = result.items[key]?.friend, !items.contains(friend) {
                result.items[key]?.friend = nil
            }
            if base.items[key] == nil { result.items[key]?.links = merged.items[key]?.links ?? [] }
        }
        for title in named {
            let (b, m, t) = (base.named[title], mine.named[title], theirs.named[title])
            var row: MergeModel.Named
            if let b {
                let (own, others) = (m ?? b, t ?? b)
                row = MergeModel.Named(
                    rank: pick(b.rank, own.rank, others.rank),
                    item: pick(
                        b.item, own.item ?? lost(b.item, mine),
                        others.item ?? lost(b.item, theirs)),
                    twin: pick(
                        b.twin, own.twin ?? lostTwin(b.twin, mine),
                        others.twin ?? lostTwin(b.twin, theirs)))
            } else {
                row = (m == nil ? t : t == nil || mineWins ? m : t) ?? MergeModel.Named()
            }
            if let item = row.item, !items.contains(item) { row.item = nil }
            if let twin = row.twin, !named.contains(twin) { row.twin = nil }
            result.named[title] = row
        }
        mergeOwners(&result)
        return result
    }

    private func pick<Value: Equatable>(_ base: Value, _ own: Value, _ others: Value) -> Value {
        own == base ? others : others == base || own == others || mineWins ? own : others
    }

    /// A link that a side lost because it deleted the row is unchanged.
    private func lost(_ link: Int64?, _ side: MergeModel) -> Int64? {
        link.flatMap { side.items[$0] == nil ? $0 : nil }
    }

    private func lostTwin(_ link: String?, _ side: MergeModel) -> String? {
        link.flatMap { side.named[$0] == nil ? $0 : nil }
    }

    // MARK: Deletions

    private func isKept(deletedByMine: Bool, isTouched: Bool) -> Bool {
        isTouched && deletedByMine != mineWins
    }

    private func keptItems() -> Set<Int64> {
        var kept = Set(mine.items.keys).union(theirs.items.keys).filter { base.items[$0] == nil }
        for (key, item) in base.items {
            switch (mine.items[key], theirs.items[key]) {
            case (nil, nil): break
            case (_?, _?): kept.insert(key)
            case (nil, let others?):
                if isKept(deletedByMine: true, isTouched: touches(key, item, others, theirs)) {
                    kept.insert(key)
                }
            case (let own?, nil):
                if isKept(deletedByMine: false, isTouched: touches(key, item, own, mine)) {
                    kept.insert(key)
                }
            }
        }
        return kept
    }

    /// Whether a side changed an item, or linked to it.
    private func touches(
        _ key: Int64, _ old: MergeModel.Item, _ new: MergeModel.Item, _ side: MergeModel
    ) -> Bool {
        var unchanged = old
        if let friend = old.friend, side.items[friend] == nil { unchanged.friend = nil }
        unchanged.links.removeAll { side.items[$0] == nil }
        if unchanged != new { return true }
        for (other, item) in side.items {
            let before = base.items[other]
            if item.friend == key, before?.friend != key { return true }
            if item.links.contains(key), !(before?.links.contains(key) ?? false) { return true }
        }
        return side.named.contains { title, row in
            row.item == key && base.named[title]?.item != key
        }
    }

    private func keptNamed() -> Set<String> {
        var kept = Set(mine.named.keys).union(theirs.named.keys).filter { base.named[$0] == nil }
        func touches(_ title: String, _ new: MergeModel.Named, _ side: MergeModel) -> Bool {
            var unchanged = base.named[title] ?? MergeModel.Named()
            if let item = unchanged.item, side.items[item] == nil { unchanged.item = nil }
            if let twin = unchanged.twin, side.named[twin] == nil { unchanged.twin = nil }
            return unchanged != new
                || side.named.contains {
                    $1.twin == title && base.named[$0]?.twin != title
                }
        }
        for title in base.named.keys {
            switch (mine.named[title], theirs.named[title]) {
            case (nil, nil): break
            case (_?, _?): kept.insert(title)
            case (nil, let others?):
                if isKept(deletedByMine: true, isTouched: touches(title, others, theirs)) {
                    kept.insert(title)
                }
            case (let own?, nil):
                if isKept(deletedByMine: false, isTouched: touches(title, own, mine)) {
                    kept.insert(title)
                }
            }
        }
        return kept
    }

    // MARK: Owners

    private func mergeOwners(_ result: inout MergeModel) {
        let labels = Set(base.owners.keys).union(mine.owners.keys).union(theirs.owners.keys)
        for label in labels {
            let (m, t) = (mine.owners[label], theirs.owners[label])
            guard let b = base.owners[label] else {
                result.owners[label] = m ?? t
                continue
            }
            switch (m, t) {
            case (nil, nil): break
            case (let own?, let others?): result.owners[label] = merge(b, own, others)
            case (nil, let others?):
                if isKept(deletedByMine: true, isTouched: others != b) {
                    result.owners[label] = others
                }
            case (let own?, nil):
                if isKept(deletedByMine: false, isTouched: own != b) { result.owners[label] = own }
            }
        }
    }

    private func merge(
        _ base: MergeModel.Owner, _ own: MergeModel.Owner, _ others: MergeModel.Owner
    ) -> MergeModel.Owner {
        var merged = MergeModel.Owner()
        merged.address = merge(base.address, own.address, others.address)
        for address in base.addresses {
            let same = { (side: MergeModel.Owner) in
                side.addresses.first { $0.number == address.number }
            }
            if let merged_ = merge(address, same(own), same(others)) {
                merged.addresses.append(merged_)
            }
        }
        merged.addresses += others.addresses.filter { $0.number == nil }
        merged.addresses += own.addresses.filter { $0.number == nil }
        return merged
    }

    /// A row that a side replaced is one that it edited.
    private func merge(
        _ base: MergeModel.Address?, _ own: MergeModel.Address?, _ others: MergeModel.Address?
    ) -> MergeModel.Address? {
        guard let base, let own, let others else { return pick(base, own, others) }
        return MergeModel.Address(
            street: pick(base.street, own.street, others.street),
            city: pick(base.city, own.city, others.city))
    }
}
