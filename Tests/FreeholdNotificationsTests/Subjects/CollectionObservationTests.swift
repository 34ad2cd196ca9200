import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// What observers of collections are told, step by step.
@Suite struct CollectionObservationTests {
    typealias Item = ObservedModels.Item

    private func fill(_ realm: Realm, _ ids: some Sequence<Int>) throws {
        try realm.write {
            for id in ids { realm.add(Item(id: id, name: "n\(id)", rank: 100 - id)) }
        }
    }

    private func item(_ realm: Realm, _ id: Int) throws -> Item {
        try #require(realm.object(ofType: Item.self, forPrimaryKey: id))
    }

    @Test func allObjects() throws {
        try withObservatory { place in
            try fill(place.writer, 1...3)
            let log = ChangeLog()
            let items = place.realm.objects(Item.self)
            let token = items.observe { log.add($0) }
            #expect(log.take() == [], "The first call comes later.")
            place.deliver()
            #expect(log.take() == ["initial 3"])
            try place.writer.write {
                place.writer.delete(try item(place.writer, 2))
                place.writer.add(Item(id: 7))
                try item(place.writer, 3).name = "new"
            }
            #expect(
                items.count == 3 && items.last?.id == 3, "Nothing moves before the scheduler runs.")
            place.deliver()
            #expect(log.take() == ["-[1] +[2] *[2]"])
            #expect(items.map(\.id) == [1, 3, 7])
            #expect(token.invalidate())
            try fill(place.writer, 8...8)
            place.deliver()
            #expect(log.take() == [])
            #expect(!token.invalidate())
        }
    }

    @Test func severalCommitsComeAsOneChange() throws {
        try withObservatory { place in
            try fill(place.writer, 1...3)
            let log = ChangeLog()
            let token = place.realm.objects(Item.self).observe { log.add($0) }
            place.deliver()
            _ = log.take()
            try fill(place.writer, 4...4)
            place.realm.waitForNotifier()
            try place.writer.write { place.writer.delete(try item(place.writer, 1)) }
            try fill(place.writer, 5...5)
            try place.writer.write { place.writer.delete(try item(place.writer, 5)) }
            place.deliver()
            let told = log.take()
            #expect(
                told == ["-[] +[3] *[]", "-[0] +[] *[]"],
                "One for the commit that was on its way, one for all others.")
            withExtendedLifetime(token) {}
        }
    }

    @Test func whatChangesBackIsNoChange() throws {
        try withObservatory { place in
            try fill(place.writer, 1...3)
            let log = ChangeLog()
            let token = place.realm.objects(Item.self).observe { log.add($0) }
            place.deliver()
            _ = log.take()
            place.realm.autorefresh = false
            try place.writer.write { try item(place.writer, 1).rank = 1 }
            try place.writer.write { try item(place.writer, 1).rank = 99 }
            place.realm.refresh()
            place.deliver()
            #expect(log.take() == [])
            withExtendedLifetime(token) {}
        }
    }

    @Test func filteredAndSorted() throws {
        try withObservatory { place in
            try fill(place.writer, 1...5)
            place.realm.refresh()
            let log = ChangeLog()
            let items = place.realm.objects(Item.self).where { $0.rank > 96 }.sorted(by: \.rank)
            #expect(items.map(\.id) == [3, 2, 1])
            let token = items.observe { log.add($0) }
            place.deliver()
            #expect(log.take() == ["initial 3"])
            // One comes, one goes, one moves, one changes where it is.
            try place.writer.write {
                try item(place.writer, 5).rank = 200
                try item(place.writer, 2).rank = 0
                try item(place.writer, 3).rank = 150
                try item(place.writer, 1).name = "x"
            }
            place.deliver()
            #expect(items.map(\.id) == [1, 3, 5])
            #expect(log.take() == ["-[0, 1] +[1, 2] *[2]"])
            // What is not in it does not matter.
            try place.writer.write { try item(place.writer, 4).rank = 5 }
            place.deliver()
            #expect(log.take() == [])
            withExtendedLifetime(token) {}
        }
    }

    @Test func slicesAndDistinctValues() throws {
        try withObservatory { place in
            try fill(place.writer, 1...5)
            let (first, distinct) = (ChangeLog(), ChangeLog())
            let tokens = [
                place.realm.objects(Item.self).sorted(by: \.rank, ascending: false).limit(2).observe
                { first.add($0) },
                place.realm.objects(Item.self).distinct(by: ["name"]).observe { distinct.add($0) },
            ]
            place.deliver()
            #expect(first.take() == ["initial 2"] && distinct.take() == ["initial 5"])
            try place.writer.write {
                try item(place.writer, 5).rank = 1000
                try item(place.writer, 4).name = "n1"
            }
            place.deliver()
            #expect(first.take() == ["-[1] +[0] *[]"])
            #expect(distinct.take() == ["-[3] +[] *[4]"])
            withExtendedLifetime(tokens) {}
        }
    }

    @Test func listsOfObjects() throws {
        try withObservatory { place in
            try fill(place.writer, 1...5)
            try place.writer.write {
                try item(place.writer, 1).children.append(
                    objectsIn: [2, 3, 4, 3].map { try item(place.writer, $0) })
            }
            place.realm.refresh()
            let log = ChangeLog()
            let children = try item(place.realm, 1).children
            let token = children.observe { log.add($0) }
            place.deliver()
            #expect(log.take() == ["initial 4"])
            try place.writer.write { try item(place.writer, 3).name = "x" }
            place.deliver()
            #expect(log.take() == ["-[] +[] *[1, 3]"])
            try place.writer.write {
                let children = try item(place.writer, 1).children
                children.move(from: 0, to: 3)
                children.append(try item(place.writer, 5))
            }
            place.deliver()
            #expect(log.take() == ["-[0] +[3, 4] *[]"])
            try place.writer.write { place.writer.delete(try item(place.writer, 3)) }
            place.deliver()
            #expect(log.take() == ["-[0, 2] +[] *[]"])
            #expect(children.map(\.id) == [4, 2, 5])
            try place.writer.write { place.writer.delete(try item(place.writer, 1)) }
            place.deliver()
            #expect(log.take() == ["-[0, 1, 2] +[] *[]"], "The list ends with its object.")
            #expect(children.isInvalidated)
            withExtendedLifetime(token) {}
        }
    }

    @Test func listsOfValues() throws {
        try withObservatory { place in
            try fill(place.writer, 1...1)
            try place.writer.write {
                try item(place.writer, 1).numbers.append(objectsIn: [10, 20, 30, 40])
            }
            place.realm.refresh()
            let (log, sorted) = (ChangeLog(), ChangeLog())
            let numbers = try item(place.realm, 1).numbers
            let tokens = [
                numbers.observe { log.add($0) },
                numbers.sorted(ascending: false).observe { sorted.add($0) },
            ]
            place.deliver()
            #expect(log.take() == ["initial 4"] && sorted.take() == ["initial 4"])
            try place.writer.write {
                let numbers = try item(place.writer, 1).numbers
                numbers[1] = 21
                numbers.append(50)
                numbers.remove(at: 0)
            }
            place.deliver()
            #expect(numbers.map { $0 } == [21, 30, 40, 50])
            #expect(log.take() == ["-[1] +[3] *[0]"])
            #expect(sorted.take() == ["-[3] +[0] *[2]"])
            withExtendedLifetime(tokens) {}
        }
    }

    /// Values that occur twice are paired in order; the one in the middle was told as modified,
    /// as it had been paired with another.
    @Test func valuesThatOccurTwice() throws {
        try withObservatory { place in
            try fill(place.writer, 1...1)
            try place.writer.write {
                try item(place.writer, 1).numbers.append(objectsIn: [1, 2, 5, 9, 3, 1, 9])
            }
            place.realm.refresh()
            let log = ChangeLog()
            let token = try item(place.realm, 1).numbers.observe { log.add($0) }
            place.deliver()
            #expect(log.take() == ["initial 7"])
            try place.writer.write { try item(place.writer, 1).numbers.swapAt(0, 6) }
            place.deliver()
            #expect(log.take() == ["-[6] +[5] *[0]"])
            withExtendedLifetime(token) {}
        }
    }

    /// Large enough to have leaves of its own, of which few change.
    @Test func longLists() throws {
        try withObservatory { place in
            try fill(place.writer, 1...1)
            try place.writer.write {
                try item(place.writer, 1).numbers.append(objectsIn: 0..<20_000)
            }
            place.realm.refresh()
            let log = ChangeLog()
            let token = try item(place.realm, 1).numbers.observe { log.add($0) }
            place.deliver()
            #expect(log.take() == ["initial 20000"])
            try place.writer.write {
                let numbers = try item(place.writer, 1).numbers
                numbers.insert(-1, at: 7_000)
                numbers.remove(at: 12_000)
                numbers[3] = -3
                numbers.append(-4)
            }
            place.deliver()
            #expect(log.take() == ["-[11999] +[7000, 20000] *[3]"])
            withExtendedLifetime(token) {}
        }
    }

    @Test func setsAndLinkingObjects() throws {
        try withObservatory { place in
            try fill(place.writer, 1...4)
            try place.writer.write {
                try item(place.writer, 1).tags.insert(objectsIn: ["b", "d"])
                try item(place.writer, 2).next = try item(place.writer, 1)
            }
            place.realm.refresh()
            let (tags, previous, parents) = (ChangeLog(), ChangeLog(), ChangeLog())
            let first = try item(place.realm, 1)
            let tokens = [
                first.tags.observe { tags.add($0) }, first.previous.observe { previous.add($0) },
                first.parents.observe { parents.add($0) },
            ]
            place.deliver()
            #expect(
                tags.take() == ["initial 2"] && previous.take() == ["initial 1"]
                    && parents.take() == ["initial 0"])
            try place.writer.write {
                try item(place.writer, 1).tags.insert("a")
                try item(place.writer, 1).tags.remove("d")
                try item(place.writer, 4).next = try item(place.writer, 1)
                try item(place.writer, 3).children.append(try item(place.writer, 1))
            }
            place.deliver()
            #expect(tags.take() == ["-[1] +[0] *[]"])
            // The object itself changed, to which that one links.
            #expect(previous.take() == ["-[] +[1] *[0]"])
            #expect(parents.take() == ["-[] +[0] *[]"])
            withExtendedLifetime(tokens) {}
        }
    }

    @Test func maps() throws {
        try withObservatory { place in
            try fill(place.writer, 1...3)
            try place.writer.write {
                try item(place.writer, 1).marks["a"] = 1
                try item(place.writer, 1).marks["b"] = 2
                try item(place.writer, 1).related["x"] = try item(place.writer, 2)
            }
            place.realm.refresh()
            let (marks, related) = (ChangeLog(), ChangeLog())
            let first = try item(place.realm, 1)
            let tokens = [
                first.marks.observe { marks.add($0) }, first.related.observe { related.add($0) },
            ]
            place.deliver()
            #expect(marks.take() == ["initial 2"] && related.take() == ["initial 1"])
            try place.writer.write {
                try item(place.writer, 1).marks["a"] = nil
                try item(place.writer, 1).marks["b"] = 3
                try item(place.writer, 1).marks["c"] = 4
                try item(place.writer, 2).name = "x"
            }
            place.deliver()
            #expect(marks.take() == [#"-["a"] +["c"] *["b"]"#])
            #expect(related.take() == [#"-[] +[] *["x"]"#])
            withExtendedLifetime(tokens) {}
        }
    }

    @Test func collectionsInsideOfAnyValues() throws {
        try withObservatory { place in
            try fill(place.writer, 1...1)
            try place.writer.write {
                try item(place.writer, 1).anything = .fromArray([
                    .int(1), .fromDictionary(["k": .string("v")]), .int(3),
                ])
            }
            place.realm.refresh()
            let (outer, inner) = (ChangeLog(), ChangeLog())
            let list = try #require(try item(place.realm, 1).anything.listValue)
            let map = try #require(list[1].dictionaryValue)
            let tokens = [list.observe { outer.add($0) }, map.observe { inner.add($0) }]
            place.deliver()
            #expect(outer.take() == ["initial 3"] && inner.take() == ["initial 1"])
            try place.writer.write {
                let list = try #require(try item(place.writer, 1).anything.listValue)
                list[1].dictionaryValue?["l"] = .int(5)
                list.remove(at: 0)
            }
            place.deliver()
            // Of two that went and one that came in the same place, the first is taken for
            // replaced.
            #expect(outer.take() == ["-[1] +[] *[0]"])
            #expect(inner.take() == [#"-[] +["l"] *[]"#])
            withExtendedLifetime(tokens) {}
        }
    }
}
