import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import FreeholdTestSupport
import Observation
import Testing

enum TrackedModels {
    static let all: [ObjectBase.Type] = [Dog.self, Toy.self, Cat.self]

    final class Dog: Object, Observable {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var name = ""
        @Persisted var age = 0
        @Persisted var weight: Double?
        @Persisted var best: Toy?
        @Persisted var toys: List<Toy>
        @Persisted var marks: Map<String, Int>
        @Persisted var anything: AnyRealmValue

        convenience init(id: Int) {
            self.init()
            self.id = id
        }
    }

    final class Toy: Object, Observable {
        @Persisted var label = ""
        @Persisted(originProperty: "toys") var owners: LinkingObjects<Dog>
    }

    /// Not observable.
    final class Cat: Object {
        @Persisted var name = ""
        @Persisted var dog: Dog?
    }
}

/// What `withObservationTracking` told of, by name.
private final class Tracks: Sendable {
    private let fired = Locked<[String]>([])

    func track(_ name: String, _ read: () -> Void) {
        withObservationTracking(read) { self.fired.withLock { $0.append(name) } }
    }

    func take() -> [String] {
        fired.withLock { fired in
            defer { fired = [] }
            return fired.sorted()
        }
    }
}

/// Swift's Observation module sees the properties of managed objects.
@Suite struct ObservationTrackingTests {
    typealias Dog = TrackedModels.Dog
    typealias Toy = TrackedModels.Toy
    typealias Cat = TrackedModels.Cat

    private func fill(_ realm: Realm, _ ids: ClosedRange<Int>) throws {
        try realm.write { for id in ids { realm.add(Dog(id: id)) } }
    }

    private func dog(_ realm: Realm, _ id: Int) throws -> Dog {
        try #require(realm.object(ofType: Dog.self, forPrimaryKey: id))
    }

    /// Tracks each property of a dog.
    private func trackAll(_ tracks: Tracks, _ dog: Dog) {
        tracks.track("id") { _ = dog.id }
        tracks.track("name") { _ = dog.name }
        tracks.track("age") { _ = dog.age }
        tracks.track("weight") { _ = dog.weight }
        tracks.track("best") { _ = dog.best }
        tracks.track("toys") { _ = dog.toys.count }
        tracks.track("marks") { _ = dog.marks["a"] }
        tracks.track("anything") { _ = dog.anything }
        tracks.track("there") { _ = dog.isInvalidated }
    }

    @Test func exactlyWhatChangedElsewhere() throws {
        try withObservatory(TrackedModels.all) { place in
            try fill(place.writer, 1...3)
            place.realm.refresh()
            let first = try dog(place.realm, 1), tracks = Tracks()
            trackAll(tracks, first)
            func change(_ body: (Dog) throws -> Void) throws -> [String] {
                try place.writer.write { try body(try dog(place.writer, 1)) }
                place.deliver()
                return tracks.take()
            }
            #expect(try change { $0.name = "Rex" } == ["name"])
            #expect(try change { $0.name = "Max" } == [], "Once only.")
            #expect(
                try change {
                    $0.age = 3; $0.weight = 2.5
                } == ["age", "weight"])
            #expect(try change { _ in try dog(place.writer, 2).age = 4 } == [])
            #expect(
                try change {
                    $0.best = place.writer.create(Toy.self);
                    $0.toys.append(place.writer.create(Toy.self))
                } == ["best", "toys"])
            #expect(
                try change {
                    $0.marks["a"] = 1; $0.anything = .string("x")
                } == ["anything", "marks"])
            tracks.track("again") { _ = (first.name, first.age) }
            #expect(try change { _ in try dog(place.writer, 3).name = "other" } == [])
            #expect(try change { $0.age = 4 } == ["again"])
            #expect(try change { $0.name = "Bo" } == [])
            tracks.track("name") { _ = first.name }
            #expect(try change { place.writer.delete($0) } == ["id", "name", "there"])
        }
    }

    /// What is tracked and never changes keeps neither the file open nor a version in it.
    @Test(arguments: [false, true]) func aRealmThatTracksIsLetGoOf(isDelivered: Bool) throws {
        try withTemporaryDirectory { directory in
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: TrackedModels.all)
            let scheduler = ManualScheduler()
            let tracks = Tracks()
            do {
                let realm = try Realm(configuration: configuration, scheduler: scheduler)
                try realm.write { realm.add(Dog(id: 1)) }
                let dog = try self.dog(realm, 1)
                tracks.track("name") { _ = dog.name }
                if isDelivered {
                    try realm.write { realm.add(Dog(id: 2)) }
                    realm.waitForNotifier()
                    scheduler.runAll()
                }
            }
            scheduler.runAll()
            #expect(tracks.take() == [])
            #expect(try Realm.deleteFiles(for: configuration))
        }
    }

    @Test func ownChangesWhenTheyAreCommitted() throws {
        try withObservatory(TrackedModels.all) { place in
            try fill(place.realm, 1...2)
            let first = try dog(place.realm, 1), tracks = Tracks()
            tracks.track("name") { _ = first.name }
            tracks.track("age") { _ = first.age }
            try place.realm.write {
                first.name = "Rex"
                #expect(tracks.take() == [])
            }
            #expect(tracks.take() == ["name"])
            place.deliver()
            #expect(tracks.take() == [], "Nothing twice.")
            // What is undone was never there; unless it was read.
            tracks.track("name") { _ = first.name }
            place.realm.beginWrite()
            first.name = "Max"
            first.age = 5
            place.realm.cancelWrite()
            #expect(tracks.take() == [])
            place.realm.beginWrite()
            first.age = 5
            tracks.track("seen") { _ = first.age }
            place.realm.cancelWrite()
            #expect(tracks.take() == ["age", "seen"])
            // The realm does not move for its own writes when others' come with them.
            tracks.track("age") { _ = first.age }
            try place.writer.write { try dog(place.writer, 1).age = 9 }
            place.realm.beginWrite()
            #expect(tracks.take() == ["age"] && first.age == 9)
            place.realm.cancelWrite()
            tracks.track("age") { _ = first.age }
            try place.writer.write { try dog(place.writer, 1).age = 10 }
            #expect(tracks.take() == [])
            place.realm.refresh()
            #expect(tracks.take() == ["age"])
        }
    }

    @Test func linksBackAndWhatLinksLeadTo() throws {
        try withObservatory(TrackedModels.all) { place in
            try fill(place.writer, 1...2)
            try place.writer.write {
                try dog(place.writer, 1).toys.append(
                    place.writer.create(Toy.self, value: ["label": "ball"]))
                try dog(place.writer, 1).best = place.writer.objects(Toy.self).first
                _ = place.writer.create(Toy.self, value: ["label": "bone"])
            }
            place.realm.refresh()
            let tracks = Tracks(), toys = place.realm.objects(Toy.self),
                first = try dog(place.realm, 1)
            let (ball, bone) = (toys[0], toys[1])
            func trackAll() {
                tracks.track("ball") { _ = ball.owners.count }
                tracks.track("bone") { _ = bone.owners.count }
                tracks.track("best") { _ = first.best?.label }
                tracks.track("labels") { for toy in first.toys { _ = toy.label } }
            }
            trackAll()
            func change(_ body: () throws -> Void) throws -> [String] {
                try place.writer.write { try body() }
                place.deliver()
                return tracks.take()
            }
            let written = place.writer.objects(Toy.self)
            #expect(try change { try dog(place.writer, 2).toys.append(written[1]) } == ["bone"])
            #expect(try change { try dog(place.writer, 1).age = 1 } == [])
            #expect(try change { written[0].label = "stick" } == ["best", "labels"])
            trackAll()
            #expect(
                try change { try dog(place.writer, 1).toys.removeAll() } == [
                    "ball", "ball", "labels",
                ])
            trackAll()
            #expect(
                try change { place.writer.delete(try dog(place.writer, 2)) } == ["bone", "bone"])
        }
    }

    /// Random reads, tracked, and random changes by both realms, against what differs.
    @Test(arguments: [nil, 1, 2, 3] as [UInt64?]) func random(seed own: UInt64?) throws {
        var random = Seed.random(own)
        try withObservatory(TrackedModels.all) { place in
            try fill(place.writer, 0...19)
            place.realm.refresh()
            func values(_ realm: Realm, _ id: Int) -> [String: String] {
                guard let dog = realm.object(ofType: Dog.self, forPrimaryKey: id) else {
                    return [:]
                }
                return [
                    "name": dog.name, "age": "\(dog.age)",
                    "marks": "\(dog.marks.map { "\($0.key)\($0.value)" })",
                ]
            }
            let tracks = Tracks()
            var tracked: Set<String> = []
            for round in 0..<60 {
                for _ in 0..<10 {
                    let id = Int.random(in: 0..<20, using: &random)
                    guard let dog = place.realm.object(ofType: Dog.self, forPrimaryKey: id) else {
                        continue
                    }
                    let name = ["name", "age", "marks"].randomElement(using: &random)
                        .unsafelyUnwrapped
                    if !tracked.insert("\(id).\(name)").inserted { continue }
                    tracks.track("\(id).\(name)") {
                        switch name {
                        case "name": _ = dog.name
                        case "age": _ = dog.age
                        default: _ = dog.marks
                        }
                    }
                }
                let before = (0..<20).map { values(place.realm, $0) }
                let isOwn = Bool.random(using: &random)
                let realm = isOwn ? place.realm : place.writer
                if !isOwn { realm.refresh() }
                try realm.write {
                    for _ in 0..<Int.random(in: 1...4, using: &random) {
                        let id = Int.random(in: 0..<20, using: &random)
                        guard let dog = realm.object(ofType: Dog.self, forPrimaryKey: id) else {
                            realm.add(Dog(id: id))
                            continue
                        }
                        switch Int.random(in: 0..<8, using: &random) {
                        case 0: realm.delete(dog)
                        case 1...3: dog.name = "\(Int.random(in: 0..<3, using: &random))"
                        case 4...5: dog.age = Int.random(in: 0..<3, using: &random)
                        default:
                            dog.marks["\(Int.random(in: 0..<3, using: &random))"] = Int.random(
                                in: 0..<2, using: &random)
                        }
                    }
                }
                place.deliver()
                let after = (0..<20).map { values(place.realm, $0) }
                let expected = tracked.filter { name in
                    let parts = name.split(separator: ".")
                    let id = Int(parts[0]).unsafelyUnwrapped
                    return before[id][String(parts[1])] != after[id][String(parts[1])]
                }
                let told = tracks.take()
                #expect(Set(told) == expected && told.count == expected.count, "round \(round)")
                tracked.subtract(told)
            }
        }
    }

    @Test func otherObjectsAreNotTracked() throws {
        try withObservatory(TrackedModels.all) { place in
            try fill(place.realm, 1...1)
            try place.realm.write { _ = place.realm.create(Cat.self, value: ["name": "Tom"]) }
            let cat = try #require(place.realm.objects(Cat.self).first),
                frozen = try dog(place.realm, 1).freeze(), unmanaged = Dog(id: 7), tracks = Tracks()
            tracks.track("cat") { _ = cat.name }
            tracks.track("frozen") { _ = (frozen.name, frozen.isInvalidated) }
            tracks.track("unmanaged") { _ = (unmanaged.name, unmanaged.isInvalidated) }
            unmanaged.name = "x"
            try place.realm.write {
                cat.name = "Kit"
                try dog(place.realm, 1).name = "Rex"
                place.realm.add(unmanaged)
            }
            place.deliver()
            #expect(tracks.take() == [])
            // Once it is managed, it is.
            tracks.track("managed") { _ = unmanaged.name }
            try place.realm.write { unmanaged.name = "y" }
            #expect(tracks.take() == ["managed"])
        }
    }

    @Test func projectionsReadTheirObjects() throws {
        final class DogProjection: Projection<Dog> {
            @Projected(\Dog.name) var title
        }
        try withObservatory(TrackedModels.all) { place in
            try fill(place.realm, 1...1)
            let projection = DogProjection(projecting: try dog(place.realm, 1)), tracks = Tracks()
            tracks.track("title") { _ = projection.title }
            try place.realm.write { projection.title = "Rex" }
            #expect(tracks.take() == ["title"])
        }
    }

    /// What is told may read, track and write.
    @Test func whoIsToldMayUseTheRealm() throws {
        try withObservatory(TrackedModels.all) { place in
            try fill(place.realm, 1...2)
            let (first, second) = (try dog(place.realm, 1), try dog(place.realm, 2))
            let smuggled = Smuggled(value: (first, second)), names = Locked<[String]>([])
            @Sendable func follow() {
                withObservationTracking {
                    names.withLock { $0.append(smuggled.value.0.name) }
                } onChange: {
                    follow()
                }
            }
            follow()
            let tracks = Tracks()
            tracks.track("second") { _ = second.name }
            withObservationTracking {
                _ = first.age
            } onChange: {
                do {
                    try smuggled.value.0.realm?.write {
                        smuggled.value.1.name = "by \(smuggled.value.0.age)"
                    }
                } catch { Issue.record(error) }
            }
            for name in ["a", "b"] { try place.realm.write { first.name = name } }
            try place.realm.write { first.age = 5 }
            try place.writer.write { try dog(place.writer, 1).name = "c" }
            place.deliver()
            #expect(
                names.withLock { $0 } == ["", "a", "b", "c"] && tracks.take() == ["second"]
                    && second.name == "by 5")
        }
    }

    @Test func invalidatedRealms() throws {
        try withObservatory(TrackedModels.all) { place in
            try fill(place.realm, 1...1)
            let first = try dog(place.realm, 1), tracks = Tracks()
            tracks.track("name") { _ = first.name }
            tracks.track("there") { _ = first.isInvalidated }
            place.realm.invalidate()
            #expect(tracks.take() == ["name", "there"] && first.isInvalidated)
            let again = try dog(place.realm, 1)
            tracks.track("again") { _ = again.name }
            try place.writer.write { try dog(place.writer, 1).name = "Rex" }
            place.deliver()
            #expect(tracks.take() == ["again"])
        }
    }

    /// Above the limit, everything is told once and forgotten.
    @Test func manyProperties() throws {
        try withObservatory(TrackedModels.all) { place in
            try place.realm.write { for id in 0..<22_000 { place.realm.add(Dog(id: id)) } }
            let tracks = Tracks(), first = try dog(place.realm, 0),
                dogs = place.realm.objects(Dog.self)
            tracks.track("first") { _ = first.name }
            tracks.track("all") { for dog in dogs { _ = (dog.name, dog.age, dog.weight) } }
            try place.realm.write { dogs[1].best = place.realm.create(Toy.self) }
            #expect(tracks.take() == ["all", "first"])
            tracks.track("first") { _ = first.name }
            try place.realm.write { dogs[1].name = "x" }
            #expect(tracks.take() == [])
            try place.realm.write { first.name = "x" }
            #expect(tracks.take() == ["first"])
        }
    }

    @Test func onQueues() throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: TrackedModels.all)
        let queue = DispatchQueue(label: "tracking"), told = Channel<String>()
        let kept = Locked<Smuggled<(Realm, Dog)>?>(nil)
        try queue.sync {
            let realm = try Realm(configuration: configuration, queue: queue)
            let dog = try realm.write { realm.create(Dog.self, value: ["id": 1]) }
            kept.withLock { $0 = Smuggled(value: (realm, dog)) }
            withObservationTracking {
                _ = dog.name
            } onChange: {
                dispatchPrecondition(condition: .onQueue(queue))
                told.send("name")
            }
        }
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.objects(Dog.self).first?.name = "Rex" }
        #expect(told.next() == "name")
        queue.sync { kept.withLock { $0 = nil } }
        #expect(try realm.check().isEmpty)
        directory.delete()
    }
}
