import Foundation
import Freehold

extension EverythingReader {
    /// Observers of each kind, on a scheduler that is stepped here, beside a realm that writes.
    func observing() throws {
        let scheduler = ManualScheduler()
        let realm = try Realm(configuration: configuration, scheduler: scheduler)
        let writer = try open()
        var tokens: [NotificationToken] = [
            realm.observe { _, realm in self.sum &+= realm.isEmpty ? 1 : 0 }
        ]
        let ships = realm.objects(Everything.Ship.self)
        let sailors = realm.objects(Everything.Sailor.self)
        let sections = ships.sectioned(by: \.rank)
        tokens.append(ships.observe { self.read($0) })
        tokens.append(
            ships.observe(keyPaths: [
                "captain.name", "crew.age", "sailors.name", "cabin.inner.number", "boats.tonnage",
            ]) { self.read($0) })
        tokens.append(
            sailors.where { $0.ship.name == "ship 1" }.sorted(by: \.age).observe { self.read($0) })
        tokens.append(
            sections.observe { change in
                if case .update(let sections, _, _, _, _, _) = change {
                    for section in sections { for ship in section { self.touch(ship, depth: 0) } }
                }
            })
        for ship in ships.prefix(2) {
            tokens.append(
                ship.observe { (change: ObjectChange<Everything.Ship>) in self.read(change) })
            tokens.append(
                ship.observe(keyPaths: ["captain.name", "crew"]) {
                    (change: ObjectChange<Everything.Ship>) in self.read(change)
                })
            tokens.append(ship.crew.observe { self.read($0) })
            tokens.append(ship.boats.observe(keyPaths: ["captain.name"]) { self.read($0) })
            tokens.append(ship.guests.observe { self.read($0) })
            tokens.append(ship.sailors.observe { self.read($0) })
            tokens.append(ship.hold.observe { self.read($0) })
            tokens.append(
                ship.berths.observe { change in
                    if case .update(let map, _, let insertions, _) = change {
                        for key in insertions { self.touch(map[key] ?? nil) }
                    }
                })
            tokens.append(ship.decks.observe { _ in })
            if let list = ship.cargo.listValue { tokens.append(list.observe { self.read($0) }) }
            tokens.append(
                Everything.ShipView(projecting: ship).observe {
                    (change: ObjectChange<Everything.ShipView>) in self.read(change)
                })
        }
        let sectioned = SectionedListController(ships.sectioned(by: \.rank))
        tokens.append(sectioned.observe { _ in self.sum &+= sectioned.sectionKeys.count })
        let controller = ListController(sailors.sorted(by: \.age))
        tokens.append(controller.observe { _ in self.sum &+= controller.numberOfItems(in: 0) })
        deliver(realm, scheduler)
        defer {
            for token in tokens { token.invalidate() }
            deliver(realm, scheduler)
        }
        try writer.write {
            for ship in writer.objects(Everything.Ship.self).prefix(2) {
                ship.tonnage &+= 1
                ship.captain?.name += "!"
                if let first = ship.crew.first { ship.crew.append(first) }
                ship.hold.append(.int(7))
            }
        }
        deliver(realm, scheduler)
        try writer.write {
            for sailor in writer.objects(Everything.Sailor.self).prefix(3) { sailor.age = 77 }
            for ship in writer.objects(Everything.Ship.self).prefix(2) {
                ship.berths["new"] = ship.captain
                if ship.crew.count > 1 { ship.crew.remove(at: 0) }
                ship.guests.removeAll()
            }
        }
        deliver(realm, scheduler)
        for section in 0..<sectioned.numberOfSections {
            for ship in sectioned.objects(in: section).prefix(3) { touch(ship, depth: 0) }
        }
        for section in 0..<controller.numberOfSections {
            for sailor in controller.objects(in: section).prefix(3) { touch(sailor, depth: 0) }
        }
    }

    func deliver(_ realm: Realm, _ scheduler: ManualScheduler) {
        repeat {
            realm.waitForNotifier()
            scheduler.runAll()
            realm.waitForNotifier()
        } while scheduler.workCount > 0
    }

    private func read<Elements: RealmCollection>(_ change: RealmCollectionChange<Elements>) {
        switch change {
        case .initial(let elements): for element in elements.prefix(4) { touch(element, depth: 0) }
        case .update(let elements, _, let insertions, let modifications):
            let count = elements.count
            for position in (insertions + modifications).prefix(6) where position < count {
                touch(elements[position], depth: 0)
            }
        case .error: sum &+= 1
        }
    }

    private func read<Subject>(_ change: ObjectChange<Subject>) {
        guard case .change(_, let properties) = change else { return }
        for property in properties {
            touch(property.oldValue, depth: 0)
            touch(property.newValue, depth: 0)
        }
    }
}
