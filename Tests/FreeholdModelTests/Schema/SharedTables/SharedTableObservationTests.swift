import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Observation
import Testing

/// Changes through one class notify observers of the other classes of the same table.
@Suite struct SharedTableObservationTests {
    typealias Pet = SharedModels.Pet
    typealias Beast = SharedModels.Beast
    typealias Holder = SharedModels.Holder

    @Test func objectsAndCollections() throws {
        try withObservatory(SharedModels.all) { place in
            try place.writer.write {
                let pet = place.writer.create(Pet.self, value: ["name": "Rex"])
                place.writer.create(
                    Holder.self, value: ["pet": pet, "pets": [pet]] as [String: Any])
            }
            place.realm.refresh()
            let (object, pets, linked, any) = (ChangeLog(), ChangeLog(), ChangeLog(), ChangeLog())
            let holder = try #require(place.realm.objects(Holder.self).first)
            let tokens = [
                try #require(place.realm.objects(Pet.self).first).observe { object.add($0) },
                place.realm.objects(Pet.self).where { $0.name != "Max" }.observe { pets.add($0) },
                holder.pets.observe(keyPaths: ["name"]) { linked.add($0) },
                place.realm.objects(Holder.self).observe { any.add($0) },
            ]
            func take() -> [[String]] { [object.take(), pets.take(), linked.take(), any.take()] }
            place.deliver()
            #expect(take() == [[], ["initial 1"], ["initial 1"], ["initial 1"]])
            let beasts = place.writer.objects(Beast.self)
            try place.writer.write { beasts[0].label = "Ada" }
            place.deliver()
            #expect(
                take() == [
                    ["name: Rex -> Ada"], ["-[] +[] *[0]"], ["-[] +[] *[0]"], ["-[] +[] *[0]"],
                ])
            try place.writer.write {
                beasts[0].label = "Max"
                place.writer.create(Beast.self)
                try #require(place.writer.objects(Holder.self).first).anything = .object(beasts[0])
            }
            place.deliver()
            #expect(
                take() == [
                    ["name: Ada -> Max"], ["-[0] +[0] *[]"], ["-[] +[] *[0]"], ["-[] +[] *[0]"],
                ])
            // Behind an any value, too.
            try place.writer.write { beasts[0].years = 9 }
            place.deliver()
            #expect(take() == [["age: 1 -> 9"], [], [], ["-[] +[] *[0]"]])
            try place.writer.write { place.writer.delete(beasts[0]) }
            place.deliver()
            #expect(take() == [["deleted"], [], ["-[0] +[] *[]"], ["-[] +[] *[0]"]])
            tokens.forEach { $0.invalidate() }
        }
    }

    /// Properties without columns are those of their class, though another has as many in the
    /// same table.
    @Test func tracking() throws {
        try withObservatory(SharedModels.all) { place in
            try place.writer.write {
                place.writer.create(Holder.self)
                place.writer.create(Pet.self)
            }
            place.realm.refresh()
            let pet = try #require(place.realm.objects(Pet.self).first),
                beast = try #require(place.realm.objects(Beast.self).first)
            let fired = Locker<[String]>([])
            func track(_ name: String, _ read: () -> Void) {
                withObservationTracking(read) { fired.update { $0.append(name) } }
            }
            track("pet.holders") { _ = pet.holders.count }
            track("beast.setHolders") { _ = beast.setHolders.count }
            track("beast.label") { _ = beast.label }
            func change(_ body: (Holder, Pet, Beast) -> Void) throws {
                let writer = place.writer
                try writer.write {
                    body(
                        try #require(writer.objects(Holder.self).first),
                        try #require(writer.objects(Pet.self).first),
                        try #require(writer.objects(Beast.self).first))
                }
                place.deliver()
            }
            try change { holder, pet, _ in holder.pet = pet }
            #expect(fired.value == ["pet.holders"])
            try change { holder, _, beast in holder.beasts.insert(beast) }
            #expect(fired.value == ["pet.holders", "beast.setHolders"])
            try change { _, pet, _ in pet.name = "Ada" }
            #expect(fired.value == ["pet.holders", "beast.setHolders", "beast.label"])
        }
    }
}
