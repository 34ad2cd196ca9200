import Freehold
import FreeholdRealmTestSupport
import Testing

/// The policy `.modified` changes embedded objects in their places; `.all` replaces them.
@Suite struct EmbeddedUpdateTests {
    private typealias Person = Relationships.Person
    private typealias Address = Relationships.Address
    private typealias Building = Relationships.Building
    private typealias Room = Relationships.Room

    private static let types =
        Relationships.embedded + [
            Building.self, Relationships.Note.self, Relationships.Shipment.self,
        ]

    /// How an object comes to be updated with what another one says.
    enum Way: CaseIterable {
        case add, createFromObject, createFromDictionary
    }

    private func update(_ realm: Realm, _ person: Person, _ way: Way, _ policy: Realm.UpdatePolicy)
        throws
    {
        func literal(_ room: Room?) -> [String: Any?] {
            ["number": room?.number, "inner": room?.inner.map { literal($0) }]
        }
        try realm.write {
            switch way {
            case .add: realm.add(person, update: policy)
            case .createFromObject: realm.create(Person.self, value: person, update: policy)
            case .createFromDictionary:
                let home: [String: Any?]? = person.home.map {
                    ["city": $0.city, "code": $0.code, "room": $0.room.map { literal($0) }]
                }
                realm.create(
                    Person.self, value: ["id": person.id, "home": home] as [String: Any?],
                    update: policy)
            }
        }
    }

    @Test(arguments: Way.allCases)
    func propertiesAreChangedInPlace(_ way: Way) throws {
        try withTemporaryRealm(Self.types) { realm in
            try realm.write {
                realm.add(
                    Person(
                        id: 1,
                        home: Address(city: "Rome", room: Room(number: 1, inner: Room(number: 2)))))
            }
            let person = try #require(realm.objects(Person.self).first)
            let home = try #require(person.home), room = try #require(home.room),
                inner = try #require(room.inner)
            try update(
                realm,
                Person(
                    id: 1,
                    home: Address(city: "Oslo", room: Room(number: 3, inner: Room(number: 4)))),
                way, .modified)
            #expect(home.city == "Oslo" && room.number == 3 && inner.number == 4)
            #expect(
                person.home?.isSameObject(as: home) == true
                    && home.room?.isSameObject(as: room) == true)
            // What comes to be nil is deleted, and what was nil is new.
            try update(
                realm, Person(id: 1, home: Address(city: "Bern", room: Room(number: 5))), way,
                .modified)
            #expect(
                home.city == "Bern" && room.number == 5 && room.inner == nil && inner.isInvalidated)
            try update(
                realm,
                Person(
                    id: 1,
                    home: Address(city: "Bern", room: Room(number: 5, inner: Room(number: 6)))),
                way, .modified)
            #expect(room.inner?.number == 6)
            try update(realm, Person(id: 1), way, .modified)
            #expect(person.home == nil && home.isInvalidated && room.isInvalidated)
        }
    }

    @Test(arguments: Way.allCases)
    func allReplaces(_ way: Way) throws {
        try withTemporaryRealm(Self.types) { realm in
            try realm.write { realm.add(Person(id: 1, home: Address(city: "Rome"))) }
            let person = try #require(realm.objects(Person.self).first),
                home = try #require(person.home)
            try update(realm, Person(id: 1, home: Address(city: "Rome")), way, .all)
            #expect(home.isInvalidated && person.home?.city == "Rome")
        }
    }

    /// A literal's missing names keep what is there, at every depth, as those of the outermost
    /// object do.
    @Test func literalsChangeWhatTheyName() throws {
        try withTemporaryRealm(Self.types) { realm in
            let home = Address(city: "Rome", room: Room(number: 1, inner: Room(number: 2)))
            home.code = 7
            try realm.write {
                realm.add(Person(id: 1, home: home))
                realm.create(
                    Person.self,
                    value: [
                        "id": 1,
                        "home": ["city": "Oslo", "room": ["inner": ["number": 3]]] as [String: Any],
                    ], update: .modified)
            }
            #expect(
                home.city == "Oslo" && home.code == 7 && home.room?.number == 1
                    && home.room?.inner?.number == 3)
            try realm.write {
                realm.create(
                    Person.self, value: ["id": 1, "home": ["Bern"]] as [String: Any],
                    update: .modified)
            }
            #expect(home.city == "Bern" && home.code == 7)
            try realm.write {
                realm.create(
                    Person.self, value: ["id": 1, "home": ["city": "Oslo"]] as [String: Any],
                    update: .all)
            }
            #expect(home.isInvalidated && realm.objects(Person.self)[0].home?.code == nil)
        }
    }

    /// As Realm's lists: by position, with new ones at the end.
    @Test(arguments: [true, false])
    func lists(_ adds: Bool) throws {
        func update(_ realm: Realm, _ numbers: [Int], _ policy: Realm.UpdatePolicy = .modified)
            throws
        {
            try realm.write {
                if adds {
                    let building = Building(id: 1)
                    building.rooms.append(objectsIn: numbers.map { Room(number: $0) })
                    realm.add(building, update: policy)
                } else {
                    realm.create(
                        Building.self,
                        value: ["id": 1, "rooms": numbers.map { ["number": $0] }] as [String: Any],
                        update: policy)
                }
            }
        }
        try withTemporaryRealm(Self.types) { realm in
            try realm.write {
                realm.add(
                    Building(id: 1, rooms: Room(number: 1, inner: Room(number: 9)), Room(number: 2))
                )
            }
            let building = try #require(realm.objects(Building.self).first)
            let first = building.rooms[0], second = building.rooms[1]
            try update(realm, [5, 6, 7])
            #expect(
                first.number == 5 && second.number == 6
                    && building.rooms.map(\.number) == [5, 6, 7])
            #expect(
                first.inner?.number == (adds ? nil : 9), "A literal keeps what it does not name.")
            let third = building.rooms[2]
            try update(realm, [8])
            #expect(
                first.number == 8 && second.isInvalidated && third.isInvalidated
                    && building.rooms.count == 1)
            try update(realm, Array(0..<3000))
            #expect(first.number == 0 && building.rooms.map(\.number) == Array(0..<3000))
            let last = building.rooms[2999]
            try update(realm, Array(1...3000))
            #expect(last.number == 3000 && first.number == 1)
            try update(realm, [1], .all)
            #expect(first.isInvalidated && building.rooms.map(\.number) == [1])
            try update(realm, [])
            #expect(building.rooms.isEmpty)
        }
    }

    @Test(arguments: [true, false])
    func maps(_ adds: Bool) throws {
        func update(
            _ realm: Realm, _ numbers: [String: Int?], _ policy: Realm.UpdatePolicy = .modified
        ) throws {
            try realm.write {
                if adds {
                    let building = Building(id: 1)
                    for (key, number) in numbers {
                        building.named[key] = .some(number.map { Room(number: $0) })
                    }
                    realm.add(building, update: policy)
                } else {
                    let named: [String: [String: Int]?] = numbers.mapValues {
                        $0.map { ["number": $0] }
                    }
                    realm.create(
                        Building.self, value: ["id": 1, "named": named] as [String: Any],
                        update: policy)
                }
            }
        }
        try withTemporaryRealm(Self.types) { realm in
            try realm.write { realm.add(Building(id: 1)) }
            try update(realm, ["a": 1, "b": 2, "c": nil])
            let named = try #require(realm.objects(Building.self).first).named
            let a = try #require(named["a"] ?? nil), b = try #require(named["b"] ?? nil)
            try update(realm, ["a": 3, "c": 4, "d": 5, "e": nil])
            #expect(a.number == 3 && b.isInvalidated && named.keys == ["a", "c", "d", "e"])
            #expect(
                named["c"]??.number == 4 && named["d"]??.number == 5 && named["e"] == .some(nil))
            try update(realm, ["a": nil])
            #expect(a.isInvalidated && named.keys == ["a"] && named["a"] == .some(nil))
            try update(realm, ["a": 6], .all)
            #expect(named["a"]??.number == 6)
        }
    }

    /// An embedded object that stays is not replaced by one that has it already, and elements
    /// may change their places.
    @Test func objectsThatHaveTheirPlace() throws {
        try withTemporaryRealm(Self.types) { realm in
            try realm.write { realm.add(Building(id: 1, rooms: Room(number: 1), Room(number: 2))) }
            let building = try #require(realm.objects(Building.self).first),
                rooms = Array(building.rooms)
            try realm.write {
                realm.create(
                    Building.self, value: ["id": 1, "rooms": building.rooms] as [String: Any],
                    update: .modified)
            }
            #expect(
                rooms.map(\.number) == [1, 2]
                    && zip(building.rooms, rooms).allSatisfy { $0.isSameObject(as: $1) })
            try realm.write {
                realm.create(
                    Building.self,
                    value: ["id": 1, "rooms": Array(rooms.reversed())] as [String: Any],
                    update: .modified)
            }
            #expect(rooms.map(\.number) == [2, 1], "Realm's too: their values move, not they.")
        }
    }

    @Test func observersSeeTheProperties() throws {
        try withObservatory(Self.types) { place in
            try place.writer.write { place.writer.add(Person(id: 1, home: Address(city: "Rome"))) }
            place.realm.refresh()
            let log = ChangeLog()
            let home = try #require(place.realm.objects(Person.self).first?.home)
            let token = home.observe { change in
                guard case .change(_, let properties) = change else { return log.add("\(change)") }
                log.add(
                    properties.map {
                        "\($0.name): \($0.oldValue ?? "nil") -> \($0.newValue ?? "nil")"
                    }.joined(separator: ", "))
            }
            place.deliver()
            try place.writer.write {
                place.writer.add(Person(id: 1, home: Address(city: "Oslo")), update: .modified)
            }
            place.deliver()
            #expect(log.take() == ["city: Rome -> Oslo"])
            try place.writer.write {
                place.writer.add(Person(id: 1, home: Address(city: "Bern")), update: .all)
            }
            place.deliver()
            #expect(log.take() == ["deleted"])
            token.invalidate()
        }
    }

    enum OwnPlace: CaseIterable, Codable { case list, map, value }

    /// Realm's collections take no embedded object that has an owner, be it their own.
    @Test(arguments: OwnPlace.allCases)
    func assigningToItsOwnPlace(_ place: OwnPlace) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [place = place as OwnPlace] in
            try withTemporaryRealm(EmbeddedUpdateTests.types) { realm in
                try realm.write {
                    let building = realm.create(
                        Relationships.Building.self,
                        value: ["rooms": [[1]], "named": ["a": [2]]] as [String: Any])
                    switch place {
                    case .list: building.rooms[0] = building.rooms[0]
                    case .map: building.named["a"] = building.named["a"]
                    case .value: building.named.updateValue(building.named["a"] ?? nil, forKey: "a")
                    }
                }
            }
        }
        expectMessage(
            result,
            """
            Cannot add an existing managed embedded object to a \
            \(place == .list ? "List" : "Dictionary").
            """
        )
    }
}
