import Freehold
import FreeholdOpenCombine
import OpenCombine
import Testing

@Suite struct KeyPathTests {
    /// Publishers of key paths publish what changes them, and nothing else.
    @Test func publishersOfKeyPaths() throws {
        try withPlace { place in
            try place.add(1)
            place.realm.refresh()
            let dog = try #require(place.realm.objects(Dog.self).first)
            let sections = place.realm.objects(Dog.self).sectioned(
                by: { $0.id % 2 }, sortDescriptors: ["id"])
            var (names, tricks, sectionNames, trickChanges, sectionChanges) = (0, 0, 0, 0, 0)
            let subscriptions = [
                place.realm.objects(Dog.self).collectionPublisher(keyPaths: ["name"]).sink(
                    receiveCompletion: { _ in }, receiveValue: { _ in names += 1 }),
                dog.tricks.collectionPublisher(keyPaths: nil).sink(
                    receiveCompletion: { _ in }, receiveValue: { _ in tricks += 1 }),
                sections.collectionPublisher(keyPaths: ["name"]).sink(
                    receiveCompletion: { _ in }, receiveValue: { _ in sectionNames += 1 }),
                dog.tricks.changesetPublisher(keyPaths: nil).sink { _ in trickChanges += 1 },
                sections.changesetPublisher(keyPaths: ["name"]).sink { _ in sectionChanges += 1 },
            ]
            place.deliver()
            #expect(
                [names, tricks, sectionNames, trickChanges, sectionChanges] == [1, 1, 1, 1, 1])
            try place.writer.write { place.writer.objects(Dog.self).first?.age = 20 }
            place.deliver()
            #expect(
                [names, tricks, sectionNames, trickChanges, sectionChanges] == [1, 1, 1, 1, 1])
            try place.writer.write { place.writer.objects(Dog.self).first?.name = "Rex" }
            place.deliver()
            #expect(
                [names, tricks, sectionNames, trickChanges, sectionChanges] == [2, 1, 2, 1, 2])
            try place.writer.write { place.writer.objects(Dog.self).first?.tricks["sit"] = 1 }
            place.deliver()
            #expect(
                [names, tricks, sectionNames, trickChanges, sectionChanges] == [2, 2, 2, 2, 2])
            withExtendedLifetime(subscriptions) {}
        }
    }
}
