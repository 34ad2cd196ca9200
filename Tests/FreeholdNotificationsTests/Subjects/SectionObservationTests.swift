import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// What observers of sections are told, step by step.
@Suite struct SectionObservationTests {
    typealias Item = ObservedModels.Item
    typealias Sections = SectionedResults<String, Item>

    /// Sections by name, ordered by rank in each.
    private func sections(_ realm: Realm) -> Sections {
        realm.objects(Item.self).sectioned(by: \.name, sortDescriptors: ["name", "rank"])
    }

    /// Items with ids from 1, in the order of the names; ranks as ids.
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

    /// Observed sections by name, after their first call.
    private func withObserved(
        _ names: [String], keyPaths: [String]? = nil,
        _ body: (Observatory, Sections, SectionLog) throws -> Void
    ) throws {
        try withObservatory { place in
            try fill(place.writer, names)
            let log = SectionLog()
            let sections = sections(place.realm)
            let token = sections.observe(keyPaths: keyPaths) { log.add($0) }
            #expect(log.take() == [], "The first call comes later.")
            place.deliver()
            #expect(log.take() == ["initial \(Set(names).count)"])
            try body(place, sections, log)
            token.invalidate()
            try place.writer.write { place.writer.add(Item(id: 1000, name: "zz")) }
            place.deliver()
            #expect(log.take() == [])
        }
    }

    @Test func rowsComeGoAndChange() throws {
        try withObserved(["a", "a", "a", "b", "b"]) { place, sections, log in
            try place.writer.write { place.writer.add(Item(id: 6, name: "b", rank: 0)) }
            place.deliver()
            #expect(log.take() == ["+[1.0]"])
            try place.writer.write {
                place.writer.delete(try item(place.writer, 2))
                try item(place.writer, 3).score = 1
                try item(place.writer, 5).score = 2
            }
            place.deliver()
            // A modified row that others moved is deleted and inserted, as in Realm.
            #expect(log.take() == ["-[0.1, 0.2] +[0.1] *[1.2]"])
            #expect(sections.map { $0.map(\.id) } == [[1, 3], [6, 4, 5]])
            // What was the same before is no change.
            try place.writer.write { try item(place.writer, 5).score = 2 }
            place.deliver()
            #expect(log.take() == [])
        }
    }

    @Test func rowsMoveBetweenAndWithinSections() throws {
        try withObserved(["a", "a", "a", "b", "b"]) { place, _, log in
            try place.writer.write { try item(place.writer, 1).name = "b" }
            place.deliver()
            #expect(log.take() == ["-[0.0] +[1.0]"])
            try place.writer.write { try item(place.writer, 2).rank = 50 }
            place.deliver()
            #expect(log.take() == ["-[0.0] +[0.1]"])
        }
    }

    /// As in Realm: what changed and has another position is deleted and inserted, and what did
    /// not change stays.
    @Test func modifiedRowsThatAreMoved() throws {
        try withObserved(["b", "b", "b", "b"]) { place, sections, log in
            // In front of the section, one that only others move.
            try place.writer.write { try item(place.writer, 4).rank = 0 }
            place.deliver()
            #expect(log.take() == ["-[0.3] +[0.0]"])
            // 4, 1, 2, 3: neighbours change their places.
            try place.writer.write { try item(place.writer, 2).rank = 9 }
            place.deliver()
            #expect(log.take() == ["-[0.2] +[0.3]"])
            // 4, 1, 3, 2: two that a deletion moves, one of them changed.
            try place.writer.write {
                place.writer.delete(try item(place.writer, 4))
                try item(place.writer, 3).score = 1
            }
            place.deliver()
            #expect(log.take() == ["-[0.0, 0.2] +[0.1]"])
            // 1, 3, 2: in place, though their section moves.
            try place.writer.write {
                try item(place.writer, 1).score = 1
                place.writer.add(Item(id: 9, name: "a"))
            }
            place.deliver()
            #expect(log.take() == ["+[0.0] *[0.0] sections -[] +[0]"])
            #expect(sections.map { $0.map(\.id) } == [[9], [1, 3, 2]])
        }
    }

    @Test func sectionsComeAndGo() throws {
        try withObserved(["a", "a", "c", "d"]) { place, sections, log in
            // The rows of a section that goes are no deletions; those of one that comes are
            // insertions.
            try place.writer.write {
                place.writer.delete(place.writer.objects(Item.self).where { $0.name == "a" })
                place.writer.add(Item(id: 5, name: "b", rank: 1))
                place.writer.add(Item(id: 6, name: "b", rank: 2))
                try item(place.writer, 4).score = 1
            }
            place.deliver()
            #expect(log.take() == ["+[0.0, 0.1] *[2.0] sections -[0] +[0]"])
            #expect(sections.allKeys == ["b", "c", "d"])
            // The last row of a section takes it along, wherever it goes.
            try place.writer.write { try item(place.writer, 3).name = "d" }
            place.deliver()
            #expect(log.take() == ["+[1.0] sections -[1] +[]"])
            try place.writer.write { place.writer.deleteAll() }
            place.deliver()
            #expect(log.take() == ["sections -[0, 1] +[]"])
            try place.writer.write { place.writer.add(Item(id: 1, name: "x")) }
            place.deliver()
            #expect(log.take() == ["+[0.0] sections -[] +[0]"])
        }
    }

    @Test func sectionsChangeTheirOrder() throws {
        try withObservatory { place in
            try fill(place.writer, ["a", "b", "c", "c"])
            let log = SectionLog()
            // In the order of the lowest ranks.
            let sections = place.realm.objects(Item.self).sectioned(sortDescriptors: ["rank"]) {
                $0.name
            }
            let token = sections.observe { log.add($0) }
            place.deliver()
            #expect(log.take() == ["initial 3"])
            try place.writer.write { try item(place.writer, 1).rank = 10 }
            place.deliver()
            #expect(sections.allKeys == ["b", "c", "a"])
            // One moves, with its rows; which one, is the choice that leaves the most in place.
            #expect(log.take() == ["+[2.0] sections -[0] +[2]"])
            withExtendedLifetime(token) {}
        }
    }

    @Test func keyPathsSayWhatCounts() throws {
        try withObserved(["a", "b"], keyPaths: ["score"]) { place, _, log in
            try place.writer.write { try item(place.writer, 1).tags.insert("x") }
            place.deliver()
            #expect(log.take() == [])
            try place.writer.write { try item(place.writer, 2).score = 3 }
            place.deliver()
            #expect(log.take() == ["*[1.0]"])
            // What comes and goes always counts.
            try place.writer.write { try item(place.writer, 2).name = "a" }
            place.deliver()
            #expect(log.take() == ["+[0.1] sections -[1] +[]"])
        }
    }

    @Test func keyPathsOfSwift() throws {
        try withObservatory { place in
            try fill(place.writer, ["a", "b"])
            let log = SectionLog()
            let token = sections(place.realm).observe(keyPaths: [\Item.next?.rank]) { log.add($0) }
            place.deliver()
            try place.writer.write {
                try item(place.writer, 1).next = item(place.writer, 2)
                try item(place.writer, 2).score = 5
            }
            place.deliver()
            #expect(log.take() == ["initial 2", "*[0.0]"])
            withExtendedLifetime(token) {}
        }
    }

    @Test func aSingleSection() throws {
        try withObservatory { place in
            try fill(place.writer, ["a", "b", "b", "c"])
            place.realm.refresh()
            let log = SectionLog()
            let section = sections(place.realm)[1]
            let token = section.observe { log.add($0) }
            place.deliver()
            #expect(log.take() == ["initial 2"])
            // What happens elsewhere does not matter, but positions are those in all sections.
            try place.writer.write { place.writer.delete(try item(place.writer, 1)) }
            place.deliver()
            #expect(log.take() == [])
            try place.writer.write {
                try item(place.writer, 3).score = 1
                place.writer.add(Item(id: 5, name: "b", rank: 0))
                place.writer.add(Item(id: 6, name: "a", rank: 0))
            }
            place.deliver()
            #expect(log.take() == ["-[0.1] +[1.0, 1.2]"])
            // It goes and comes again.
            try place.writer.write {
                place.writer.delete(place.writer.objects(Item.self).where { $0.name == "b" })
            }
            place.deliver()
            #expect(log.take() == ["sections -[1] +[]"])
            #expect(section.isInvalidated)
            try place.writer.write { place.writer.add(Item(id: 9, name: "b")) }
            place.deliver()
            #expect(log.take() == ["+[1.0] sections -[] +[1]"])
            #expect(section.map(\.id) == [9])
            withExtendedLifetime(token) {}
        }
    }

    @Test func valuesOfAList() throws {
        try withObservatory { place in
            try fill(place.writer, ["a"])
            try place.writer.write {
                try item(place.writer, 1).numbers.append(objectsIn: [1, 2, 3, 4])
            }
            place.realm.refresh()
            let log = SectionLog()
            let sections = try item(place.realm, 1).numbers.sectioned(by: { $0 % 2 })
            let token = sections.observe { log.add($0) }
            place.deliver()
            #expect(log.take() == ["initial 2"] && sections.allKeys == [1, 0])
            try place.writer.write { try item(place.writer, 1).numbers.append(5) }
            place.deliver()
            #expect(log.take() == ["+[0.2]"])
            try place.writer.write { place.writer.delete(try item(place.writer, 1)) }
            place.deliver()
            #expect(log.take() == ["sections -[0, 1] +[]"])
            withExtendedLifetime(token) {}
        }
    }

    /// Those that stay in their place are modified, as in lists.
    @Test func valuesThatAreReplaced() throws {
        try withObservatory { place in
            try fill(place.writer, ["a"])
            try place.writer.write {
                try item(place.writer, 1).numbers.append(objectsIn: [2, 4, 6])
            }
            place.realm.refresh()
            let sections = try item(place.realm, 1).numbers.sectioned(by: { $0 % 2 })
            let log = SectionLog()
            // Nil for what is not known.
            var known: [[Int?]] = []
            let token = sections.observe { change in
                log.add(change)
                guard
                    case .update(
                        let sections, let deletions, let insertions, let modifications, let new,
                        let old) = change
                else {
                    if case .initial(let sections) = change { known = sections.map { Array($0) } }
                    return
                }
                for path in modifications { known[path[0]][path[1]] = nil }
                for path in deletions.reversed() { known[path[0]].remove(at: path[1]) }
                for section in old.reversed() { known.remove(at: section) }
                for section in new { known.insert([], at: section) }
                for path in insertions { known[path[0]].insert(sections[path], at: path[1]) }
                for (section, row) in known.indices.flatMap({ section in
                    known[section].indices.map { (section, $0) }
                }) where known[section][row] == nil {
                    known[section][row] = sections[section][row]
                }
            }
            place.deliver()
            func expect(_ numbers: [Int], _ change: String...) throws {
                try place.writer.write {
                    try item(place.writer, 1).numbers.removeAll()
                    try item(place.writer, 1).numbers.append(objectsIn: numbers)
                }
                place.deliver()
                #expect(log.take() == change, "\(numbers)")
                #expect(known == sections.map { Array($0) }, "\(numbers)")
            }
            _ = log.take()
            try expect([2, 4, 8], "*[0.2]")
            try expect([4, 8], "-[0.0]")
            try expect([10, 4, 12], "+[0.2] *[0.1]")
            try expect([1, 4, 10], "-[0.2] +[0.0] sections -[] +[0]")
            // The sorted values are the same.
            try expect([10, 4, 1])
            withExtendedLifetime(token) {}
        }
    }

    @MainActor @Test func onAQueue() async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: ObservedModels.all)
        let told = ObservingActor()
        let realm = try await Realm(configuration: configuration)
        let token = sections(realm).observe(on: DispatchQueue(label: "observed")) { change in
            let text = SectionLog.text(change)
            Task { await told.add(text) }
        }
        #expect(await told.next() == "initial 0")
        try await Task.detached { try addItem(configuration, 1, "a") }.value
        #expect(await told.next() == "+[0.0] sections -[] +[0]")
        #expect(token.invalidate())
        realm.refresh()
        #expect(try realm.check().isEmpty)
        directory.delete()
    }

    @MainActor @Test func onAnActor() async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: ObservedModels.all)
        let told = ObservingActor()
        let realm = try await Realm(configuration: configuration)
        let token = await sections(realm).observe(on: told) { $0.add(SectionLog.text($1)) }
        #expect(await told.next() == "initial 0")
        try await Task.detached { try addItem(configuration, 1, "a") }.value
        #expect(await told.next() == "+[0.0] sections -[] +[0]")
        #expect(token.invalidate())
        realm.refresh()
        #expect(try realm.check().isEmpty)
        directory.delete()
    }

    @MainActor @Test func asASequence() async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: ObservedModels.all)
        let realm = try await Realm(configuration: configuration)
        let sections = sections(realm)
        var iterator = sections.changes.makeAsyncIterator()
        #expect(
            await iterator.next(isolation: #isolation).map { SectionLog.text($0) } == "initial 0")
        for id in 1...3 {
            try await Task.detached { try addItem(configuration, id, "n\(id % 2)") }.value
        }
        // Three commits, one change.
        #expect(
            await iterator.next(isolation: #isolation).map { SectionLog.text($0) }
                == "+[0.0, 1.0, 1.1] sections -[] +[0, 1]")
        #expect(sections.map { $0.map(\.id) } == [[2], [1, 3]])
        #expect(try realm.check().isEmpty)
        directory.delete()
    }

    @MainActor @Test func aSingleSectionElsewhere() async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: ObservedModels.all)
        let realm = try await Realm(configuration: configuration)
        try realm.write {
            for (id, name) in [(1, "a"), (2, "b")] {
                realm.add(ObservedModels.Item(id: id, name: name, rank: id))
            }
        }
        let section = sections(realm)[1]
        let (onQueue, onActor) = (ObservingActor(), ObservingActor())
        let tokens = [
            section.observe(on: DispatchQueue(label: "observed")) { change in
                let text = SectionLog.text(change)
                Task { await onQueue.add(text) }
            },
            await section.observe(on: onActor) { $0.add(SectionLog.text($1)) },
        ]
        var iterator = section.changes(keyPaths: ["name"]).makeAsyncIterator()
        #expect(
            await iterator.next(isolation: #isolation).map { SectionLog.text($0) } == "initial 1")
        #expect(await onQueue.next() == "initial 1")
        #expect(await onActor.next() == "initial 1")
        for (id, name) in [(3, "a"), (4, "b")] {
            try await Task.detached { try addItem(configuration, id, name) }.value
        }
        #expect(await iterator.next(isolation: #isolation).map { SectionLog.text($0) } == "+[1.1]")
        #expect(await onQueue.next() == "+[1.1]")
        #expect(await onActor.next() == "+[1.1]")
        for token in tokens { #expect(token.invalidate()) }
        realm.refresh()
        #expect(try realm.check().isEmpty)
        directory.delete()
    }
}

private func addItem(_ configuration: Realm.Configuration, _ id: Int, _ name: String) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(ObservedModels.Item(id: id, name: name, rank: id)) }
}

/// What observers of sections were told, as text: "initial 2" or "-[0.1] +[1.0] *[2.0] sections
/// -[0] +[1]", without what is empty.
final class SectionLog {
    private var entries: [String] = []

    /// What was told since the last time.
    func take() -> [String] {
        defer { entries = [] }
        return entries
    }

    func add<C: Collection>(_ change: SectionedResultsChange<C>) {
        entries.append(Self.text(change))
    }

    static func text<C: Collection>(_ change: SectionedResultsChange<C>) -> String {
        switch change {
        case .initial(let collection): return "initial \(collection.count)"
        case .update(
            _, let deletions, let insertions, let modifications, let sectionsToInsert,
            let sectionsToDelete):
            var parts: [String] = []
            for (sign, paths) in [("-", deletions), ("+", insertions), ("*", modifications)]
            where !paths.isEmpty {
                parts.append(
                    "\(sign)[\(paths.map { "\($0[0]).\($0[1])" }.joined(separator: ", "))]")
            }
            if !sectionsToInsert.isEmpty || !sectionsToDelete.isEmpty {
                parts.append("sections -\(Array(sectionsToDelete)) +\(Array(sectionsToInsert))")
            }
            return parts.joined(separator: " ")
        }
    }
}
