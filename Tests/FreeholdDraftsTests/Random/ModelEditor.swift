import Freehold
import FreeholdTestSupport

/// The names of new objects. What was deleted once does not come back but by undo: with the same
/// name it would be another object.
final class ObjectNames {
    private var epoch: Int64 = 1
    private var count = 0
    private var removed: Set<String> = []

    /// Objects with smaller keys were there before all drafts.
    static let firstNewKey: Int64 = 16

    /// Begins with new names: objects of both sides get the same ones between two merges only.
    func begin() { epoch += 1 }

    func key(_ random: inout SeededGenerator) -> Int64? {
        let key = epoch * 8 + Int64(random.int(0...5))
        return removed.contains("\(key)") ? nil : key
    }

    func title(_ random: inout SeededGenerator) -> String? {
        let title = "n\(epoch).\(random.int(0...4))"
        return removed.contains(title) ? nil : title
    }

    func unique() -> Int {
        count += 1
        return count
    }

    func remove(_ name: String) { removed.insert(name) }

    func isRemoved(_ name: String) -> Bool { removed.contains(name) }

    /// Removes the names of what is in one state and not in the next.
    func remove(lostFrom old: MergeModel, to new: MergeModel) {
        for key in old.items.keys where new.items[key] == nil { remove("\(key)") }
        for title in old.named.keys where new.named[title] == nil { remove(title) }
    }
}

/// Edits a realm, and its plain model in the same way.
struct ModelEditor {
    let realm: Realm
    var model = MergeModel()
    let names: ObjectNames

    private static let texts = ["a", "b", "c", "d"]

    func item(_ key: Int64) -> MergeBook.Item? {
        realm.object(ofType: MergeBook.Item.self, forPrimaryKey: key)
    }

    func named(_ title: String) -> MergeBook.Named? {
        realm.object(ofType: MergeBook.Named.self, forPrimaryKey: title)
    }

    func owner(_ label: String) -> MergeBook.Owner? {
        realm.objects(MergeBook.Owner.self).where { $0.label == label }.first
    }

    mutating func edit(_ random: inout SeededGenerator) {
        let items = model.items.keys.sorted()
        let titles = model.named.keys.sorted()
        let owners = model.owners.keys.sorted()
        switch random.int(0...13) {
        case 0: addItem(&random)
        case 1 where items.count > 1 && random.once(in: 2):
            let key = random.pick(items)
            names.remove("\(key)")
            item(key).map { realm.delete($0) }
            model.deleteItem(key)
        case 2: addNamed(&random)
        case 3 where titles.count > 1 && random.once(in: 2):
            let title = random.pick(titles)
            names.remove(title)
            named(title).map { realm.delete($0) }
            model.deleteNamed(title)
        case 4...5 where !titles.isEmpty: editNamed(random.pick(titles), &random)
        case 6...7 where !owners.isEmpty: editOwner(random.pick(owners), &random)
        case 8 where owners.count < 3:
            let label = "owner \(names.unique())"
            realm.create(MergeBook.Owner.self, value: ["label": label])
            model.owners[label] = .init()
        default: if !items.isEmpty { editItem(random.pick(items), &random) }
        }
    }

    private mutating func addItem(_ random: inout SeededGenerator) {
        guard model.items.count < 5, let key = names.key(&random), model.items[key] == nil else {
            return
        }
        let name = random.pick(Self.texts)
        realm.create(MergeBook.Item.self, value: ["id": key, "name": name] as [String: Any])
        model.items[key] = .init(name: name)
    }

    private mutating func addNamed(_ random: inout SeededGenerator) {
        guard model.named.count < 4, let title = names.title(&random), model.named[title] == nil
        else { return }
        let rank = Int64(random.int(0...2))
        realm.create(MergeBook.Named.self, value: ["title": title, "rank": rank] as [String: Any])
        model.named[title] = .init(rank: rank)
    }

    private mutating func editNamed(_ title: String, _ random: inout SeededGenerator) {
        guard let row = named(title) else { return }
        switch random.int(0...2) {
        case 0:
            row.rank = Int64(random.int(0...5))
            model.named[title]?.rank = row.rank
        case 1 where !model.items.isEmpty:
            let key = random.pick(model.items.keys.sorted())
            row.item = item(key)
            model.named[title]?.item = key
        default:
            let twin = random.pick(model.named.keys.sorted())
            row.twin = named(twin)
            model.named[title]?.twin = twin
        }
    }

    // MARK: Items

    private mutating func editItem(_ key: Int64, _ random: inout SeededGenerator) {
        guard let object = item(key), var plain = model.items[key] else { return }
        switch random.int(0...7) {
        case 0:
            plain.name = random.pick(Self.texts)
            object.name = plain.name
        case 1:
            plain.count = Int64(random.int(0...3))
            object.count = plain.count
        case 2:
            plain.friend = random.once(in: 4) ? nil : random.pick(model.items.keys.sorted())
            object.friend = plain.friend.flatMap(item)
        case 3:
            let tag = Int64(random.int(0...8))
            if plain.tags.remove(tag) == nil {
                plain.tags.insert(tag)
                object.tags.insert(tag)
            } else {
                object.tags.remove(tag)
            }
        case 4:
            let name = random.pick(Self.texts)
            plain.scores[name] = random.once(in: 3) ? nil : Int64(random.int(0...3))
            object.scores[name] = plain.scores[name]
        case 5: editNumbers(&plain, object, &random)
        // Not in objects that both sides may create: there the amount is a value that was set.
        case 6 where key < ObjectNames.firstNewKey:
            let amount = Int64(random.int(-2...3))
            plain.hits += amount
            object.increment(\.hits, by: amount)
        default: editLinks(&plain, object, &random)
        }
        model.items[key] = plain
    }

    private func editNumbers(
        _ plain: inout MergeModel.Item, _ object: MergeBook.Item, _ random: inout SeededGenerator
    ) {
        let new = Int64(names.unique())
        let count = plain.numbers.count
        switch random.int(0...4) {
        case 0 where count > 0:
            let index = random.int(0...count - 1)
            plain.numbers.remove(at: index)
            object.numbers.remove(at: index)
        case 1 where count > 0:
            let index = random.int(0...count - 1)
            plain.numbers[index] = new
            object.numbers[index] = new
        case 2 where count > 1:
            let (from, to) = (random.int(0...count - 1), random.int(0...count - 1))
            plain.numbers.insert(plain.numbers.remove(at: from), at: to)
            object.numbers.move(from: from, to: to)
        default:
            let index = random.int(0...count)
            plain.numbers.insert(new, at: index)
            object.numbers.insert(new, at: index)
        }
    }

    private func editLinks(
        _ plain: inout MergeModel.Item, _ object: MergeBook.Item, _ random: inout SeededGenerator
    ) {
        let target = random.pick(model.items.keys.sorted())
        if let index = plain.links.firstIndex(of: target) {
            plain.links.remove(at: index)
            object.links.remove(at: index)
        } else if let linked = item(target) {
            let index = random.int(0...plain.links.count)
            plain.links.insert(target, at: index)
            object.links.insert(linked, at: index)
        }
    }

    // MARK: Owners

    private mutating func editOwner(_ label: String, _ random: inout SeededGenerator) {
        guard let owner = owner(label) else { return }
        switch random.int(0...6) {
        case 0 where random.once(in: 2) && model.owners.count > 1:
            realm.delete(owner)
            model.owners[label] = nil
        case 1...2: editAddress(of: owner, label, &random)
        default: editAddresses(of: owner, label, &random)
        }
    }

    private mutating func editAddress(
        of owner: MergeBook.Owner, _ label: String, _ random: inout SeededGenerator
    ) {
        let city = random.pick(Self.texts)
        if let address = owner.address, random.once(in: 2) {
            address.city = city
            model.owners[label]?.address?.city = city
        } else if owner.address != nil, random.once(in: 3) {
            owner.address = nil
            model.owners[label]?.address = nil
        } else {
            let street = random.pick(Self.texts)
            owner.address = MergeBook.Address(value: ["street": street, "city": city])
            model.owners[label]?.address = .init(street: street, city: city)
        }
    }

    private mutating func editAddresses(
        of owner: MergeBook.Owner, _ label: String, _ random: inout SeededGenerator
    ) {
        let count = owner.addresses.count
        switch random.int(0...2) {
        case 0 where count > 0:
            let index = random.int(0...count - 1)
            owner.addresses.remove(at: index)
            model.owners[label]?.addresses.remove(at: index)
        case 1 where count > 0:
            let (index, city) = (random.int(0...count - 1), random.pick(Self.texts))
            owner.addresses[index].city = city
            model.owners[label]?.addresses[index].city = city
        default:
            // The number tells it apart in all versions, and the street shows it.
            let number = names.unique()
            owner.addresses.append(MergeBook.Address(value: ["street": "\(number)", "city": ""]))
            model.owners[label]?.addresses.append(
                .init(street: "\(number)", city: "", number: number))
        }
    }
}
