import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// What a loop visits while it changes the data.
@Suite struct IterationTests {
    @Test func everyKindOfCollection() throws {
        try withItems(1200) { fixture in
            let ids = fixture.plain.map(\.id)
            func visited(_ items: Results<ResultsItem>) -> [Int] {
                var visited: [Int] = []
                for item in items { visited.append(item.id) }
                return visited
            }
            #expect(visited(fixture.items) == ids)
            #expect(
                visited(fixture.items.where { $0.active })
                    == fixture.plain.filter(\.active).map(\.id))
            #expect(visited(fixture.items.sorted(by: \.id, ascending: false)) == ids.reversed())
            try fixture.realm.write {
                #expect(visited(fixture.items) == ids)
                #expect(
                    visited(fixture.items.where { $0.active })
                        == fixture.plain.filter(\.active).map(\.id))
            }
        }
    }

    @Test func updatingEveryObject() throws {
        try withItems(1200) { fixture in
            try fixture.realm.write {
                for item in fixture.items { item.age += 100 }
            }
            #expect(fixture.items.map(\.age) == fixture.plain.map { $0.age + 100 })
        }
    }

    @Test func transactionsInsideOfTheLoop() throws {
        try withItems(60) { fixture in
            var visited: [Int] = []
            for item in fixture.items {
                visited.append(item.id)
                try fixture.realm.write { item.age += 1 }
            }
            #expect(visited == fixture.plain.map(\.id))
            #expect(fixture.items.map(\.age) == fixture.plain.map { $0.age + 1 })
        }
    }

    @Test func changesThatLeaveTheQuery() throws {
        try withItems(1200) { fixture in
            let active = fixture.items.where { $0.active }
            var visits = 0
            try fixture.realm.write {
                for item in active {
                    visits += 1
                    item.active = false
                }
            }
            #expect(visits == fixture.plain.filter(\.active).count)
            #expect(active.isEmpty)
        }
    }

    @Test func insertionsAreNotVisited() throws {
        try withItems(600) { fixture in
            var visited: [Int] = []
            try fixture.realm.write {
                for item in fixture.items {
                    visited.append(item.id)
                    let next = ResultsItem()
                    next.id = item.id + 1
                    fixture.realm.add(next)
                }
            }
            #expect(visited == fixture.plain.map(\.id))
            #expect(fixture.items.count == 1200)
        }
    }

    @Test func deletingTheCurrentObject() throws {
        try withItems(1200) { fixture in
            var visited: [Int] = []
            try fixture.realm.write {
                for item in fixture.items {
                    visited.append(item.id)
                    if item.age < 10 { fixture.realm.delete(item) }
                }
            }
            #expect(visited == fixture.plain.map(\.id))
            #expect(fixture.items.map(\.id) == fixture.plain.filter { $0.age >= 10 }.map(\.id))
        }
    }

    @Test(arguments: [false, true]) func deletedObjectsComeInvalidated(filtered: Bool) throws {
        try withItems(1200) { fixture in
            let items = filtered ? fixture.items.where { $0.age >= 0 } : fixture.items
            var invalidated = 0
            try fixture.realm.write {
                var isFirst = true
                for item in items {
                    if isFirst { fixture.realm.delete(fixture.items.where { $0.age < 10 }) }
                    isFirst = false
                    if item.isInvalidated { invalidated += 1 }
                }
            }
            #expect(invalidated == fixture.plain.filter { $0.age < 10 }.count)
        }
    }

    @Test func deletionOutsideOfTheLoopsTransaction() throws {
        try withItems(1200) { fixture in
            var invalidated = 0
            var isFirst = true
            for item in fixture.items {
                if isFirst {
                    try fixture.realm.write {
                        fixture.realm.delete(fixture.items.where { $0.age < 10 })
                    }
                }
                isFirst = false
                if item.isInvalidated { invalidated += 1 }
            }
            #expect(invalidated == fixture.plain.filter { $0.age < 10 }.count)
        }
    }

    @Test func randomChangesUnderTheLoop() throws {
        try withItems(900) { fixture in
            for round in 0..<6 {
                let before = Array(fixture.items.where { $0.age >= 0 }.map(\.id))
                var visited: [Int] = []
                fixture.realm.beginWrite()
                let items = round % 2 == 0 ? fixture.items : fixture.items.where { $0.age >= 0 }
                var deleted = Set<Int>()
                for (position, item) in items.enumerated() {
                    #expect(
                        item.isInvalidated == deleted.contains(before[position]),
                        "FREEHOLD_SEED=\(fixture.generator.seed)")
                    visited.append(before[position])
                    switch Int.random(in: 0..<8, using: &fixture.generator) {
                    case 0 where !item.isInvalidated:
                        #expect(item.id == before[position])
                        item.age += 1
                    case 1 where !item.isInvalidated:
                        deleted.insert(item.id)
                        fixture.realm.delete(item)
                    case 2:
                        let added = ResultsItem()
                        added.id = 100_000 * (round + 1) + position
                        fixture.realm.add(added)
                    case 3:
                        let other = before[
                            Int.random(in: 0..<before.count, using: &fixture.generator)]
                        if let object = fixture.realm.object(
                            ofType: ResultsItem.self, forPrimaryKey: other)
                        {
                            deleted.insert(other)
                            fixture.realm.delete(object)
                        }
                    default: break
                    }
                }
                #expect(visited == before, "FREEHOLD_SEED=\(fixture.generator.seed)")
                if round == 3 {
                    fixture.realm.cancelWrite()
                } else {
                    try fixture.realm.commitWrite()
                }
            }
        }
    }
}

/// When a loop hands out the same accessor again.
@Suite struct AccessorReuseTests {
    /// How many different objects a loop over `items` hands out.
    private func identities<Item>(_ items: Results<Item>, _ body: (Item) -> Void) -> Int
    where Item: Object {
        var identities = Set<ObjectIdentifier>()
        for item in items {
            identities.insert(ObjectIdentifier(item))
            body(item)
        }
        return identities.count
    }

    @Test func oneAccessorForALoopThatKeepsNothing() throws {
        try withItems(600) { fixture in
            #expect(identities(fixture.items) { _ in } == 1)
            #expect(identities(fixture.items.where { $0.active }) { _ in } == 1)
        }
    }

    @Test func keptAccessorsStay() throws {
        try withItems(600) { fixture in
            var kept: [ResultsItem] = []
            for item in fixture.items where item.active { kept.append(item) }
            #expect(kept.map(\.id) == fixture.plain.filter(\.active).map(\.id))
        }
    }

    @Test func weaklyKeptAccessorsAreNotMoved() throws {
        try withItems(600) { fixture in
            struct Weak { weak var item: ResultsItem? }
            var weak: [Weak] = []
            for item in fixture.items { weak.append(Weak(item: item)) }
            // The iterator of the loop is gone, so nothing holds them any more.
            #expect(weak.allSatisfy { $0.item == nil })
            var previous = Weak()
            for item in fixture.items {
                if let other = previous.item { #expect(other.id != item.id) }
                previous.item = item
            }
        }
    }

    @Test func classesWithOtherStateAreNotReused() throws {
        try withItems(0) { fixture in
            try fixture.realm.write { for _ in 0..<10 { fixture.realm.add(ResultsStateful()) } }
            for object in fixture.realm.objects(ResultsStateful.self) {
                #expect(object.visits == 0)
                object.visits += 1
            }
        }
    }

    @Test func copiedIteratorsAreIndependent() throws {
        try withItems(100) { fixture in
            var first = fixture.items.makeIterator()
            for _ in 0..<10 { _ = first.next() }
            var second = first
            let a = first.next()
            let b = second.next()
            #expect(a?.id == fixture.plain[10].id && b?.id == fixture.plain[10].id)
            _ = first.next()
            #expect(b?.id == fixture.plain[10].id && second.next()?.id == fixture.plain[11].id)
        }
    }
}
