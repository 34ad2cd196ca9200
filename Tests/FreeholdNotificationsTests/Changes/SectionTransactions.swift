import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport

/// Random transactions of a few items, of which sections come, go and change their order, from
/// several realms and threads.
struct SectionTransactions {
    typealias Item = ObservedModels.Item

    let place: Observatory
    var random: SeededGenerator
    private var nextID = 1

    init(_ place: Observatory, seed: UInt64) throws {
        self.place = place
        random = SeededGenerator(seed: seed)
        for _ in 0..<4 { try transact() }
        place.realm.refresh()
    }

    /// One transaction, of any realm.
    mutating func transact() throws {
        let generator = SeededGenerator(seed: random.next())
        let id = nextID
        nextID += 10
        switch Int.random(in: 0..<4, using: &random) {
        case 0: try Self.transact(place.realm, id, generator)
        case 1:
            let configuration = place.configuration
            try onNewThread {
                try Self.transact(Realm(configuration: configuration), id, generator)
            }
        default: try Self.transact(place.writer, id, generator)
        }
    }

    /// Lets the observing realm move, or not.
    ///
    /// - Returns: Whether everything was delivered.
    mutating func move() -> Bool {
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            place.realm.waitForNotifier()
            place.scheduler.runNext()
        case 1: place.realm.refresh()
        case 2:
            place.realm.beginWrite()
            place.realm.cancelWrite()
        case 3: break
        default:
            place.deliver()
            return true
        }
        return false
    }

    private static func transact(_ realm: Realm, _ id: Int, _ generator: SeededGenerator) throws {
        var random = generator
        try realm.write {
            if Int.random(in: 0..<40, using: &random) == 0 { realm.deleteAll() }
            for offset in 0..<Int.random(in: 1...6, using: &random) {
                change(realm, id + offset, &random)
            }
        }
    }

    /// One change of any kind.
    static func change(_ realm: Realm, _ id: Int, _ random: inout SeededGenerator) {
        let items = realm.objects(Item.self)
        let number = Int.random(in: 0..<60, using: &random)
        guard items.count > 3 else {
            realm.add(Item(id: id, name: "n\(number % 6)", rank: number), update: .modified)
            return
        }
        func some() -> Item { items[Int.random(in: 0..<items.count, using: &random)] }
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1: realm.add(Item(id: id, name: "n\(number % 6)", rank: number), update: .modified)
        case 2: if items.count > 8 { realm.delete(some()) }
        case 3: realm.delete(items.where { $0.name == "n\(number % 6)" })
        case 4, 5: some().name = "n\(number % 6)"
        case 6, 7: some().rank = number
        case 8: some().score = number % 3 == 0 ? nil : Double(number)
        default: some().next = number % 4 == 0 ? nil : some()
        }
    }

    /// What counts of an item, with what it links to, over up to four links.
    static func content(_ item: Item) -> [String] { content(item, 0) }

    private static func content(_ item: Item, _ depth: Int) -> [String] {
        let own = ["\(item.id) \(item.name) \(item.rank) \(item.score ?? -1)"]
        guard let next = item.next else { return own }
        return own + (depth < 4 ? content(next, depth + 1) : ["\(next.id)"])
    }
}
