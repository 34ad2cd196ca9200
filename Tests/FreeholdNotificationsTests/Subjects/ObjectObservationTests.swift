import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// What observers of objects are told, and what key paths select.
@Suite struct ObjectObservationTests {
    typealias Item = ObservedModels.Item

    private func item(_ realm: Realm, _ id: Int) throws -> Item {
        try #require(realm.object(ofType: Item.self, forPrimaryKey: id))
    }

    private func fill(_ realm: Realm, _ ids: some Sequence<Int>) throws {
        try realm.write { for id in ids { realm.add(Item(id: id, name: "n\(id)")) } }
    }

    @Test func propertiesWithTheirValues() throws {
        try withObservatory { place in
            try fill(place.writer, 1...3)
            place.realm.refresh()
            let log = ChangeLog()
            let first = try item(place.realm, 1)
            let token = first.observe { log.add($0) }
            place.deliver()
            #expect(log.take() == [], "There is no first call.")
            try place.writer.write {
                let first = try item(place.writer, 1)
                first.name = "Ada"
                first.score = 1.5
                first.next = try item(place.writer, 2)
                first.numbers.append(1)
            }
            place.deliver()
            #expect(
                log.take() == [
                    "name: n1 -> Ada, score: nil -> 1.5, next: nil -> Item 2, numbers: nil -> nil"
                ])
            // A realm's own changes, too.
            place.realm.beginWrite()
            first.name = "Grace"
            first.next = nil
            try place.realm.commitWrite()
            place.deliver()
            #expect(
                log.take() == ["name: nil -> Grace, next: nil -> nil"],
                "What its own changes replaced is not told.")
            try place.writer.write { try item(place.writer, 2).name = "not observed" }
            place.deliver()
            #expect(log.take() == [])
            try place.writer.write { place.writer.delete(try item(place.writer, 1)) }
            place.deliver()
            #expect(log.take() == ["deleted"] && first.isInvalidated)
            try fill(place.writer, 1...1)
            place.deliver()
            #expect(log.take() == [] && !token.invalidate(), "Nothing follows a deletion.")
        }
    }

    @Test func keyPathsOfObjects() throws {
        try withObservatory { place in
            try fill(place.writer, 1...4)
            try place.writer.write {
                try item(place.writer, 1).next = try item(place.writer, 2)
                try item(place.writer, 2).children.append(try item(place.writer, 3))
                try item(place.writer, 4).next = try item(place.writer, 1)
            }
            place.realm.refresh()
            let first = try item(place.realm, 1)
            let (name, deep, wild, back) = (ChangeLog(), ChangeLog(), ChangeLog(), ChangeLog())
            let tokens = [
                first.observe(keyPaths: [\.name]) { name.add($0) },
                first.observe(keyPaths: ["next.children.name"]) { deep.add($0) },
                first.observe(keyPaths: ["next.*"]) { wild.add($0) },
                first.observe(keyPaths: ["previous.rank"]) { back.add($0) },
            ]
            func take() -> [[String]] { [name.take(), deep.take(), wild.take(), back.take()] }
            place.deliver()
            try place.writer.write { try item(place.writer, 1).rank = 5 }
            place.deliver()
            #expect(take() == [[], [], [], []])
            try place.writer.write { try item(place.writer, 3).name = "x" }
            place.deliver()
            #expect(take() == [[], ["next: Item 2 -> Item 2"], [], []])
            try place.writer.write { try item(place.writer, 2).rank = 9 }
            place.deliver()
            #expect(take() == [[], [], ["next: Item 2 -> Item 2"], []])
            try place.writer.write { try item(place.writer, 4).rank = 9 }
            place.deliver()
            #expect(take() == [[], [], [], ["previous: nil -> nil"]])
            try place.writer.write { try item(place.writer, 4).next = nil }
            place.deliver()
            #expect(take() == [[], [], [], ["previous: nil -> nil"]], "The link itself.")
            try place.writer.write { try item(place.writer, 1).next = try item(place.writer, 4) }
            place.deliver()
            #expect(take() == [[], ["next: Item 2 -> Item 4"], ["next: Item 2 -> Item 4"], []])
            withExtendedLifetime(tokens) {}
        }
    }

    @Test func keyPathsOfCollections() throws {
        try withObservatory { place in
            try fill(place.writer, 1...3)
            try place.writer.write {
                try item(place.writer, 1).next = try item(place.writer, 2)
                try item(place.writer, 3).part = ObservedModels.Part()
            }
            place.realm.refresh()
            let items = place.realm.objects(Item.self)
            let (none, name, next, part) = (ChangeLog(), ChangeLog(), ChangeLog(), ChangeLog())
            let tokens = [
                items.observe(keyPaths: [String]()) { none.add($0) },
                items.observe(keyPaths: [\.name]) { name.add($0) },
                items.observe(keyPaths: [\.next?.name]) { next.add($0) },
                items.observe(keyPaths: ["part.size"]) { part.add($0) },
            ]
            func take() -> [[String]] { [none.take(), name.take(), next.take(), part.take()] }
            place.deliver()
            _ = take()
            try place.writer.write { try item(place.writer, 2).name = "x" }
            place.deliver()
            #expect(take() == [[], ["-[] +[] *[1]"], ["-[] +[] *[0]"], []])
            try place.writer.write { try item(place.writer, 3).part?.size = 4 }
            place.deliver()
            #expect(take() == [[], [], [], ["-[] +[] *[2]"]])
            try place.writer.write { try item(place.writer, 2).rank = 3 }
            place.deliver()
            #expect(take() == [[], [], [], []])
            try place.writer.write { place.writer.delete(try item(place.writer, 2)) }
            place.deliver()
            // The link became nil.
            #expect(
                take() == [["-[1] +[] *[]"], ["-[1] +[] *[]"], ["-[1] +[] *[0]"], ["-[1] +[] *[]"]])
            withExtendedLifetime(tokens) {}
        }
    }

    /// Four links are followed, and a fifth is not.
    @Test func changesFourLinksAway() throws {
        try withObservatory { place in
            try fill(place.writer, 0...6)
            try place.writer.write {
                for id in 0..<6 { try item(place.writer, id).next = try item(place.writer, id + 1) }
            }
            place.realm.refresh()
            let log = ChangeLog()
            let token = place.realm.objects(Item.self).where { $0.id == 0 }.observe { log.add($0) }
            place.deliver()
            _ = log.take()
            for id in 0...6 {
                try place.writer.write { try item(place.writer, id).rank += 1 }
                place.deliver()
                #expect(log.take() == (id <= 4 ? ["-[] +[] *[0]"] : []), "\(id) links away")
            }
            withExtendedLifetime(token) {}
        }
    }

    /// Found from the changed objects up, and from the observed ones down.
    @Test(arguments: [1, 200]) func linksAreFollowedInBothDirections(changed: Int) throws {
        try withObservatory { place in
            try fill(place.writer, 0..<400)
            try place.writer.write {
                for id in 0..<20 {
                    try item(place.writer, id).children.append(try item(place.writer, 100 + id))
                }
            }
            place.realm.refresh()
            let log = ChangeLog()
            let token = place.realm.objects(Item.self).where { $0.id < 20 }.observe { log.add($0) }
            place.deliver()
            _ = log.take()
            try place.writer.write {
                for id in 0..<changed { try item(place.writer, 105 + id).rank += 1 }
            }
            place.deliver()
            #expect(log.take() == [changed == 1 ? "-[] +[] *[5]" : "-[] +[] *\(Array(5..<20))"])
            withExtendedLifetime(token) {}
        }
    }

    @Test func anyValuesLinkToo() throws {
        try withObservatory { place in
            try fill(place.writer, 1...3)
            try place.writer.write {
                try item(place.writer, 1).anything = .object(try item(place.writer, 2))
                try item(place.writer, 3).anything = .fromArray([
                    .int(1), .object(try item(place.writer, 1)),
                ])
            }
            place.realm.refresh()
            let log = ChangeLog()
            let token = place.realm.objects(Item.self).observe { log.add($0) }
            place.deliver()
            _ = log.take()
            try place.writer.write { try item(place.writer, 2).name = "x" }
            place.deliver()
            #expect(log.take() == ["-[] +[] *[0, 1, 2]"])
            withExtendedLifetime(token) {}
        }
    }
}
