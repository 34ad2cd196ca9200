import Foundation
import Freehold

extension EverythingReader {
    /// Objects by their class, by their keys, by links and backlinks, typed and by name.
    func objects() throws {
        let realm = try open()
        for ship in realm.objects(Everything.Ship.self) { visit(ship, depth: 1) }
        budget = Self.most
        for sailor in realm.objects(Everything.Sailor.self) { visit(sailor, depth: 1) }
        budget = Self.most
        for thing in realm.objects(EveryType.Thing.self) { visit(thing, depth: 1) }
        for note in realm.objects(EveryType.Note.self) { visit(note, depth: 1) }
        for entry in realm.objects(Everything.Entry.self) { visit(entry, depth: 0) }
        for number in -1..<4 {
            touch(realm.object(ofType: Everything.Ship.self, forPrimaryKey: "ship \(number)"))
            touch(realm.object(ofType: EveryType.Thing.self, forPrimaryKey: number))
            touch(
                realm.object(
                    ofType: EveryType.Tag.self, forPrimaryKey: number < 0 ? nil : "tag\(number)"))
            touch(realm.object(ofType: Everything.Entry.self, forPrimaryKey: number))
        }
        sum &+= realm.isEmpty ? 1 : 0
    }

    func typed(_ ship: Everything.Ship) {
        sum &+=
            ship.name.utf8.count &+ ship.tonnage &+ ship.rank.rawValue.utf8.count
            &+ (ship.speed.value > 2 ? 1 : 0)
        sum &+=
            (ship.captain?.name.utf8.count ?? 0)
            &+ (ship.captain?.ship?.tender?.name.utf8.count ?? 0)
        sum &+=
            (ship.tender?.tonnage ?? 0) &+ (ship.cabin?.inner?.number ?? 0)
            &+ (ship.cabin?.shelves.first?.label.utf8.count ?? 0)
        for sailor in ship.crew.prefix(5) { sum &+= sailor.name.utf8.count &+ (sailor.age ?? 0) }
        for boat in ship.boats { sum &+= boat.name.utf8.count }
        for guest in ship.guests { sum &+= guest.name.utf8.count }
        for entry in ship.berths {
            sum &+= entry.key.utf8.count &+ (entry.value?.name.utf8.count ?? 0)
        }
        for (key, value) in ship.decks.asKeyValueSequence() {
            sum &+= key.utf8.count &+ (value?.number ?? 0) &+ (value?.title?.utf8.count ?? 0)
        }
        for cabin in ship.cabins { sum &+= cabin.number &+ (cabin.title?.utf8.count ?? 0) }
        for value in ship.claims {
            sum &+= value.object(Everything.Sailor.self)?.name.utf8.count ?? 1
        }
        for value in ship.hold {
            sum &+=
                value.object(Everything.Sailor.self)?.name.utf8.count ?? value.listValue?.count ?? 1
        }
        sum &+= ship.cargo.listValue?.first?.object(Everything.Sailor.self)?.name.utf8.count ?? 0
        sum &+= ship.cargo.listValue?.last?.stringValue?.utf8.count ?? 0
        sum &+= ship.log["nested"]?.dictionaryValue?["list"]?.listValue?.last?.dataValue?.count ?? 0
        for other in ship.mothers { sum &+= other.name.utf8.count }
        for other in ship.carriers { sum &+= other.name.utf8.count }
        for sailor in ship.sailors { sum &+= sailor.name.utf8.count }
    }

    func typed(_ sailor: Everything.Sailor) {
        sum &+=
            sailor.name.utf8.count &+ (sailor.age ?? 0)
            &+ (sailor.born.timeIntervalSinceReferenceDate > 0 ? 1 : 0)
        sum &+= sailor.ranks.reduce(0) { $0 + $1.rawValue.utf8.count }
        sum &+=
            (sailor.ship?.name.utf8.count ?? 0) &+ (sailor.friend?.friend?.name.utf8.count ?? 0)
            &+ (sailor.chest?.number ?? 0)
        for ships in [sailor.commands, sailor.crews, sailor.visits, sailor.berths] {
            sum &+= ships.count
            for ship in ships { sum &+= ship.name.utf8.count }
            sum &+= (ships.first?.name.utf8.count ?? 0) &+ (ships.last?.name.utf8.count ?? 0)
        }
    }

    func typed(_ cabin: Everything.Cabin) {
        sum &+=
            cabin.number &+ (cabin.title?.utf8.count ?? 0) &+ (cabin.guest?.name.utf8.count ?? 0)
            &+ (cabin.inner?.inner?.number ?? 0)
        for shelf in cabin.shelves {
            sum &+=
                shelf.label.utf8.count &+ shelf.bools.count
                &+ shelf.bytes.reduce(0) { $0 &+ Int($1) }
            sum &+=
                shelf.floats.filter { $0 == nil }.count &+ shelf.dates.count
                &+ shelf.datas.reduce(0) { $0 &+ ($1?.count ?? 0) }
            sum &+=
                shelf.decimals.map { "\($0)".utf8.count }.count
                &+ shelf.uuids.map(\.uuidString.utf8.count).count
            sum &+=
                shelf.ids.map(\.stringValue.utf8.count).count &+ shelf.numbers.keys.count
                &+ shelf.names.values.count
        }
    }

    func typed(_ thing: EveryType.Thing) {
        sum &+=
            thing.int &+ Int(thing.small) &+ (thing.bool ? 1 : 0) &+ (thing.float > 1 ? 1 : 0)
            &+ (thing.double > 1 ? 1 : 0)
        sum &+=
            thing.text.utf8.count &+ thing.data.count &+ thing.objectId.stringValue.utf8.count
            &+ thing.uuid.uuidString.utf8.count
        sum &+=
            (thing.date.timeIntervalSinceReferenceDate > 1 ? 1 : 0) &+ "\(thing.decimal)".utf8.count
            &+ (thing.optionalInt ?? 0)
        sum &+=
            (thing.optionalText?.utf8.count ?? 0) &+ (thing.optionalData?.count ?? 0)
            &+ (thing.optionalBool == true ? 1 : 0)
        sum &+=
            (thing.next?.next?.text.utf8.count ?? 0) &+ (thing.note?.thing?.text.utf8.count ?? 0)
            &+ (thing.place?.inner?.name.utf8.count ?? 0)
        for other in thing.things { sum &+= other.text.utf8.count }
        for other in thing.before { sum &+= other.text.utf8.count }
        for other in thing.containers { sum &+= other.text.utf8.count }
        for place in thing.places { sum &+= place.name.utf8.count }
        for tag in thing.tags { sum &+= tag.name?.utf8.count ?? 0 }
        for entry in thing.notes { sum &+= entry.value?.text.utf8.count ?? 0 }
        for value in thing.anys {
            sum &+=
                value.object(EveryType.Tag.self)?.name?.utf8.count ?? value.stringValue?.utf8.count
                ?? 0
        }
        sum &+=
            thing.ints.reduce(0) { $0 &+ $1 }
            &+ thing.texts.reduce(0) { $0 &+ ($1?.utf8.count ?? 0) }
        sum &+=
            thing.words.reduce(0) { $0 &+ $1.utf8.count } &+ (thing.numbers.contains(1) ? 1 : 0)
            &+ (thing.scores["a"] ?? 0)
    }

    /// By ``DynamicObject``.
    func dynamic() throws {
        let realm = try open()
        for name in ["Ship", "Sailor", "Thing", "Note", "Entry"] {
            budget = Self.most
            for object in realm.dynamicObjects(name) {
                for property in object.objectSchema.properties {
                    touch(object[property.name], depth: 0)
                }
                describe(object.description)
            }
        }
        let ships = realm.dynamicObjects("Ship")
        for ship in ships {
            touch((ship.captain as? ObjectBase)?["name"])
            for sailor in ship.dynamicList("crew") { touch(sailor["name"]) }
            for sailor in ship.dynamicMutableSet("guests") { touch(sailor.name) }
            let berths: Map<String, DynamicObject?> = ship.dynamicMap("berths")
            for entry in berths { touch(entry.value?["name"]) }
            touch((ship.cargo as? AnyRealmValue)?.dynamicObject?["name"])
            if let sailors = ship.sailors as? LinkingObjects<DynamicObject> {
                for sailor in sailors { touch(sailor["name"]) }
            }
            touch(ship.value(forKeyPath: "captain.ship.name"))
        }
        touch(ships.first?["name"])
        touch(ships.filter("captain.age > 3").map { $0["tonnage"] as? Int ?? 0 }.count)
        touch(realm.dynamicObject(ofType: "Ship", forPrimaryKey: "ship 1")?["tonnage"])
    }

    /// By names and key paths.
    func keyValues() throws {
        let realm = try open()
        let ships = realm.objects(Everything.Ship.self)
        for ship in ships {
            for path in [
                "captain.name", "captain.ship.captain.name", "cabin.inner.number", "crew.name",
                "crew.@count", "crew.@sum.age", "boats.captain.name", "guests.name",
            ] {
                touch(ship.value(forKeyPath: path), depth: 0)
            }
            touch(ship.value(forKey: "sailors"), depth: 0)
            touch(ship.crew.value(forKey: "name"), depth: 0)
            touch(ship.crew.value(forKeyPath: "ship.name"), depth: 0)
            touch(ship.berths.value(forKey: "berth 1"), depth: 0)
            touch(ship.guests.value(forKey: "name"), depth: 0)
            touch(ship.sailors.value(forKey: "name"), depth: 0)
        }
        touch(ships.value(forKey: "name"), depth: 0)
        for path in [
            "captain.name", "@count", "@max.tonnage", "@unionOfObjects.captain.name",
            "@distinctUnionOfArrays.crew",
        ] {
            touch(ships.value(forKeyPath: path), depth: 0)
        }
    }

    func projections() throws {
        let realm = try open()
        let views = realm.objects(Everything.ShipView.self)
        sum &+= views.count
        for view in views { read(view) }
        if let first = views.first { read(first) }
        if let last = views.last { read(last) }
        let ships = realm.objects(Everything.Ship.self)
        for ship in ships {
            let view = Everything.ShipView(projecting: ship)
            read(view.freeze())
            if let captain = ship.captain {
                for ship in captain.crews { read(Everything.ShipView(projecting: ship)) }
            }
            for boat in ship.boats { read(Everything.ShipView(projecting: boat)) }
        }
        for view in views.where({ $0.title != "none" }) { read(view) }
        for view in views.sorted(by: \.title) { read(view) }
    }

    private func read(_ view: Everything.ShipView) {
        sum &+=
            view.title.utf8.count &+ (view.master?.utf8.count ?? 0)
            &+ ((view.far ?? nil)?.utf8.count ?? 0) &+ (view.room?.number ?? 0)
        for name in view.names { sum &+= name.utf8.count }
        for position in 0..<view.tonnages.count { sum &+= view.tonnages[position] }
    }

    /// Descriptions, mirrors and JSON.
    func texts() throws {
        let realm = try open()
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "+", negativeInfinity: "-", nan: "?")
        for ship in chosen(1, of: Array(realm.objects(Everything.Ship.self))) {
            // Managed objects are encoded as copies.
            for cabin in ship.cabins {
                for shelf in cabin.shelves {
                    sum &+= try encoder.encode(Everything.Shelf(value: shelf)).count
                }
            }
            var dumped = ""
            dump(ship, to: &dumped, maxDepth: 3, maxItems: 60)
            sum &+= dumped.utf8.count
        }
        if let ship = realm.objects(Everything.Ship.self).last {
            let texts: [() -> String] = [
                { ship.crew.description }, { ship.guests.description }, { ship.berths.description },
                { ship.decks.description },
                { ship.cabins.description }, { ship.sailors.description }, { "\(ship.cargo)" },
                { ship.hold.description },
                { realm.objects(Everything.Sailor.self).description }, { ship.description },
                { String(reflecting: ship) },
                { realm.objects(EveryType.Thing.self).first?.description ?? "" },
            ]
            for text in chosen(1, of: texts) { describe(text()) }
        }
        for thing in realm.objects(EveryType.Thing.self).prefix(6) {
            sum &+=
                try encoder.encode(thing.ints).count &+ encoder.encode(thing.texts).count
                &+ encoder.encode(thing.words).count &+ encoder.encode(thing.scores).count
        }
    }
}
