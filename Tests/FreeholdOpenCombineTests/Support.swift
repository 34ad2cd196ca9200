import Foundation
import Freehold
import OpenCombine
import Testing

final class Dog: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var puppies: List<Dog>
    @Persisted var friends: MutableSet<Dog>
    @Persisted var tricks: Map<String, Int>
    @Persisted var kin: Map<String, Dog?>
    @Persisted var collar: Collar?
    @Persisted var best: Dog?
    @Persisted(originProperty: "puppies") var parents: LinkingObjects<Dog>

    convenience init(id: Int) {
        self.init()
        self.id = id
        name = "dog \(id)"
        age = id
    }
}

final class Collar: EmbeddedObject {
    @Persisted var size = 0
}

/// A file with a realm that publishes, on a scheduler that is stepped by hand, and one that writes.
final class Place {
    let scheduler = ManualScheduler()
    let realm: Realm
    let writer: Realm

    init(_ configuration: Realm.Configuration) throws {
        writer = try Realm(configuration: configuration)
        realm = try Realm(configuration: configuration, scheduler: scheduler)
    }

    func add(_ ids: Int...) throws {
        try writer.write { for id in ids { writer.add(Dog(id: id)) } }
    }

    /// Does everything that can be done, until nothing is on its way any more.
    func deliver() {
        repeat {
            realm.waitForNotifier()
            scheduler.runAll()
            realm.waitForNotifier()
        } while scheduler.workCount > 0
    }

    static func addHere(_ configuration: Realm.Configuration, _ id: Int) throws {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.add(Dog(id: id)) }
    }
}

private func temporaryConfiguration() throws -> (Realm.Configuration, URL) {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
        "FreeholdOpenCombine-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    return (
        Realm.Configuration(
            fileURL: directory.appendingPathComponent("test.realm"),
            objectTypes: [Dog.self, Collar.self]), directory
    )
}

/// Runs `body`, then verifies the file and deletes it.
func withPlace(_ body: (Place) throws -> Void) throws {
    let (configuration, directory) = try temporaryConfiguration()
    let place = try Place(configuration)
    try body(place)
    place.writer.refresh()
    let problems = try place.writer.check()
    #expect(problems.isEmpty, "The file is kept at \(directory.path).")
    if problems.isEmpty { try FileManager.default.removeItem(at: directory) }
}

/// As ``withPlace(_:)``, on the main actor.
@MainActor func withMainPlace(_ body: @MainActor (Realm, Realm.Configuration) async throws -> Void)
    async throws
{
    let (configuration, directory) = try temporaryConfiguration()
    let realm = try await Realm(configuration: configuration)
    try await body(realm, configuration)
    realm.refresh()
    let problems = try realm.check()
    #expect(problems.isEmpty, "The file is kept at \(directory.path).")
    if problems.isEmpty { try FileManager.default.removeItem(at: directory) }
}

final class Holder {
    var token: NotificationToken?
}

/// Demands what it is told to.
final class Patient<Input>: Subscriber {
    typealias Failure = Never

    var subscription: (any Subscription)?
    var receiving: (Input) -> Void = { _ in }
    var answer = Subscribers.Demand.none
    private(set) var values = 0

    func receive(subscription: any Subscription) { self.subscription = subscription }

    func receive(_ input: Input) -> Subscribers.Demand {
        values += 1
        receiving(input)
        return answer
    }

    func receive(completion: Subscribers.Completion<Never>) { Issue.record("There is no end.") }
}
