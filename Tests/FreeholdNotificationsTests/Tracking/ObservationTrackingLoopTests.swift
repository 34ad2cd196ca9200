import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import FreeholdTestSupport
import Observation
import Testing

/// On the main actor, as views do it.
@Suite struct ObservationTrackingLoopTests {
    typealias Dog = TrackedModels.Dog

    @MainActor private func withMainDog(
        _ body: @MainActor (Dog, Realm.Configuration) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: TrackedModels.all)
        let realm = try await Realm(configuration: configuration)
        let dog = try realm.write { realm.create(Dog.self, value: ["id": 1]) }
        try await body(dog, configuration)
        realm.refresh()
        #expect(try realm.check().isEmpty)
        directory.delete()
    }

    private nonisolated func rename(_ configuration: Realm.Configuration, _ name: String)
        async throws
    {
        try await Task.detached { try Self.renameHere(configuration, name) }.value
    }

    private static func renameHere(_ configuration: Realm.Configuration, _ name: String) throws {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.objects(Dog.self).first?.name = name }
    }

    @MainActor @Test func inALoop() async throws {
        try await withMainDog { dog, configuration in
            let told = ObservingActor()
            DogFollower(dog, told).follow()
            #expect(await told.next() == "")
            for name in ["Rex", "Max", "Bo"] {
                try await rename(configuration, name)
                #expect(await told.next() == name)
            }
            try dog.realm?.write { dog.name = "own" }
            #expect(await told.next() == "own")
            try await dog.realm?.asyncWrite { dog.name = "later" }
            #expect(await told.next() == "later")
        }
    }

    @MainActor @Test func asObservations() async throws {
        try await withMainDog { dog, configuration in
            let told = ObservingActor()
            let task = Task { @MainActor in
                for await name in Observations({ dog.name }) { await told.add(name) }
            }
            #expect(await told.next() == "")
            for name in ["Rex", "Max"] {
                try await rename(configuration, name)
                #expect(await told.next() == name)
            }
            task.cancel()
            await task.value
        }
    }

    @Test func onAnActor() async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: TrackedModels.all)
        let keeper = DogKeeper(), told = ObservingActor()
        try await keeper.follow(configuration, told)
        try await rename(configuration, "Rex")
        #expect(await told.next() == "changed")
        #expect(await keeper.name == "Rex")
        await keeper.close()
        directory.delete()
    }
}

/// Tracks a dog's name as a view does.
@MainActor private final class DogFollower {
    private let dog: TrackedModels.Dog
    private let told: ObservingActor

    init(_ dog: TrackedModels.Dog, _ told: ObservingActor) { (self.dog, self.told) = (dog, told) }

    func follow() {
        let name = withObservationTracking {
            dog.name
        } onChange: {
            Task { @MainActor in self.follow() }
        }
        Task { await told.add(name) }
    }
}

private actor DogKeeper {
    private var dog: TrackedModels.Dog?

    var name: String? { dog?.name }

    func follow(_ configuration: Realm.Configuration, _ told: ObservingActor) async throws {
        let realm = try await Realm.open(configuration: configuration)
        let dog = try realm.write { realm.create(TrackedModels.Dog.self, value: ["id": 1]) }
        self.dog = dog
        withObservationTracking {
            _ = dog.name
        } onChange: {
            Task { await told.add("changed") }
        }
    }

    func close() { dog = nil }
}
