import Foundation
import Freehold

// What is changed is computed with operators that cannot overflow: a damaged number may be any.

extension EverythingReader {
    func changingProperties() throws {
        let realm = try open()
        let before = realm.freeze()
        try realm.write {
            for ship in realm.objects(Everything.Ship.self).prefix(3) {
                ship.tonnage &+= 1
                ship.rank = ship.rank == .mate ? .captain : .mate
                ship.speed = Everything.Knots(persistedValue: 3)
                ship.captain = ship.crew.last
                ship.cabin = Everything.cabin(3)
                ship.cargo = .fromArray([ship.cargo, .int(1)])
                ship.cargo.listValue?.append(.string("more"))
                ship.setValue("named", forKeyPath: "captain.name")
                ship.tender?.tonnage = 4
                ship.captain?.ship = ship.tender
                ship["tonnage"] = 5
            }
            for sailor in realm.objects(Everything.Sailor.self).prefix(5) {
                sailor.name += "."
                sailor.age = sailor.age.map { $0 &+ 1 }
                sailor.friend = sailor.friend?.friend
                sailor.chest?.title = "changed"
                sailor.chest?.inner?.guest = sailor
            }
            for thing in realm.objects(EveryType.Thing.self).prefix(4) {
                thing.text = "written"
                thing.int = thing.int &+ 1
                thing.data = Data(repeating: 7, count: 5000)
                thing.note?.text = "written, the note"
                thing.next?.optionalText = nil
                thing.any = .string("written")
                thing.place?.inner = nil
                thing.date += 1
                thing.uuid = EveryType.uuid(99)
            }
            realm.objects(Everything.Sailor.self).setValue(33, forKey: "age")
        }
        for ship in before.objects(Everything.Ship.self) { touch(ship, depth: 0) }
        for ship in realm.objects(Everything.Ship.self) { touch(ship, depth: 0) }
    }

    func changingLists() throws {
        let realm = try open()
        try realm.write {
            for ship in realm.objects(Everything.Ship.self).prefix(4) {
                if let sailor = ship.crew.first { ship.crew.append(objectsIn: [sailor, sailor]) }
                if ship.crew.count > 2 { ship.crew.move(from: 0, to: 1) }
                if ship.crew.count > 2 { ship.crew.remove(at: 1) }
                if ship.crew.count > 1 { ship.crew.swapAt(0, 1) }
                if let sailor = ship.sailors.first { ship.crew.insert(sailor, at: 0) }
                if ship.crew.count > 0, let last = ship.crew.last { ship.crew[0] = last }
                if ship.boats.count > 0 { ship.boats.removeLast() }
                if ship.cabins.count > 1 { ship.cabins.removeSubrange(0..<1) }
                ship.cabins.append(Everything.cabin(9))
                if ship.hold.count > 0 { ship.hold[0] = .fromDictionary(["new": .object(ship)]) }
                ship.hold.append(.fromArray([.int(1)]))
                ship.hold.last?.listValue?.append(.int(2))
                if let shelf = ship.cabin?.shelves.first {
                    shelf.bytes.append(objectsIn: 0..<40)
                    shelf.bools.removeAll()
                    if shelf.floats.count > 0 { shelf.floats[0] = nil }
                }
                ship.cargo.listValue?.removeAll()
            }
            for thing in realm.objects(EveryType.Thing.self).prefix(4) {
                thing.ints.append(7)
                if thing.ints.count > 3 { thing.ints.remove(at: thing.ints.count - 2) }
                if thing.texts.count > 0 { thing.texts.removeFirst() }
                thing.things.append(thing)
                thing.anys.append(.object(thing))
            }
        }
        for ship in realm.objects(Everything.Ship.self) {
            for sailor in ship.crew { touch(sailor, depth: 0) }
        }
        try realm.write {
            for ship in realm.objects(Everything.Ship.self) {
                ship.crew.removeAll()
                ship.cabins.removeAll()
                ship.hold.removeAll()
            }
        }
    }

    /// Sets and maps.
    func changingOthers() throws {
        let realm = try open()
        try realm.write {
            for ship in realm.objects(Everything.Ship.self).prefix(4) {
                if let sailor = ship.guests.first(where: { _ in true }) {
                    ship.guests.remove(sailor)
                }
                if let sailor = ship.captain { ship.guests.insert(sailor) }
                ship.guests.insert(objectsIn: ship.sailors.prefix(2))
                ship.berths["new"] = ship.captain
                ship.berths["berth 0"] = .some(nil)
                ship.berths.removeObject(for: "berth 1")
                ship.decks["deck 0"] = Everything.cabin(8)
                ship.decks["deck 1"] = nil
                ship.decks["deck 2"]??.title = "changed"
                ship.log["nested"] = AnyRealmValue.none
                ship.log["more"] = .fromDictionary(["a": .fromArray([.object(ship)])])
                ship.log["more"]?.dictionaryValue?["b"] = .int(1)
                ship.claims.insert(.string("claim"))
                ship.claims.remove(.int(1))
                if let captain = ship.captain { ship.claims.remove(.object(captain)) }
                if let shelf = ship.cabin?.shelves.first {
                    shelf.uuids.insert(EveryType.uuid(5))
                    shelf.names["name"] = "other"
                    shelf.numbers.removeAll()
                }
            }
            for thing in realm.objects(EveryType.Thing.self).prefix(4) {
                thing.scores["written"] = 1
                thing.words.formUnion(thing.words)
                thing.numbers.remove(1)
                thing.tags.removeAll()
                thing.notes["note"] = thing.note
            }
        }
        try realm.write {
            for ship in realm.objects(Everything.Ship.self) {
                ship.guests.removeAll()
                ship.berths.removeAll()
                ship.decks.removeAll()
                ship.claims.removeAll()
            }
        }
    }

    func creating() throws {
        let realm = try open()
        try realm.write {
            Everything.fill(realm, 70..<71, salt: 1)
            EveryType.fill(realm, 5000..<5001, salt: 3)
            for ship in realm.objects(Everything.Ship.self).prefix(2) {
                realm.create(Everything.Ship.self, value: ship, update: .all)
                let copy = Everything.Ship(value: ship)
                copy.name = "copy"
                realm.add(copy, update: .modified)
                for sailor in ship.crew.prefix(2) {
                    realm.create(Everything.Sailor.self, value: sailor)
                }
                realm.create(
                    Everything.Entry.self,
                    value: ["ship": ship, "any": ship.cargo] as [String: Any])
            }
            realm.dynamicCreate(
                "Ship",
                value: ["name": "dynamic", "crew": Array(realm.dynamicObjects("Sailor").prefix(2))]
                    as [String: Any], update: .all)
        }
        let unmanaged = Everything.Ship()
        unmanaged.name = "unmanaged"
        unmanaged.crew.append(objectsIn: realm.objects(Everything.Sailor.self).prefix(2))
        try realm.write { realm.add(unmanaged, update: .all) }
        touch(unmanaged)
    }

    func deleting() throws {
        let realm = try open()
        try realm.write {
            if let thing = realm.objects(EveryType.Thing.self).last { realm.delete(thing) }
            realm.delete(realm.objects(EveryType.Note.self).where { $0.number == 2 })
            if let thing = realm.objects(EveryType.Thing.self).first { realm.delete(thing.things) }
            for ship in realm.objects(Everything.Ship.self).prefix(2) {
                realm.delete(ship.cabins)
                if let cabin = ship.cabin { realm.delete(cabin) }
                if let shelf = ship.decks["deck 0"]??.shelves.first { realm.delete(shelf) }
            }
        }
        // In a loop over what is deleted.
        try realm.write {
            for (number, entry) in realm.objects(Everything.Entry.self).enumerated()
            where number < 2 { realm.delete(entry) }
        }
        realm.beginWrite()
        realm.deleteAll()
        sum &+= realm.objects(Everything.Ship.self).count
        realm.cancelWrite()
        for ship in realm.objects(Everything.Ship.self) { touch(ship, depth: 0) }
    }

    func deletingByRules() throws {
        let realm = try open()
        for sailor in Array(realm.objects(Everything.Sailor.self).prefix(3)) {
            do { try realm.write { try realm.deleteChecked(sailor) } } catch { sum &+= 1 }
        }
        try realm.write {
            // Cascades over tenders and boats.
            if let ship = realm.object(ofType: Everything.Ship.self, forPrimaryKey: "ship 2") {
                realm.delete(ship)
            }
            if let ship = realm.objects(Everything.Ship.self).first(where: { !$0.boats.isEmpty }) {
                realm.delete(ship.boats)
            }
        }
        do {
            try realm.write { try realm.deleteChecked(realm.objects(Everything.Sailor.self)) }
        } catch { sum &+= 1 }
        for ship in realm.objects(Everything.Ship.self) { touch(ship, depth: 0) }
    }

    /// Beginning a transaction without `write`, which cannot throw.
    func writingWithoutThrowing() throws {
        let realm = try open()
        realm.beginWrite()
        for ship in realm.objects(Everything.Ship.self) { touch(ship, depth: 0) }
        realm.objects(Everything.Ship.self).first?.tonnage = 12
        realm.cancelWrite()
        realm.invalidate()
        realm.beginWrite()
        realm.create(Everything.Ship.self, value: ["name": "begun"], update: .modified)
        try realm.commitWrite()
    }

    func writingAsynchronously() throws {
        let scheduler = ManualScheduler()
        let realm = try Realm(configuration: configuration, scheduler: scheduler)
        var isDone = false
        realm.writeAsync(
            { realm.objects(Everything.Ship.self).first?.tonnage = 13 },
            onComplete: { _ in isDone = true })
        var tries = 0
        while !isDone, tries < 400 {
            tries += 1
            _ = scheduler.waitForWork(until: Date() + 0.05)
            scheduler.runAll()
        }
        for ship in realm.objects(Everything.Ship.self) { touch(ship, depth: 0) }
        precondition(isDone, "An asynchronous write did not complete in 20 seconds.")
    }

    // MARK: Files

    func copying() throws {
        let realm = try open()
        let file = place("copy")
        defer { remove(file) }
        try realm.writeCopy(toFile: file, encryptionKey: configuration.encryptionKey)
        var copied = configuration
        copied.fileURL = file
        sum &+= try Realm(configuration: copied).objects(Everything.Ship.self).count
        // Merged into what is there, or what is there merged into this.
        let merges = [
            { try realm.writeCopy(configuration: copied) },
            { try Realm(configuration: copied).writeCopy(configuration: self.configuration) },
        ]
        for merge in chosen(1, of: merges) { try merge() }
    }

    /// In a copy of the file, byte for byte.
    func migrating() throws {
        guard let original = configuration.fileURL else { return }
        for types in chosen(
            1, of: [configuration.objectTypes ?? [], EverythingMigrated.objectTypes])
        {
            let file = place("migrated")
            defer { remove(file) }
            try FileManager.default.copyItem(at: original, to: file)
            var migrated = configuration
            migrated.fileURL = file
            migrated.objectTypes = types
            migrated.schemaVersion = 1
            let describes = describes
            migrated.migrationBlock = { migration, _ in
                var descriptions = describes ? 2 : 0
                for schema in migration.oldSchema.objectSchema where !schema.isEmbedded {
                    migration.enumerateObjects(ofType: schema.className) { old, new in
                        for property in old?.objectSchema.properties ?? [] {
                            let value = old?[property.name]
                            let isDeep =
                                property.type == .object || property.type == .any
                                || property.isArray || property.isSet || property.isMap
                            if isDeep, descriptions == 0 { continue }
                            if isDeep { descriptions -= 1 }
                            if !(value is Date) { _ = String(describing: value).utf8.count }
                        }
                        if schema.className == "Sailor" { new?["name"] = "migrated" }
                        if schema.className == "Note", let new { migration.delete(new) }
                    }
                }
                if types.count < 5 { migration.deleteData(forType: "Cabin") }
            }
            let realm = try Realm(configuration: migrated)
            for schema in realm.schema.objectSchema {
                for object in realm.dynamicObjects(schema.className).prefix(3) {
                    touch(object, depth: 0)
                }
            }
            _ = try realm.check()
        }
    }

    func compacting() throws {
        let realm = try open()
        sum &+= try realm.compact()
        for ship in realm.objects(Everything.Ship.self) { touch(ship, depth: 0) }
        try realm.write { realm.objects(Everything.Ship.self).first?.tonnage = 14 }
    }

    func readingOnly() throws {
        if !reopens { return }
        var configuration = configuration
        configuration.readOnly = true
        let realm = try Realm(configuration: configuration)
        // A file that is read only may lack classes, which cannot be used then: an empty one
        // has none.
        if realm.schema["Ship"] != nil {
            for ship in realm.objects(Everything.Ship.self) { visit(ship, depth: 1) }
        }
        _ = try realm.check()
    }

    func checking() throws {
        let realm = try open()
        sum &+= try realm.check().count
        try realm.write { realm.objects(Everything.Ship.self).first?.tonnage = 15 }
        sum &+= try realm.check().count
        sum &+= try realm.versionReport().description.utf8.count
    }
}
