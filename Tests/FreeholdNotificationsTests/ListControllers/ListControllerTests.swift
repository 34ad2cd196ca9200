import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// What list controllers show, and the steps that they hand over.
@Suite struct ListControllerTests {
    typealias Item = ObservedModels.Item

    private func fill(_ realm: Realm, _ names: [String]) throws {
        try realm.write {
            for (offset, name) in names.enumerated() {
                realm.add(Item(id: offset + 1, name: name, rank: offset + 1))
            }
        }
    }

    private func item(_ realm: Realm, _ id: Int) throws -> Item {
        try #require(realm.object(ofType: Item.self, forPrimaryKey: id))
    }

    private func byName(_ realm: Realm) -> SectionedResults<String, Item> {
        realm.objects(Item.self).sectioned(by: \.name, sortDescriptors: ["name", "rank"])
    }

    private func ids(_ controller: ListController<Item>) -> [[Int]] {
        (0..<controller.numberOfSections).map { section in
            (0..<controller.numberOfItems(in: section)).map {
                controller.object(at: IndexPath(item: $0, section: section)).id
            }
        }
    }

    private func text(_ batch: ListBatch) -> String {
        func text(_ path: IndexPath) -> String { "\(path.section).\(path.item)" }
        return batch.steps.map { step in
            switch step {
            case .deleteItem(let path): "-\(text(path))"
            case .deleteSection(let section): "-s\(section)"
            case .insertSection(let section): "+s\(section)"
            case .insertItem(let path): "+\(text(path))"
            case .updateItem(let path): "*\(text(path))"
            }
        }.joined(separator: " ")
    }

    @Test func sections() throws {
        try withObservatory { place in
            try fill(place.writer, ["a", "a", "b", "b", "c"])
            place.realm.refresh()
            let controller = SectionedListController(byName(place.realm))
            #expect(
                controller.sectionKeys == ["a", "b", "c"]
                    && ids(controller) == [[1, 2], [3, 4], [5]])
            var told: [String] = []
            let token = controller.observe { batch in
                told.append(text(batch))
                #expect(Array(batch.structure + batch.updates) == batch.steps)
            }
            place.deliver()
            #expect(told == [], "Nothing happened.")
            try place.writer.write {
                place.writer.delete(place.writer.objects(Item.self).where { $0.name == "a" })
                try item(place.writer, 3).rank = 50
                try item(place.writer, 4).score = 1
                try item(place.writer, 5).score = 1
                place.writer.add(Item(id: 6, name: "aa"))
                place.writer.add(Item(id: 7, name: "b"))
            }
            #expect(ids(controller) == [[1, 2], [3, 4], [5]])
            place.deliver()
            #expect(told == ["-1.0 -s0 +s0 +0.0 +1.0 +1.2 *1.1 *2.0"])
            #expect(
                controller.sectionKeys == ["aa", "b", "c"]
                    && ids(controller) == [[6], [7, 4, 3], [5]])
            // What stays when the token ends is what was shown.
            token.invalidate()
            try place.writer.write { place.writer.deleteAll() }
            place.deliver()
            #expect(told.count == 1 && ids(controller) == [[6], [7, 4, 3], [5]])
        }
    }

    @Test func withoutSections() throws {
        try withObservatory { place in
            let controller = ListController(
                place.realm.objects(Item.self).where { $0.rank > 1 }.sorted(by: \.name))
            #expect(
                controller.numberOfSections == 1 && controller.numberOfItems(in: 0) == 0
                    && controller.objects(in: 0).isEmpty)
            var told: [String] = []
            let token = controller.observe { told.append(text($0)) }
            try fill(place.writer, ["c", "b", "a", "d"])
            place.deliver()
            #expect(told == ["+0.0 +0.1 +0.2"] && ids(controller) == [[3, 2, 4]])
            try place.writer.write {
                try item(place.writer, 3).name = "x"
                try item(place.writer, 4).score = 1
                place.writer.delete(try item(place.writer, 2))
            }
            place.deliver()
            #expect(told.last == "-0.1 -0.0 +0.1 *0.0" && ids(controller) == [[4, 3]])
            #expect(controller.objects(in: 0).map(\.id) == [4, 3])
            withExtendedLifetime(token) {}
        }
    }

    /// Lists, values, and what is left of them when their object is deleted.
    @Test func listsOfAnObject() throws {
        try withObservatory { place in
            try fill(place.writer, ["a", "b", "c"])
            try place.writer.write {
                let first = try item(place.writer, 1)
                first.children.append(
                    objectsIn: place.writer.objects(Item.self).where { $0.id > 1 })
                first.numbers.append(objectsIn: [3, 4])
            }
            place.realm.refresh()
            let first = try item(place.realm, 1)
            let (children, numbers) = (
                ListController(first.children),
                ListController(first.numbers.sorted(ascending: false))
            )
            var (childSteps, numberSteps): ([String], [String]) = ([], [])
            let tokens = [
                children.observe { childSteps.append(text($0)) },
                numbers.observe { numberSteps.append(text($0)) },
            ]
            #expect(ids(children) == [[2, 3]] && numbers.objects(in: 0) == [4, 3])
            try place.writer.write {
                try item(place.writer, 1).children.swapAt(0, 1)
                try item(place.writer, 1).numbers.insert(9, at: 1)
            }
            place.deliver()
            #expect(ids(children) == [[3, 2]] && childSteps.count == 1)
            #expect(numbers.objects(in: 0) == [9, 4, 3] && numberSteps == ["+0.0"])
            #expect(
                numbers.indexPath(for: 4) == IndexPath(item: 1, section: 0)
                    && numbers.indexPath(for: 5) == nil)
            try place.writer.write { place.writer.delete(try item(place.writer, 1)) }
            place.deliver()
            #expect(ids(children) == [[]] && childSteps.last == "-0.1 -0.0")
            #expect(
                numbers.objects(in: 0) == [] && numberSteps.last == "-0.2 -0.1 -0.0"
                    && numbers.indexPath(for: 4) == nil)
            withExtendedLifetime(tokens) {}
        }
    }

    @Test func whatIsShownDoesNotMoveInATransaction() throws {
        try withObservatory { place in
            try fill(place.writer, ["a", "a", "b"])
            place.realm.refresh()
            let controller = SectionedListController(byName(place.realm))
            var told: [String] = []
            let token = controller.observe { told.append(text($0)) }
            try place.realm.write {
                let first = try item(place.realm, 1)
                first.name = "zz"
                place.realm.delete(try item(place.realm, 2))
                #expect(
                    ids(controller) == [[1, 2], [3]] && controller.object(at: [0, 0]).name == "a"
                        && controller.object(at: [0, 1]).id == 2)
                #expect(controller.indexPath(for: first) == [0, 0])
                #expect(
                    controller.object(at: [0, 1]).thaw() == nil
                        && controller.object(at: [0, 0]).thaw()?.name == "zz")
            }
            #expect(
                told == [] && ids(controller) == [[1, 2], [3]],
                "The commit does not tell it: that comes later.")
            place.deliver()
            #expect(told == ["-s0 +s1 +1.0"])
            #expect(ids(controller) == [[3], [1]] && controller.object(at: [1, 0]).name == "zz")
            withExtendedLifetime(token) {}
        }
    }

    @Test func whereObjectsAre() throws {
        try withObservatory { place in
            try fill(place.writer, ["a", "b", "b"])
            place.realm.refresh()
            let (sections, flat) = (
                SectionedListController(byName(place.realm)),
                ListController(place.realm.objects(Item.self).where { $0.id > 1 })
            )
            let (first, third) = (try item(place.realm, 1), try item(place.realm, 3))
            for object in [third, third.freeze(), sections.object(at: [1, 1])] {
                #expect(
                    sections.indexPath(for: object) == [1, 1]
                        && flat.indexPath(for: object) == [0, 1])
            }
            #expect(
                flat.indexPath(for: first) == nil && flat.indexPath(for: Item(id: 3)) == nil
                    && sections.indexPath(for: Item()) == nil)
            try place.writer.write { place.writer.delete(try item(place.writer, 3)) }
            #expect(
                sections.indexPath(for: try item(place.writer, 2)) == [1, 0],
                "Of another realm of the file.")
            place.realm.refresh()
            #expect(
                third.isInvalidated && sections.indexPath(for: third) == [1, 1],
                "It is still shown.")
        }
    }

    /// A table cannot be told of the next batch while it does the steps of one. Beginning a
    /// transaction moves the realm, which tells others at once.
    @Test func blocksThatWrite() throws {
        try withObservatory { place in
            try fill(place.writer, ["a"])
            place.realm.refresh()
            let controller = ListController(place.realm.objects(Item.self))
            var told: [String] = []
            let token = controller.observe { batch in
                let number = told.count
                told.append("\(text(batch)) begins")
                if number < 3 {
                    let before = ids(controller)
                    #expect(throws: Never.self) {
                        try place.writer.write { place.writer.add(Item(id: 100 + number)) }
                        try place.realm.write {
                            #expect(place.realm.objects(Item.self).count == before[0].count + 1)
                        }
                    }
                    #expect(ids(controller) == before)
                }
                told.append("ends")
            }
            try place.writer.write { place.writer.add(Item(id: 50)) }
            place.deliver()
            #expect(told == ["+0.1 begins", "ends", "+0.2 begins", "ends", "+0.3 begins", "ends"])
            #expect(ids(controller) == [[1, 50, 100, 102]])
            withExtendedLifetime(token) {}
        }
    }

    @Test func blocksThatEndTheirToken() throws {
        try withObservatory { place in
            let controller = ListController(place.realm.objects(Item.self))
            var (count, token): (Int, NotificationToken?) = (0, nil)
            token = controller.observe { _ in
                count += 1
                #expect(throws: Never.self) {
                    try place.writer.write { place.writer.add(Item(id: 2)) }
                    try place.realm.write {}
                }
                token?.invalidate()
            }
            try fill(place.writer, ["a"])
            place.deliver()
            #expect(count == 1 && ids(controller) == [[1]])
            // Who follows next is told from there on.
            var told: [String] = []
            token = controller.observe { told.append(text($0)) }
            place.deliver()
            #expect(told == ["+0.1"] && ids(controller) == [[1, 2]])
        }
    }

    @Test func oneIsToldAtATime() throws {
        try withObservatory { place in
            let controller = ListController(place.realm.objects(Item.self))
            var told: [String] = []
            let tokens = ["first", "second"].map { name in
                controller.observe { told.append("\(name) \(text($0))") }
            }
            try fill(place.writer, ["a"])
            place.deliver()
            #expect(told == ["second +0.0"])
            withExtendedLifetime(tokens) {}
        }
    }

    @Test func keyPathsSayWhatCounts() throws {
        try withObservatory { place in
            try fill(place.writer, ["a", "b"])
            place.realm.refresh()
            let flat = ListController(place.realm.objects(Item.self), keyPaths: [\.score])
            let sections = SectionedListController(byName(place.realm), keyPaths: [\.next?.rank])
            var told: [String] = []
            let tokens = [
                flat.observe { told.append("flat \(text($0))") },
                sections.observe { told.append("sections \(text($0))") },
            ]
            try place.writer.write { try item(place.writer, 1).tags.insert("x") }
            place.deliver()
            #expect(told == [])
            // It is shown nevertheless.
            #expect(
                flat.object(at: [0, 0]).tags.count == 1
                    && sections.object(at: [0, 0]).tags.count == 1)
            try place.writer.write { try item(place.writer, 1).score = 1 }
            place.deliver()
            try place.writer.write { try item(place.writer, 2).next = item(place.writer, 1) }
            place.deliver()
            #expect(told == ["flat *0.0", "sections *1.0"])
            withExtendedLifetime(tokens) {}
        }
    }

    /// A list that does not change keeps no old version.
    @Test func whatDoesNotMatterMovesTheVersion() throws {
        try withObservatory([ObservedModels.Item.self, ObservedModels.Part.self, Bystander.self]) {
            place in
            try fill(place.writer, ["a", "b", "c"])
            place.realm.refresh()
            let controllers: [ListController<Item>] = [
                ListController(
                    place.realm.objects(Item.self).where { $0.rank > 1 }.sorted(by: \.name)),
                SectionedListController(byName(place.realm)),
                ListController(place.realm.objects(Item.self)),
            ]
            let tokens = controllers.map { controller in
                controller.observe { _ in Issue.record("Nothing happened.") }
            }
            let shown = controllers.map { ids($0) }
            for _ in 0..<3 {
                try place.writer.write { place.writer.add(Bystander()) }
                place.deliver()
            }
            #expect(controllers.map { ids($0) } == shown)
            for controller in controllers {
                #expect(controller.object(at: [0, 0]).realm?.objects(Bystander.self).count == 3)
            }
            withExtendedLifetime(tokens) {}
        }
    }

    @MainActor @Test func asASequence() async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: ObservedModels.all)
        let realm = try await Realm(configuration: configuration)
        let controller = SectionedListController(byName(realm))
        // Before the loop begins: the first batch leads on from what was shown then.
        try await Self.add(configuration, 1, "b")
        realm.refresh()
        #expect(controller.numberOfSections == 0)
        var iterator = controller.updates.makeAsyncIterator()
        #expect(await iterator.next(isolation: #isolation).map(text) == "+s0 +0.0")
        #expect(ids(controller) == [[1]])
        for (id, name) in [(2, "a"), (3, "b")] { try await Self.add(configuration, id, name) }
        realm.refresh()
        #expect(ids(controller) == [[1]], "Nothing moves while the loop is busy.")
        #expect(await iterator.next(isolation: #isolation).map(text) == "+s0 +0.0 +1.1")
        #expect(ids(controller) == [[2], [1, 3]] && controller.sectionKeys == ["a", "b"])
        try realm.write { try item(realm, 3).name = "a" }
        #expect(await iterator.next(isolation: #isolation).map(text) == "-1.1 +0.1")
        #expect(ids(controller) == [[2, 3], [1]])
        #expect(try realm.check().isEmpty)
        directory.delete()
    }

    private nonisolated static func add(
        _ configuration: Realm.Configuration, _ id: Int, _ name: String
    ) async throws {
        try await Task.detached { try addHere(configuration, id, name) }.value
    }

    private nonisolated static func addHere(
        _ configuration: Realm.Configuration, _ id: Int, _ name: String
    ) throws {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.add(Item(id: id, name: name, rank: id)) }
    }

    /// Of a class that nothing links to, or from.
    final class Bystander: Object {
        @Persisted var number = 0
    }
}
