import Foundation
import Freehold

extension EverythingReader {
    /// Results of each kind.
    func results() throws {
        let realm = try open()
        let ships = realm.objects(Everything.Ship.self)
        let sailors = realm.objects(Everything.Sailor.self)
        let kinds = [
            ships, ships.sorted(by: \.tonnage), ships.sorted(byKeyPath: "captain.name"),
            ships.filter("tonnage >= 0"),
            ships.distinct(by: ["tonnage"]), ships.limit(3), ships.offset(1),
        ]
        for results in chosen(2, of: kinds) { try every(results, "name") }
        let others = [
            sailors, sailors.sorted(by: \.age), sailors.where { $0.age > 20 },
            sailors.distinct(by: ["ship.name"]),
        ]
        for results in chosen(1, of: others) { try every(results, "name") }
        try every(realm.objects(EveryType.Thing.self).sorted(by: \.text), "text")
        sum &+=
            (ships.sum(of: \.tonnage) as Int) &+ (ships.max(of: \.tonnage) ?? 0)
            &+ (ships.min(of: \.tonnage) ?? 0)
        sum &+= (ships.average(of: \.tonnage) as Int?) ?? 0
        let things = realm.objects(EveryType.Thing.self)
        let total: Double = things.sum(of: \.double)
        sum &+= total > 0 ? 1 : 0
        sum &+= things.max(of: \.date) == nil ? 1 : 0
        sum &+= ships.explain().description.utf8.count
    }

    /// Collections of objects that belong to objects, and those of values.
    func positions() throws {
        let realm = try open()
        for ship in realm.objects(Everything.Ship.self) {
            let parts: [() throws -> Void] = [
                { try self.every(ship.crew, "name") }, { try self.every(ship.boats, "name") },
                { try self.every(ship.cabins, "title") },
                { try self.every(ship.sailors, "name") }, { try self.every(ship.carriers, "name") },
                { try self.every(AnyRealmCollection(ship.crew), "name") },
                { self.unordered(ship.guests) },
                { self.entries(ship.berths) }, { self.entries(ship.decks) },
                { self.entries(ship.log) }, { self.values(ship.hold) },
                { self.unordered(ship.claims) },
                { if let list = ship.cargo.listValue { self.values(list, isSortable: false) } },
                {
                    self.sum &+=
                        ship.berths.filter("TRUEPREDICATE").count
                        &+ ship.berths.sorted(byKeyPath: "name").count
                },
            ]
            for part in chosen(4, of: parts) { try part() }
            if let shelf = ship.cabin?.shelves.first {
                for part in chosen(3, of: positions(of: shelf)) { part() }
            }
        }
        for sailor in realm.objects(Everything.Sailor.self).prefix(3) {
            for ships in chosen(
                1, of: [sailor.commands, sailor.crews, sailor.visits, sailor.berths])
            { try every(ships, "name") }
            values(sailor.ranks)
        }
        for thing in realm.objects(EveryType.Thing.self).prefix(4) {
            let parts: [() -> Void] = [
                { self.values(thing.ints) }, { self.values(thing.texts) },
                { self.values(thing.anys) }, { self.unordered(thing.words) },
                { self.unordered(thing.numbers) }, { self.entries(thing.scores) },
            ]
            for part in chosen(3, of: parts) { part() }
        }
    }

    private func positions(of shelf: Everything.Shelf) -> [() -> Void] {
        [
            { self.values(shelf.bools) }, { self.values(shelf.bytes) },
            { self.values(shelf.floats) }, { self.values(shelf.dates) },
            { self.values(shelf.datas) }, { self.values(shelf.decimals) },
            { self.unordered(shelf.uuids) }, { self.unordered(shelf.ids) },
            { self.entries(shelf.numbers) }, { self.entries(shelf.names) },
        ]
    }

    /// Uses an ordered collection of objects in each way.
    private func every<Elements: RealmCollection>(_ elements: Elements, _ property: String) throws
    where Elements.Element: ObjectBase {
        budget = 40
        ordered(elements)
        sum &+= try elements.index(matching: RealmPredicate("TRUEPREDICATE")) ?? 0
        try touch(elements.filter(RealmPredicate("\(property) != 'none'")).first)
        for object in elements.sorted(byKeyPath: property).prefix(3) { touch(object) }
        for object in elements.distinct(by: [property]).prefix(3) { touch(object) }
        for object in elements.limit(2) { touch(object, depth: 0) }
        for object in elements.offset(1).prefix(2) { touch(object, depth: 0) }
        touch(elements.value(forKey: property), depth: 0)
        touch(elements.value(forKeyPath: "@distinctUnionOfObjects.\(property)"), depth: 0)
        describe(elements.description)
        if let first = elements.first { sum &+= elements.index(of: first) ?? -1 }
        let frozen = elements.freeze()
        for object in frozen.prefix(3) { touch(object) }
        if frozen.count > 0 { touch(frozen[0]) }
        if let thawed = frozen.thaw() { for object in thawed.prefix(3) { touch(object) } }
    }

    private func ordered<Elements: RealmCollection>(_ elements: Elements) {
        let count = elements.count
        sum &+= elements.isEmpty ? 1 : 0
        touch(elements.first)
        touch(elements.last)
        for position in 0..<Swift.min(count, 8) { touch(elements[position], depth: 0) }
        if count > 8 {
            for position in [count / 2, count - 2, count - 1] {
                touch(elements[position], depth: 0)
            }
        }
        for element in elements { touch(element, depth: 0) }
        for element in elements.reversed().prefix(3) { touch(element, depth: 0) }
        for element in elements[0..<Swift.min(count, 3)] { touch(element, depth: 0) }
        for element in elements.objects(at: IndexSet(0..<Swift.min(count, 4))) {
            touch(element, depth: 0)
        }
        var iterator = elements.makeIterator()
        while let element = iterator.next(), budget > 0 { touch(element, depth: 0) }
    }

    private func values<Elements: RealmCollection>(_ elements: Elements, isSortable: Bool = true) {
        budget = 40
        ordered(elements)
        if let first = elements.first { sum &+= elements.index(of: first) ?? -1 }
        if let last = elements.last { sum &+= elements.index(of: last) ?? -1 }
        if isSortable {
            for element in elements.sorted(byKeyPath: "self").prefix(5) { touch(element, depth: 0) }
        }
        describe(elements.description)
        let frozen = elements.freeze()
        for element in frozen { touch(element, depth: 0) }
    }

    private func unordered<Element>(_ set: MutableSet<Element>) {
        let count = set.count
        for position in 0..<Swift.min(count, 8) { touch(set[position], depth: 0) }
        for element in set {
            touch(element, depth: 0)
            sum &+= set.contains(element) ? 1 : 0
        }
        sum &+= set.isSubset(of: set) && set.intersects(set) ? 1 : 0
        for element in set.freeze() { touch(element, depth: 0) }
        touch(set.value(forKey: "self"), depth: 0)
        describe(set.description)
    }

    private func entries<Value>(_ map: Map<String, Value>) {
        sum &+= map.count
        for key in map.keys { touch(map[key], depth: 0) }
        for value in map.values { touch(value, depth: 0) }
        for entry in map { sum &+= entry.key.utf8.count }
        for (key, value) in map.asKeyValueSequence() { touch(value, depth: key.isEmpty ? 0 : 1) }
        touch(map["none"])
        for entry in map.freeze() { touch(entry.value, depth: 0) }
        describe(map.description)
    }

    func queries() throws {
        let realm = try open()
        let ships = realm.objects(Everything.Ship.self)
        for condition in [
            "tonnage > 100", "name BEGINSWITH 'ship'", "captain.age > 20",
            "captain.ship.tender.tonnage >= 0", "cabin.title == nil", "cabin.inner.number < 0",
            "ANY crew.name CONTAINS 'sailor'", "ALL crew.age > 3", "NONE boats.tonnage == 7",
            "crew.@count > 3", "crew.@sum.age > 60", "crew.@max.age > 20", "ANY guests.age == nil",
            "ANY sailors.age > 20", "sailors.@count > 1", "ANY carriers.name == 'ship 1'",
            "SUBQUERY(crew, $s, $s.age > 20).@count > 0", "ANY cabins.shelves.label == 'shelf 100'",
            "cargo == 5", "ANY hold == 1", "log['number'] == 2", "ANY claims == 1",
        ] {
            let found = try ships.filter(RealmPredicate(condition))
            sum &+= found.count
            touch(found.first, depth: 0)
        }
        let sailors = realm.objects(Everything.Sailor.self)
        sum &+=
            sailors.filter("name TEXT 'brave'").count
            &+ sailors.where { $0.ship.name == "ship 1" }.count
            &+ sailors.where { $0.crews.tonnage > 3 }.count
        sum &+=
            sailors.where { $0.friend.friend.age > 3 }.count
            &+ sailors.filter("ANY berths.captain.age > 3").count
        if let ship = ships.first, let sailor = ship.captain {
            sum &+=
                sailors.where { $0.ship == ship }.count
                &+ ships.where { $0.captain == sailor }.count
                &+ ships.where { $0.crew.contains(sailor) }.count
            sum &+= ships.where { $0.cargo == .object(sailor) }.count
        }
        let things = realm.objects(EveryType.Thing.self)
        for condition in [
            "int > 3", "bool == true", "text == ''", "date > %@", "uuid != nil",
            "optionalText == nil", "next.int > 1", "ANY ints == 62", "scores['a'] == 5",
            "ANY things.note.number > 3", "place.floor == nil", "ANY tags.weight > 1",
            "before.@count > 0", "ANY containers.int > 2", "double > 1.5", "decimal > 3",
            "data != nil",
        ] {
            let found =
                try condition.contains("%@")
                ? things.filter(RealmPredicate(condition, Date(timeIntervalSinceReferenceDate: 5)))
                : things.filter(RealmPredicate(condition))
            sum &+= found.count
            touch(found.last, depth: 0)
        }
        sum &+= things.where { $0.any == .int(5) }.count
        for path in ["int", "text", "date", "decimal", "next.int", "note.text", "optionalDouble"] {
            touch(things.sorted(byKeyPath: path).first, depth: 0)
        }
        for path in ["bool", "text", "next.bool"] { sum &+= things.distinct(by: [path]).count }
    }

    func sections() throws {
        let realm = try open()
        let sections = realm.objects(Everything.Ship.self).sectioned(by: \.rank)
        sum &+= sections.allKeys.count
        for section in sections {
            for ship in section { touch(ship, depth: 0) }
            for position in section.indices { touch(section[position], depth: 0) }
        }
        for section in realm.objects(Everything.Sailor.self).sectioned(
            by: { $0.ship?.name ?? "" }, sortDescriptors: [SortDescriptor(keyPath: "ship.name")])
        {
            sum &+= section.key.utf8.count
            touch(section.first)
        }
        for ship in realm.objects(Everything.Ship.self) {
            for section in ship.crew.sectioned(by: \.name) { touch(section.first, depth: 0) }
            for section in ship.sailors.sectioned(by: \.age) { touch(section.last, depth: 0) }
        }
        let frozen = sections.freeze()
        for section in frozen { touch(section.first, depth: 0) }
        describe(sections.description)
    }

    // MARK: Elsewhere

    func frozen() throws {
        let realm = try open()
        let frozen = realm.freeze()
        for ship in frozen.objects(Everything.Ship.self) { visit(ship, depth: 1) }
        for ship in realm.objects(Everything.Ship.self) {
            let copy = ship.freeze()
            visit(copy, depth: 0)
            touch(copy.thaw())
            for sailor in ship.crew.freeze() { touch(sailor) }
            for sailor in ship.sailors.freeze() { touch(sailor.freeze()) }
            if let captain = ship.captain { sum &+= Frozen(captain).name.utf8.count }
            for boat in ship.boats { touch(boat.freeze(), depth: 0) }
        }
        let kept = Frozen(realm.objects(Everything.Sailor.self).sorted(by: \.age))
        for sailor in kept { sum &+= sailor.name.utf8.count &+ (sailor.ship?.name.utf8.count ?? 0) }
        for position in 0..<kept.count { sum &+= kept[position].name.utf8.count }
        sum &+= kept.where { $0.ship.name == "ship 2" }.count
    }

    func references() throws {
        let realm = try open()
        for ship in realm.objects(Everything.Ship.self) {
            touch(realm.resolve(ThreadSafeReference(to: ship)), depth: 0)
            if let crew = realm.resolve(ThreadSafeReference(to: ship.crew)) { loop(crew, depth: 0) }
            if let sailors = realm.resolve(ThreadSafeReference(to: ship.sailors)) {
                loop(sailors, depth: 0)
            }
            if let berths = realm.resolve(ThreadSafeReference(to: ship.berths)) {
                loop(map: berths, depth: 0)
            }
            for boat in ship.boats { touch(realm.resolve(ThreadSafeReference(to: boat)), depth: 0) }
            for sailor in ship.crew.prefix(3) {
                touch(ThreadSafe(wrappedValue: sailor).wrappedValue, depth: 0)
            }
            for cabin in ship.cabins {
                touch(realm.resolve(ThreadSafeReference(to: cabin)), depth: 0)
            }
        }
        let reference = ThreadSafeReference(
            to: realm.objects(Everything.Sailor.self).where { $0.age > 3 })
        if let sailors = realm.resolve(reference) { loop(sailors, depth: 0) }
    }

    /// What a realm shows that gave its version up.
    func invalidating() throws {
        let realm = try open()
        let ships = realm.objects(Everything.Ship.self)
        touch(ships.first)
        realm.invalidate()
        for ship in realm.objects(Everything.Ship.self) { touch(ship, depth: 0) }
        realm.invalidate()
        sum &+= realm.objects(EveryType.Thing.self).count
        realm.refresh()
        try realm.write { touch(realm.objects(Everything.Ship.self).last) }
    }
}
