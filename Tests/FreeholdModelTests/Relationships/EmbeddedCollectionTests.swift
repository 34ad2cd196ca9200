import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

private typealias Building = Relationships.Building
private typealias Room = Relationships.Room

/// Lists and maps of embedded objects.
@Suite struct EmbeddedCollectionTests {
    private func withBuilding(_ body: (Realm, Building) throws -> Void) throws {
        try withTemporaryRealm(Relationships.collections) { realm in
            let building = Building(
                id: 1, rooms: Room(number: 1), Room(number: 2, inner: Room(number: 20)),
                Room(number: 3))
            building.named["attic"] = Room(number: 9)
            building.named["none"] = .some(nil)
            try realm.write { realm.add(building) }
            try body(realm, building)
        }
    }

    private func numbers(_ building: Building) -> [Int] { building.rooms.map(\.number) }

    @Test func listsOwnTheirElements() throws {
        try withBuilding { realm, building in
            #expect(numbers(building) == [1, 2, 3])
            let all = Array(building.rooms), inner = try #require(all[1].inner)
            try realm.write {
                building.rooms.remove(at: 0)
                #expect(all[0].isInvalidated)
                building.rooms[0] = Room(number: 4)
                #expect(all[1].isInvalidated && inner.isInvalidated && !all[2].isInvalidated)
                building.rooms.append(Room(number: 5))
                building.rooms.insert(Room(number: 6), at: 1)
                building.rooms.swapAt(0, 1)
                building.rooms.move(from: 0, to: 2)
                #expect(numbers(building) == [4, 3, 6, 5])
            }
            try realm.write { realm.delete(building.rooms[1]) }
            #expect(numbers(building) == [4, 6, 5])
            let last = building.rooms[2]
            try realm.write { building.rooms.replaceSubrange(0..<2, with: [Room(number: 7)]) }
            #expect(numbers(building) == [7, 5])
            try realm.write { building.rooms.removeAll() }
            #expect(last.isInvalidated)
            #expect(building.rooms.isEmpty)
        }
    }

    @Test func mapsOwnTheirValues() throws {
        try withBuilding { realm, building in
            let attic = try #require(building.named["attic"] ?? nil)
            try realm.write {
                #expect(!attic.isInvalidated)
                building.named["attic"] = Room(number: 10)
                #expect(attic.isInvalidated)
                building.named["none"] = Room(number: 11)
            }
            #expect((building.named["attic"] ?? nil)?.number == 10)
            let second = try #require(building.named["attic"] ?? nil),
                third = try #require(building.named["none"] ?? nil)
            try realm.write { building.named["attic"] = .some(nil) }
            #expect(second.isInvalidated && building.named.count == 2)
            try realm.write { building.named.removeObject(for: "none") }
            #expect(third.isInvalidated && building.named.count == 1)
            try realm.write { building.named["new"] = Room(number: 12) }
            try realm.write { building.named.removeAll() }
        }
    }

    @Test func theyGoWithTheOwner() throws {
        try withBuilding { realm, building in
            let all = Array(building.rooms) + [building.named["attic"] ?? nil].compactMap { $0 }
            #expect(all.count == 4)
            try realm.write { realm.delete(building) }
            #expect(all.filter { !$0.isInvalidated }.isEmpty)
        }
    }

    @Test func assigningAndUpdatingReplaces() throws {
        try withBuilding { realm, building in
            let first = building.rooms[0]
            try realm.write { building.rooms = building.rooms }
            #expect(!first.isInvalidated)
            try realm.write {
                realm.create(
                    Building.self,
                    value: ["id": 1, "rooms": [[7], ["number": 8]]] as [String: Any],
                    update: .modified)
            }
            #expect(first.number == 7, "changed in its place")
            #expect(numbers(building) == [7, 8])
            try realm.write { realm.add(Building(id: 1, rooms: Room(number: 5)), update: .all) }
            #expect(numbers(building) == [5])
            #expect(building.named.count == 0)
            try realm.write { building["rooms"] = [["number": 6]] }
            #expect(numbers(building) == [6])
        }
    }

    @Test func copies() throws {
        try withBuilding { realm, building in
            let copy = Building(value: building)
            copy.id = 2
            try realm.write { realm.add(copy) }
            #expect(numbers(copy) == [1, 2, 3])
            #expect(copy.rooms[1].inner?.number == 20)
            #expect((copy.named["attic"] ?? nil)?.number == 9)
            try realm.write { realm.delete(building) }
            #expect(numbers(copy) == [1, 2, 3])
            try withTemporaryRealm(Relationships.collections) { other in
                try other.write {
                    let there = other.create(Building.self, value: copy)
                    #expect(numbers(there) == [1, 2, 3])
                    #expect(there.named.count == 2)
                }
            }
        }
    }

    @Test func manyElements() throws {
        try withTemporaryRealm(Relationships.collections) { realm in
            let building = Building(id: 1)
            try realm.write {
                realm.add(building)
                for number in 0..<5_000 {
                    building.rooms.append(Room(number: number, inner: Room(number: -number)))
                }
                building.rooms.removeSubrange(1_000..<4_000)
            }
            #expect(building.rooms.count == 2_000 && building.rooms[1_000].inner?.number == -4_000)
            try realm.write { realm.delete(building) }
        }
    }

    @Test func frozenOnesStay() throws {
        try withBuilding { realm, building in
            let list = building.rooms.freeze(), values = Frozen(building.rooms),
                reference = ThreadSafeReference(to: building.rooms)
            let configuration = realm.configuration
            #expect(
                try onNewThread {
                    try Realm(configuration: configuration).resolve(reference)?.count
                } == 3)
            try realm.write { building.rooms.removeAll() }
            #expect(list.map(\.number) == [1, 2, 3])
            #expect(values.map { $0.number } == [1, 2, 3])
            #expect(values.first?.thaw() == nil)
            #expect(list.thaw()?.isEmpty == true)
        }
    }

    // MARK: Misuse

    @Test func addingOneThatIsInAList() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(Relationships.collections) { realm in
                let building = Relationships.Building(id: 1, rooms: Relationships.Room(number: 1))
                try realm.write {
                    realm.add(building)
                    building.rooms.append(building.rooms[0])
                }
            }
        }
        expectMessage(
            result, "Cannot add an existing managed embedded object to a List.",
            "add a copy, Room(value: object)")
    }

    @Test func addingOneOfAListToAMap() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(Relationships.collections) { realm in
                let building = Relationships.Building(id: 1, rooms: Relationships.Room(number: 1))
                try realm.write {
                    realm.add(building)
                    building.named["first"] = building.rooms[0]
                }
            }
        }
        expectMessage(result, "Cannot add an existing managed embedded object to a Dictionary.")
    }

    @Test func addingOneTwice() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(Relationships.collections) { realm in
                let room = Relationships.Room(number: 1)
                try realm.write { realm.add(Relationships.Building(id: 1, rooms: room, room)) }
            }
        }
        expectMessage(result, "Can't set link to existing managed embedded object")
    }
}
