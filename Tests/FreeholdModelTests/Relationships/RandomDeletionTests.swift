import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Random links, embedded objects and deletions, against the same in plain Swift; the file is
/// checked at the end.
@Suite struct RandomDeletionTests {
    class Item: Object {
        @Persisted(primaryKey: true, autoIncrement: true) var id: Int
        @Persisted var plain: Item?
        @Persisted(deleteRule: .cascade) var cascading: Item?
        @Persisted(deleteRule: .deny) var denying: Item?
        @Persisted var piece: Piece?
        @Persisted var list: List<Piece>
        @Persisted(deleteRule: .cascade) var others: List<Item>
    }

    class Piece: EmbeddedObject {
        @Persisted var tag = 0
        @Persisted var plain: Item?
        @Persisted(deleteRule: .cascade) var cascading: Item?
        @Persisted(deleteRule: .deny) var denying: Item?
        @Persisted var inner: Piece?
    }

    /// The links of an item or a piece.
    struct Links: Equatable {
        var plain: Int?
        var cascading: Int?
        var denying: Int?

        mutating func forget(_ ids: Set<Int>) {
            if plain.map(ids.contains) == true { plain = nil }
            if cascading.map(ids.contains) == true { cascading = nil }
            if denying.map(ids.contains) == true { denying = nil }
        }
    }

    struct ModelPiece: Equatable {
        var tag: Int
        var links: Links
    }

    struct ModelItem: Equatable {
        var links = Links()
        /// Each embedded in the one before.
        var pieces: [ModelPiece] = []
        /// The list's elements, each with the pieces in it.
        var list: [[ModelPiece]] = []
        var others: [Int] = []

        var allLinks: [Links] { [links] + (pieces + list.flatMap { $0 }).map(\.links) }
    }

    struct Model {
        var items: [Int: ModelItem] = [:]

        /// Deletes items, and pieces that were taken out, with what goes along. False, and
        /// nothing is deleted, if it is denied.
        mutating func delete(_ ids: Set<Int>, pieces: [ModelPiece] = []) -> Bool {
            var (going, work) = (ids, Array(ids))
            func follow(_ links: Links) {
                if let target = links.cascading, going.insert(target).inserted {
                    work.append(target)
                }
            }
            pieces.forEach { follow($0.links) }
            while let id = work.popLast() {
                guard let item = items[id] else { continue }
                item.allLinks.forEach(follow)
                item.others.forEach { follow(Links(cascading: $0)) }
            }
            let all = pieces.map(\.links) + going.flatMap { id in items[id]?.allLinks ?? [] }
            if all.contains(where: { $0.denying.map { !going.contains($0) } ?? false }) {
                return false
            }
            for id in going { items[id] = nil }
            for id in items.keys {
                items[id]?.links.forget(going)
                for index in items[id]?.pieces.indices ?? 0..<0 {
                    items[id]?.pieces[index].links.forget(going)
                }
                for (position, chain) in (items[id]?.list ?? []).enumerated() {
                    for index in chain.indices {
                        items[id]?.list[position][index].links.forget(going)
                    }
                }
                items[id]?.others.removeAll(where: going.contains)
            }
            return true
        }
    }

    /// Changes a realm and the model in the same way.
    final class Player {
        let realm: Realm
        var model = Model()
        var random: SeededGenerator
        private var nextID = 1

        init(_ realm: Realm, _ seed: UInt64) {
            self.realm = realm
            random = SeededGenerator(seed: seed)
        }

        private func chance(_ percent: Int) -> Bool {
            Int.random(in: 0..<100, using: &random) < percent
        }
        private func anyID() -> Int? { model.items.keys.sorted().randomElement(using: &random) }
        private func item(_ id: Int?) -> Item? {
            id.flatMap { realm.object(ofType: Item.self, forPrimaryKey: $0) }
        }

        private func anyLinks(denyPercent: Int = 10) -> Links {
            Links(
                plain: chance(50) ? anyID() : nil, cascading: chance(25) ? anyID() : nil,
                denying: chance(denyPercent) ? anyID() : nil)
        }

        private func make(_ pieces: [ModelPiece]) -> Piece? {
            var made: Piece?
            for piece in pieces.reversed() {
                let outer = Piece()
                outer.tag = piece.tag
                outer.plain = item(piece.links.plain)
                outer.cascading = item(piece.links.cascading)
                outer.denying = item(piece.links.denying)
                outer.inner = made
                made = outer
            }
            return made
        }

        private func anyPieces() -> [ModelPiece] {
            (0..<Int.random(in: 0...3, using: &random)).map { _ in
                ModelPiece(
                    tag: Int.random(in: 0..<100, using: &random), links: anyLinks(denyPercent: 5))
            }
        }

        func step() throws {
            switch Int.random(in: 0..<13, using: &random) {
            case 0...3: create()
            case 4...5: link()
            case 6...7: replacePieces()
            case 8...10: changeList()
            default: try delete()
            }
        }

        private func create() {
            let new = ModelItem(
                links: anyLinks(), pieces: anyPieces(), list: anyChains(),
                others: chance(20) ? [anyID(), anyID()].compactMap { $0 } : [])
            let made = Item()
            made.plain = item(new.links.plain)
            made.cascading = item(new.links.cascading)
            made.denying = item(new.links.denying)
            made.piece = make(new.pieces)
            made.list.append(objectsIn: new.list.compactMap(make))
            made.others.append(objectsIn: new.others.compactMap(item))
            realm.add(made)
            #expect(made.id >= nextID)
            nextID = made.id + 1
            model.items[made.id] = new
        }

        private func link() {
            guard let id = anyID(), let object = item(id) else { return }
            let links = anyLinks()
            object.plain = item(links.plain)
            object.cascading = item(links.cascading)
            object.denying = item(links.denying)
            model.items[id]?.links = links
        }

        /// Replaces the pieces from some depth on.
        private func replacePieces() {
            guard let id = anyID(), let object = item(id), let old = model.items[id]?.pieces else {
                return
            }
            let depth = Int.random(in: 0...old.count, using: &random)
            let new = anyPieces()
            var next = model
            next.items[id]?.pieces = Array(old[..<depth]) + new
            // Denied: nothing that a program may do.
            guard next.delete([], pieces: Array(old[depth...])) else { return }
            var owner: Piece?
            for _ in 0..<depth { owner = owner == nil ? object.piece : owner?.inner }
            if let owner { owner.inner = make(new) } else { object.piece = make(new) }
            model = next
        }

        private func anyChains() -> [[ModelPiece]] {
            (0..<Int.random(in: 0...3, using: &random)).map { _ in anyPieces() }.filter {
                !$0.isEmpty
            }
        }

        /// Replaces a range of the list, sets one element, or takes one out by deleting it.
        private func changeList() {
            guard let id = anyID(), let object = item(id), let old = model.items[id]?.list else {
                return
            }
            let lower = Int.random(in: 0...old.count, using: &random),
                upper = Int.random(in: lower...old.count, using: &random)
            var next = model
            let new = anyChains()
            next.items[id]?.list.replaceSubrange(lower..<upper, with: new)
            guard next.delete([], pieces: old[lower..<upper].flatMap { $0 }) else { return }
            switch (upper - lower, new.count) {
            case (1, 0) where chance(50): realm.delete(object.list[lower])
            case (1, 1): object.list[lower] = make(new[0]) ?? Piece()
            case (0, 1) where lower == old.count: object.list.append(make(new[0]) ?? Piece())
            case (old.count, 0): object.list.removeAll()
            default: object.list.replaceSubrange(lower..<upper, with: new.compactMap(make))
            }
            model = next
        }

        private func delete() throws {
            let ids = Set((0..<Int.random(in: 1...3, using: &random)).compactMap { _ in anyID() })
            let objects = realm.objects(Item.self).where { $0.id.in(ids) }
            let isAllowed = model.delete(ids)
            do {
                switch Int.random(in: 0..<3, using: &random) {
                case 0: try realm.deleteChecked(objects)
                case 1: try realm.deleteChecked(Array(objects))
                default: if isAllowed { realm.delete(objects) }
                }
                #expect(isAllowed || objects.count == ids.count)
            } catch Realm.Error.deletionDenied {
                #expect(!isAllowed)
            }
        }

        func compare(_ seed: UInt64) {
            func links(_ plain: Item?, _ cascading: Item?, _ denying: Item?) -> Links {
                Links(plain: plain?.id, cascading: cascading?.id, denying: denying?.id)
            }
            func chain(_ first: Piece?) -> [ModelPiece] {
                var pieces: [ModelPiece] = []
                var piece = first
                while let current = piece {
                    pieces.append(
                        ModelPiece(
                            tag: current.tag,
                            links: links(current.plain, current.cascading, current.denying)))
                    piece = current.inner
                }
                return pieces
            }
            var found: [Int: ModelItem] = [:]
            for item in realm.objects(Item.self) {
                found[item.id] = ModelItem(
                    links: links(item.plain, item.cascading, item.denying),
                    pieces: chain(item.piece), list: item.list.map { chain($0) },
                    others: item.others.map(\.id))
            }
            #expect(found == model.items, "FREEHOLD_SEED=\(seed)")
        }
    }

    @Test(arguments: [1, 2, 3, 4, nil] as [UInt64?])
    func realmAndModelAgree(seed own: UInt64?) throws {
        let seed = Seed.random(own).seed
        try withTemporaryRealm([Item.self, Piece.self]) { realm in
            let player = Player(realm, seed)
            for round in 0..<60 {
                let before = player.model
                realm.beginWrite()
                for _ in 0..<20 { try player.step() }
                player.compare(seed)
                if round % 5 == 4 {
                    realm.cancelWrite()
                    player.model = before
                } else {
                    try realm.commitWrite()
                }
                player.compare(seed)
            }
            #expect(try realm.check().isEmpty, "FREEHOLD_SEED=\(seed)")
        }
    }
}
