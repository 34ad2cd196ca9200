import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@Suite struct FetchDescriptorTests {
    @Test func eachPart() throws {
        try withItems(50) { fixture in
            var descriptor = FetchDescriptor<ResultsItem>()
            #expect(try fixture.realm.fetch(descriptor).map(\.id) == fixture.plain.map(\.id))
            descriptor.predicate = #Predicate { $0.age > 4 }
            descriptor.sortBy = [SortDescriptor(\.age, order: .reverse), SortDescriptor(\.id)]
            descriptor.fetchOffset = 3
            descriptor.fetchLimit = 7
            let sorted = fixture.plain.filter { $0.age > 4 }.sorted {
                ($1.age, $0.id) < ($0.age, $1.id)
            }
            let expected = sorted.dropFirst(3).prefix(7).map(\.id)
            let fetched = try fixture.realm.fetch(descriptor)
            #expect(fetched.map(\.id) == expected)
            #expect(try fixture.realm.fetchCount(descriptor) == expected.count)
            descriptor.fetchLimit = nil
            #expect(try fixture.realm.fetchCount(descriptor) == max(0, sorted.count - 3))
            try fixture.realm.write { fixture.realm.deleteAll() }
            #expect(fetched.isEmpty)
        }
    }

    @Test func whatIsWrongWithAnOrderIsSaidWhenItIsCounted() throws {
        try withItems(1) { fixture in
            let descriptor = FetchDescriptor<ResultsItem>(sortBy: [SortDescriptor(\.description)])
            #expect(throws: FoundationPredicateError.self) {
                try fixture.realm.fetchCount(descriptor)
            }
        }
    }

    private actor Kennel: ModelActor {
        let modelExecutor: ModelExecutor
        init(_ configuration: Realm.Configuration) { modelExecutor = ModelExecutor(configuration) }
        func ages(_ descriptor: FetchDescriptor<Fixture.Dog>) throws -> [Int] {
            try fetch(descriptor).map(\.age)
        }
    }

    @Test func modelActors() async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        let kennel = Kennel(configuration)
        try await kennel.transaction { realm in
            for age in 0..<10 {
                realm.create(Fixture.Dog.self, value: ["name": "dog", "age": age] as [String: Any])
            }
        }
        let old = FetchDescriptor<Fixture.Dog>(
            predicate: #Predicate { $0.age >= 5 }, sortBy: [SortDescriptor(\.age, order: .reverse)],
            fetchLimit: 3)
        #expect(try await kennel.ages(old) == [9, 8, 7])
        #expect(try await kennel.fetch(old) { $0.age } == [9, 8, 7])
        #expect(try await kennel.count(old) == 3)
        #expect(try await kennel.remove(old) == 3)
        #expect(
            try await kennel.fetch(
                FetchDescriptor<Fixture.Dog>(sortBy: [SortDescriptor(\.age)], fetchOffset: 5)
            ) { $0.age } == [5, 6])
        try onNewThread { try expectSound(configuration) }
        directory.delete()
    }
}
