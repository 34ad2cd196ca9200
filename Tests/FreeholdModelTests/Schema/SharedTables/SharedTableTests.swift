import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// Two classes that have one name in the file see the same objects.
@Suite struct SharedTableTests {
    typealias Pet = SharedModels.Pet
    typealias Beast = SharedModels.Beast
    typealias Holder = SharedModels.Holder
    typealias Card = SharedModels.Card
    typealias Ticket = SharedModels.Ticket

    private func withRealm(_ body: (Realm) throws -> Void) throws {
        try withTemporaryRealm(SharedModels.all, body)
    }

    @Test func bothSeeTheSameObjects() throws {
        try withRealm { realm in
            let (pet, beast) = try realm.write {
                (
                    realm.create(
                        Pet.self,
                        value: ["name": "Rex", "age": 5, "spot": ["Rome"]] as [String: Any]),
                    realm.create(Beast.self)
                )
            }
            #expect(
                realm.objects(Pet.self).map(\.name) == ["Rex", "beast"]
                    && realm.objects(Beast.self).map(\.label) == ["Rex", "beast"])
            let seen = try #require(realm.objects(Beast.self).where { $0.years == 5 }.first)
            #expect(
                seen.isSameObject(as: pet) && seen.place?.town == "Rome"
                    && seen["label"] as? String == "Rex" && seen.isSameObject(as: pet))
            try realm.write {
                seen.label = "Max"
                seen.place?.town = "Oslo"
                seen.friend = beast
            }
            #expect(
                pet.name == "Max" && pet.spot?.city == "Oslo"
                    && pet.friend?.isSameObject(as: beast) == true)
            #expect(
                realm.objects(Pet.self).filter("friend.name == 'beast' AND spot.city == 'Oslo'")
                    .count == 1)
            #expect(
                realm.objects(Beast.self).filter("friend.label == 'beast' AND place.town == 'Oslo'")
                    .count == 1)
            #expect(!realm.isEmpty)
        }
    }

    @Test func linksMakeObjectsOfTheirClass() throws {
        try withRealm { realm in
            let (pet, holder) = (Pet(value: ["name": "Rex"]), Holder())
            holder.pet = pet
            holder.pets.append(pet)
            try realm.write { realm.add(holder) }
            let beast = try #require(realm.objects(Beast.self).first)
            try realm.write {
                holder.beast = beast
                holder.beasts.insert(beast)
                holder.named["a"] = beast
                holder.anything = .object(beast)
            }
            #expect(
                holder.beast?.label == "Rex" && holder.pet?.name == "Rex"
                    && holder.pets[0].isSameObject(as: beast))
            #expect(
                holder.beasts.contains(beast) && holder.beasts.first?.label == "Rex"
                    && holder.named["a"]??.label == "Rex")
            // The file does not tell which of the classes it was: the first by name.
            #expect(
                holder.anything.object(Beast.self)?.label == "Rex"
                    && holder.anything.object(Pet.self) == nil)
            #expect(realm.objects(Holder.self).filter("anything == %@", pet).count == 1)
            #expect(
                pet.holders.count == 1 && pet.beastHolders.count == 1 && beast.setHolders.count == 1
                    && beast.petHolders[0].isSameObject(as: holder))
            #expect(
                realm.objects(Pet.self).filter(
                    "@links.SharedModels_Holder.beast.@count == 1 AND beastHolders.@count == 1"
                ).count == 1)
            // By name.
            #expect(
                holder.dynamicList("pets")[0].isSameObject(as: beast) && holder["beast"] is Beast
                    && holder["pet"] is Pet)
            let dynamic = try #require(realm.dynamicObjects("SharedModels_Pet").first)
            #expect(
                dynamic["name"] as? String == "Rex"
                    && realm.dynamicObjects("SharedModels_Beast").first?["label"] as? String
                        == "Rex"
            )
            try realm.write {
                holder["beast"] = dynamic
                holder.dynamicList("pets").append(
                    try #require(realm.dynamicObjects("SharedModels_Beast").first))
            }
            #expect(holder.beast?.isSameObject(as: pet) == true && holder.pets.count == 2)
        }
    }

    @Test func deletion() throws {
        try withRealm { realm in
            let holder = try realm.write { realm.create(Holder.self) }
            let (pet, other) = try realm.write {
                (realm.create(Pet.self, value: ["spot": ["Rome"]]), realm.create(Pet.self))
            }
            let beasts = realm.objects(Beast.self)
            try realm.write {
                holder.pet = pet
                holder.beasts.insert(objectsIn: beasts)
                realm.delete(beasts[0])
            }
            #expect(
                pet.isInvalidated && holder.pet == nil && holder.beasts.count == 1
                    && beasts.count == 1 && !other.isInvalidated)
            try realm.write { realm.delete([other, other.friend ?? beasts[0]]) }
            #expect(realm.objects(Pet.self).isEmpty)
            try realm.write {
                let chain = realm.create(
                    Card.self, value: ["next": ["next": [String: Any]()]] as [String: Any])
                #expect(realm.objects(Ticket.self).count == 3)
                realm.delete(
                    try #require(realm.object(ofType: Ticket.self, forPrimaryKey: chain.id)))
            }
            #expect(realm.objects(Card.self).isEmpty)
            try realm.write {
                realm.create(Card.self)
                realm.create(Beast.self)
                realm.deleteAll()
            }
            #expect(realm.isEmpty)
        }
    }

    @Test func primaryKeysAndCountersAreOneForBoth() throws {
        try withRealm { realm in
            try realm.write {
                #expect(
                    realm.create(Card.self).id == 1 && realm.create(Ticket.self).number == 2
                        && realm.create(Card.self).id == 3)
                realm.create(
                    Ticket.self, value: ["number": 2, "text": "changed"] as [String: Any],
                    update: .modified)
            }
            #expect(
                realm.object(ofType: Card.self, forPrimaryKey: 2)?.text == "changed"
                    && realm.objects(Card.self).count == 3)
            #expect(
                realm.object(ofType: Card.self, forPrimaryKey: 2)
                    !== realm.object(ofType: Card.self, forPrimaryKey: 1))
        }
    }

    /// The row of a cancelled transaction does not come back to life as another one, of
    /// whichever class that is.
    @Test func cancelledObjectsStayGone() throws {
        try withRealm { realm in
            realm.beginWrite()
            let ghost = realm.create(Pet.self)
            realm.cancelWrite()
            let beast = try realm.write { realm.create(Beast.self) }
            #expect(
                ghost.isInvalidated && !ghost.isSameObject(as: beast)
                    && realm.objects(Pet.self).count == 1)
        }
    }

    @Test func frozenAndReferred() throws {
        try withRealm { realm in
            let pet = try realm.write { realm.create(Pet.self, value: ["name": "Rex"]) }
            let frozen = realm.freeze()
            try realm.write { pet.name = "Max" }
            #expect(
                frozen.objects(Beast.self).first?.label == "Rex"
                    && frozen.objects(Pet.self).first?.name == "Rex")
            #expect(
                frozen.objects(Beast.self).first?.thaw()?.label == "Max"
                    && pet.freeze().name == "Max")
            let beast = try #require(realm.objects(Beast.self).first)
            #expect(realm.resolve(ThreadSafeReference(to: beast))?.label == "Max")
        }
    }

    @Test func copiesOfOtherRealms() throws {
        try withRealm { realm in
            let holder = try realm.write {
                let pet = realm.create(
                    Pet.self, value: ["name": "Rex", "spot": ["Rome"]] as [String: Any])
                let beast = try #require(realm.objects(Beast.self).first)
                realm.create(Card.self)
                return realm.create(
                    Holder.self,
                    value: ["pet": pet, "beast": beast, "pets": [pet]] as [String: Any])
            }
            try withTemporaryRealm(SharedModels.all) { other in
                // Of each class an object, as links need them.
                let copy = try other.write { other.create(Holder.self, value: holder) }
                #expect(
                    copy.pet?.name == "Rex" && copy.beast?.label == "Rex"
                        && copy.pet?.isSameObject(as: copy.pets[0]) == true)
            }
            try withTemporaryDirectory { directory in
                let configuration = Realm.Configuration(
                    fileURL: directory.file(), objectTypes: SharedModels.all)
                try realm.writeCopy(configuration: configuration)
                let merged = try Realm(configuration: configuration)
                let copy = try #require(merged.objects(Holder.self).first)
                #expect(merged.objects(Pet.self).count == 1 && merged.objects(Card.self).count == 1)
                #expect(
                    copy.beast?.place?.town == "Rome"
                        && copy.pet?.isSameObject(as: copy.beast) == true && copy.pets.count == 1)
                #expect(try merged.check().isEmpty)
            }
        }
    }

    @Test func schemasNameTheClasses() throws {
        try withRealm { realm in
            #expect(
                realm.schema.objectSchema.map(\.className) == [
                    "SharedModels_Beast", "SharedModels_Card", "SharedModels_Holder",
                    "SharedModels_Pet", "SharedModels_Place", "SharedModels_Spot",
                    "SharedModels_Ticket",
                ])
            #expect(
                realm.schema["SharedModels_Holder"]?["beast"]?.objectClassName
                    == "SharedModels_Beast" && realm.schema["Animal"] == nil)
            let pet = try realm.write { realm.create(Pet.self) }
            #expect(
                pet.description.hasPrefix("SharedModels_Pet {\n")
                    && pet.objectSchema.className == "SharedModels_Pet")
            #expect(realm.objects(Beast.self).description.contains("Results<SharedModels_Beast>"))
        }
    }

    /// A realm with only one of the classes has the same file.
    @Test func oneOfThemIsEnough() throws {
        try withTemporaryDirectory { directory in
            func with(_ types: [ObjectBase.Type], _ body: (Realm) throws -> Void) throws {
                let realm = try Realm(
                    configuration: Realm.Configuration(
                        fileURL: directory.file(), objectTypes: types))
                try body(realm)
                #expect(try realm.check().isEmpty)
            }
            try with([Card.self]) { realm in
                try realm.write { _ = realm.create(Card.self, value: ["text": "a"]) }
            }
            try with([Ticket.self]) { realm in
                #expect(realm.objects(Ticket.self).first?.text == "a")
            }
            try with([Ticket.self, Card.self]) { realm in
                #expect(realm.objects(Card.self).count == 1)
            }
        }
    }
}
