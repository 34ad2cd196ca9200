import Dispatch
import Foundation
import Freehold
import FreeholdOpenCombine
import OpenCombine
import Testing

/// Each publisher of each kind of what can be observed: the table in `Docs/Compatibility.md`.
@Suite struct KindTests {
    /// What publishers sent, by their names.
    final class Record {
        private var entries: [String] = []
        var subscriptions: [AnyCancellable] = []

        func take() -> [String] {
            defer { entries = [] }
            return entries.sorted()
        }

        func add<P: Publisher>(
            _ name: String, _ publisher: P, _ text: @escaping (P.Output) -> String
        ) {
            subscriptions.append(
                publisher.sink(
                    receiveCompletion: { self.entries.append("\(name) \($0)") },
                    receiveValue: { self.entries.append("\(name) \(text($0))") }))
        }
    }

    private func text<C: Collection>(_ change: RealmCollectionChange<C>) -> String {
        switch change {
        case .initial(let collection): "initial \(collection.count)"
        case .update(let collection, let deletions, let insertions, let modifications):
            "\(collection.count) -\(deletions) +\(insertions) *\(modifications)"
        case .error(let error): "\(error)"
        }
    }

    private func text<M: RealmKeyedCollection>(_ change: RealmMapChange<M>) -> String {
        switch change {
        case .initial(let map): "initial \(map.count)"
        case .update(let map, let deletions, let insertions, let modifications):
            "\(map.count) -\(deletions) +\(insertions) *\(modifications)"
        case .error(let error): "\(error)"
        }
    }

    private func text<S: RealmSectionedResult>(_ change: SectionedResultsChange<S>) -> String {
        switch change {
        case .initial(let sections): "initial \(sections.count)"
        case .update(
            let sections, let deletions, let insertions, let modifications, let new, let old):
            """
            \(sections.count) -\(deletions.count) +\(insertions.count) \
            *\(modifications.count) new \(new.count) old \(old.count)
            """
        }
    }

    private func text<T>(_ change: ObjectChange<T>) -> String {
        if case .change(_, let properties) = change {
            properties.map(\.name).joined(separator: ",")
        } else {
            "\(change)"
        }
    }

    /// All publishers of a collection, by the protocol alone.
    private func addAll<C: RealmCollection>(_ collection: C, to record: Record) {
        record.add("value", valuePublisher(collection)) { "\($0.count)" }
        record.add("changes", changesetPublisher(collection)) { self.text($0) }
        record.add("collection", collection.collectionPublisher) { "\($0.count)" }
        record.add("changes of it", collection.changesetPublisher) { self.text($0) }
        record.add("will", collection.objectWillChange) { _ in "()" }
    }

    private func addAll<M: RealmKeyedCollection>(_ map: M, to record: Record) {
        record.add("value", valuePublisher(map)) { "\($0.count)" }
        record.add("changes", changesetPublisher(map)) { self.text($0) }
        record.add("collection", map.collectionPublisher) { "\($0.count)" }
        record.add("changes of it", map.changesetPublisher) { self.text($0) }
        record.add("will", map.objectWillChange) { _ in "()" }
    }

    private func addAll<S: RealmSectionedResult>(_ sections: S, to record: Record) {
        record.add("value", valuePublisher(sections)) { "\($0.count)" }
        record.add("changes", changesetPublisher(sections)) { self.text($0) }
        record.add("collection", sections.collectionPublisher) { "\($0.count)" }
        record.add("changes of it", sections.changesetPublisher) { self.text($0) }
        record.add("will", sections.objectWillChange) { _ in "()" }
    }

    /// Dog 1 with one puppy, dog 2, and more.
    private func withDogs(_ body: (Place, Dog, Record) throws -> Void) throws {
        try withPlace { place in
            try place.writer.write {
                let first = place.writer.create(
                    Dog.self, value: ["id": 1, "name": "a", "collar": ["size": 1]] as [String: Any])
                let second = place.writer.create(
                    Dog.self, value: ["id": 2, "name": "b"] as [String: Any])
                first.puppies.append(second)
                first.friends.insert(second)
                first.tricks["roll"] = 1
                first.kin["x"] = second
            }
            place.realm.refresh()
            let record = Record()
            try body(
                place, try #require(place.realm.object(ofType: Dog.self, forPrimaryKey: 1)), record)
        }
    }

    private func change(_ place: Place, _ body: (Dog, Dog) -> Void) throws {
        try place.writer.write {
            body(
                try #require(place.writer.object(ofType: Dog.self, forPrimaryKey: 1)),
                try #require(place.writer.object(ofType: Dog.self, forPrimaryKey: 2)))
        }
        place.deliver()
    }

    private func expectOfCollection(
        _ place: Place, _ record: Record, _ count: Int, after changed: (Dog, Dog) -> Void,
        _ update: String, _ newCount: Int
    ) throws {
        place.deliver()
        #expect(
            record.take() == [
                "changes initial \(count)", "changes of it initial \(count)", "collection \(count)",
                "value \(count)", "will ()",
            ])
        try change(place, changed)
        #expect(
            record.take() == [
                "changes \(newCount) \(update)", "changes of it \(newCount) \(update)",
                "collection \(newCount)", "value \(newCount)", "will ()",
            ])
    }

    @Test func results() throws {
        try withDogs { place, _, record in
            addAll(place.realm.objects(Dog.self), to: record)
            try expectOfCollection(
                place, record, 2,
                after: { first, _ in _ = first.realm?.create(Dog.self, value: ["id": 3]) },
                "-[] +[2] *[]", 3)
        }
    }

    @Test func anyCollections() throws {
        try withDogs { place, _, record in
            addAll(AnyRealmCollection(place.realm.objects(Dog.self)), to: record)
            try expectOfCollection(
                place, record, 2, after: { _, second in second.name = "B" }, "-[] +[] *[0, 1]", 2)
        }
    }

    @Test func lists() throws {
        try withDogs { place, dog, record in
            addAll(dog.puppies, to: record)
            try expectOfCollection(
                place, record, 1, after: { first, _ in first.puppies.removeAll() }, "-[0] +[] *[]",
                0)
        }
    }

    @Test func sets() throws {
        try withDogs { place, dog, record in
            addAll(dog.friends, to: record)
            try expectOfCollection(
                place, record, 1, after: { first, _ in first.friends.insert(first) },
                "-[] +[0] *[]", 2)
        }
    }

    @Test func linkingObjects() throws {
        try withDogs { place, _, record in
            addAll(
                try #require(place.realm.object(ofType: Dog.self, forPrimaryKey: 2)).parents,
                to: record)
            try expectOfCollection(
                place, record, 1, after: { first, _ in first.puppies.removeAll() }, "-[0] +[] *[]",
                0)
        }
    }

    @Test func maps() throws {
        try withDogs { place, dog, record in
            addAll(dog.tricks, to: record)
            try expectOfCollection(
                place, record, 1, after: { first, _ in first.tricks["sit"] = 2 },
                #"-[] +["sit"] *[]"#, 2)
        }
    }

    @Test func mapsOfObjects() throws {
        try withDogs { place, dog, record in
            addAll(dog.kin, to: record)
            try expectOfCollection(
                place, record, 1, after: { _, second in second.age = 9 }, #"-[] +[] *["x"]"#, 1)
        }
    }

    @Test func sectionsAndASection() throws {
        try withDogs { place, _, record in
            let sections = place.realm.objects(Dog.self).sectioned(by: \.name)
            addAll(sections, to: record)
            try expectOfCollection(
                place, record, 2,
                after: { first, _ in
                    _ = first.realm?.create(Dog.self, value: ["id": 3, "name": "c"])
                }, "-0 +1 *0 new 1 old 0", 3)
            record.subscriptions = []
            addAll(sections[0], to: record)
            try expectOfCollection(
                place, record, 1,
                after: { first, _ in
                    _ = first.realm?.create(Dog.self, value: ["id": 4, "name": "a"])
                }, "-0 +1 *0 new 0 old 0", 2)
            // What happens in another section is none of its business.
            try change(place) { first, _ in
                _ = first.realm?.create(Dog.self, value: ["id": 5, "name": "z"])
            }
            #expect(record.take() == [])
        }
    }

    // MARK: Objects

    private func expectOfObject(
        _ place: Place, _ record: Record, _ property: String, after changed: (Dog, Dog) -> Void,
        end: (Dog, Dog) -> Void
    ) throws {
        place.deliver()
        #expect(record.take() == [])
        try change(place, changed)
        #expect(
            record.take()
                == ["changes \(property)", "value", "will ()"].map {
                    $0 == "value" ? "value ()" : $0
                })
        try change(place, end)
        #expect(
            record.take() == ["changes finished", "value finished", "will ()", "will finished"])
        try change(place) { _, second in second.name = "later" }
        #expect(record.take() == [])
    }

    private func addAll<T: ObjectBase & ThreadConfined>(_ object: T, to record: Record) {
        record.add("value", valuePublisher(object)) { _ in "()" }
        record.add("changes", changesetPublisher(object)) { self.text($0) }
        record.add("will", object.objectWillChange) { _ in "()" }
    }

    @Test func objects() throws {
        try withDogs { place, _, record in
            try place.add(3)
            place.realm.refresh()
            addAll(try #require(place.realm.object(ofType: Dog.self, forPrimaryKey: 3)), to: record)
            func third(_ dog: Dog) -> Dog { dog.realm!.object(ofType: Dog.self, forPrimaryKey: 3)! }
            try expectOfObject(
                place, record, "name", after: { first, _ in third(first).name = "Rex" },
                end: { first, _ in first.realm!.delete(third(first)) })
        }
    }

    @Test func embeddedObjects() throws {
        try withDogs { place, dog, record in
            addAll(try #require(dog.collar), to: record)
            try expectOfObject(
                place, record, "size", after: { first, _ in first.collar?.size = 2 },
                end: { first, _ in first.collar = nil })
        }
    }

    final class Shown: Projection<Dog> {
        @Projected(\Dog.name) var title
    }

    @Test func projections() throws {
        try withDogs { place, _, record in
            try place.add(3)
            place.realm.refresh()
            let shown = Shown(
                projecting: try #require(place.realm.object(ofType: Dog.self, forPrimaryKey: 3)))
            record.add("value", valuePublisher(shown)) { _ in "()" }
            record.add("changes", changesetPublisher(shown)) { self.text($0) }
            record.add("will", shown.objectWillChange) { _ in "()" }
            func third(_ dog: Dog) -> Dog { dog.realm!.object(ofType: Dog.self, forPrimaryKey: 3)! }
            try expectOfObject(
                place, record, "title", after: { first, _ in third(first).name = "Rex" },
                end: { first, _ in first.realm!.delete(third(first)) })
        }
    }

    @Test func resultsOfProjections() throws {
        try withDogs { place, _, record in
            addAll(place.realm.objects(Shown.self), to: record)
            try expectOfCollection(
                place, record, 2,
                after: { first, _ in _ = first.realm?.create(Dog.self, value: ["id": 3]) },
                "-[] +[2] *[]", 3)
        }
    }

    @Test func realms() throws {
        try withDogs { place, _, record in
            record.add("will", place.realm.objectWillChange) { "()" }
            place.deliver()
            #expect(record.take() == [])
            try change(place) { first, _ in first.name = "Rex" }
            #expect(record.take() == ["will ()"])
        }
    }

    // MARK: Key paths

    @Test func keyPaths() throws {
        try withDogs { place, dog, record in
            let sections = place.realm.objects(Dog.self).sectioned(by: \.id)
            record.add("value", valuePublisher(dog, keyPaths: ["age"])) { _ in "()" }
            record.add("object", changesetPublisher(dog, keyPaths: ["age"])) { self.text($0) }
            record.add(
                "projection", changesetPublisher(Shown(projecting: dog), keyPaths: ["title"])
            ) { self.text($0) }
            record.add(
                "results", place.realm.objects(Dog.self).changesetPublisher(keyPaths: ["age"])
            ) { self.text($0) }
            record.add(
                "collection", place.realm.objects(Dog.self).collectionPublisher(keyPaths: ["age"])
            ) { _ in "()" }
            record.add("map", dog.kin.changesetPublisher(keyPaths: ["age"])) { self.text($0) }
            record.add("map value", valuePublisher(dog.kin, keyPaths: ["age"])) { _ in "()" }
            record.add("sections", sections.changesetPublisher(keyPaths: ["age"])) { self.text($0) }
            record.add("section", sections[1].changesetPublisher(keyPaths: ["age"])) {
                self.text($0)
            }
            place.deliver()
            _ = record.take()
            try change(place) { first, second in
                first.name = "A"
                second.name = "B"
            }
            #expect(record.take() == ["projection title"])
            try change(place) { first, second in
                first.age = 10
                second.age = 11
            }
            #expect(
                record.take() == [
                    "collection ()", "map 1 -[] +[] *[\"x\"]", "map value ()", "object age",
                    "results 2 -[] +[] *[0, 1]", "section 1 -0 +0 *1 new 0 old 0",
                    "sections 2 -0 +0 *2 new 0 old 0", "value ()",
                ])
        }
    }
}
