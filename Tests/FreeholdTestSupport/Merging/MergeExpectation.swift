/// Computes what a merge should give.
package struct MergeExpectation {
    let base, mine, theirs: MergeModel
    let mineWins: Bool
    let merged: MergeModel
    /// The items whose `hits` may be a plain value instead of a counter.
    package var itemsWithoutCounter: (Int64) -> Bool = { _ in false }

    package init(
        base: MergeModel, mine: MergeModel, theirs: MergeModel, mineWins: Bool, merged: MergeModel
    ) {
        self.base = base
        self.mine = mine
        self.theirs = theirs
        self.mineWins = mineWins
        self.merged = merged
    }

    package func result() -> MergeModel {
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
            item.hits = own.hits + others.hits - b.hits
            let hits = pick(b.hits, own.hits, others.hits)
            if itemsWithoutCounter(key), merged.items[key]?.hits == hits { item.hits = hits }
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
        let old = Set(base.addresses.compactMap(\.number))
        func isNew(_ address: MergeModel.Address) -> Bool {
            address.number.map { !old.contains($0) } ?? true
        }
        merged.addresses += others.addresses.filter(isNew)
        merged.addresses += own.addresses.filter(isNew)
        return merged
    }

    /// A row that a side replaced is one that it edited.
    private func merge(
        _ base: MergeModel.Address?, _ own: MergeModel.Address?, _ others: MergeModel.Address?
    ) -> MergeModel.Address? {
        guard let base, let own, let others else { return pick(base, own, others) }
        return MergeModel.Address(
            street: pick(base.street, own.street, others.street),
            city: pick(base.city, own.city, others.city), number: base.number)
    }
}

// MARK: - Lists

extension MergeExpectation {
    /// What every merged list of distinct elements has: all that was added, nothing that was
    /// removed, and the order of each side.
    ///
    /// - Parameters:
    ///   - key: The item that has the list.
    ///   - isConflict: Whether the edits of both sides to the list overlap.
    /// - Returns: The rule that the merged list of an item breaks; nil for none.
    package func brokenListRule(of key: Int64, isConflict: Bool) -> String? {
        guard let b = base.items[key]?.numbers, let m = mine.items[key]?.numbers,
            let t = theirs.items[key]?.numbers, let result = merged.items[key]?.numbers
        else { return nil }
        func broken(_ rule: String) -> String {
            "item \(key): \(rule). base \(b), mine \(m), theirs \(t), merged \(result)"
        }
        if isConflict {
            return result == (mineWins ? m : t) ? nil : broken("not the list of the side that wins")
        }
        if m == b || t == b { return result == (m == b ? t : m) ? nil : broken("not as edited") }
        let (old, own, others) = (Set(b), Set(m), Set(t))
        let members = old.intersection(own).intersection(others)
            .union(own.subtracting(old)).union(others.subtracting(old))
        if Set(result) != members { return broken("an element is lost or stands again") }
        if result.count != members.count { return broken("an element is there twice") }
        // What one side moves stands elsewhere in the order of the other.
        func moves(_ list: [Int64]) -> Bool {
            list.filter(old.contains) != b.filter(Set(list).contains)
        }
        if !moves(t), result.filter(own.contains) != m.filter(members.contains) {
            return broken("not the order of mine")
        }
        if !moves(m), result.filter(others.contains) != t.filter(members.contains) {
            return broken("not the order of theirs")
        }
        return nil
    }
}

extension MergeExpectation {
    /// The result, where addresses are told apart by numbers that are their streets, with two
    /// things as they were merged:
    ///
    /// - the order of a list of addresses whose rows are those that were expected. A row that
    ///   comes back stands where it was, and only the merge knows where that is between the rows
    ///   of others;
    /// - lists of which one side removed rows and to which it added others: these may be in the
    ///   places of those.
    package func resultWithMergedLists() -> MergeModel {
        var result = result()
        for label in result.owners.keys {
            guard let owner = result.owners[label], let list = merged.owners[label]?.addresses
            else { continue }
            if replacesAddresses(of: label, mine) || replacesAddresses(of: label, theirs) {
                result.owners[label]?.addresses = list.map {
                    MergeModel.Address(street: $0.street, city: $0.city, number: Int($0.street))
                }
                continue
            }
            let rows = Dictionary(owner.addresses.map { ($0.street, $0) }) { first, _ in first }
            let sorted = list.compactMap { rows[$0.street] }
            if sorted.count == list.count, list.count == owner.addresses.count {
                result.owners[label]?.addresses = sorted
            }
        }
        return result
    }

    private func replacesAddresses(of label: String, _ side: MergeModel) -> Bool {
        guard let old = base.owners[label]?.addresses, let new = side.owners[label]?.addresses
        else { return false }
        let (numbers, others) = (Set(old.map(\.number)), Set(new.map(\.number)))
        return !numbers.isSubset(of: others) && !others.isSubset(of: numbers)
    }
}
