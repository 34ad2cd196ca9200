import Foundation
import Freehold
import FreeholdStorage
import FreeholdTestSupport
import Observation

extension EverythingReader {
    /// Swift's Observation of what is read, beside a realm that writes.
    func tracking() throws {
        let scheduler = ManualScheduler()
        let realm = try Realm(configuration: configuration, scheduler: scheduler)
        let writer = try open()
        let told = Locked(0)
        for ship in realm.objects(Everything.Ship.self).prefix(4) {
            let parts: [() -> Void] = [
                { self.visit(ship, depth: 1) }, { self.loop(ship.crew, depth: 0) },
                { self.loop(ship.boats, depth: 0) },
                { self.loop(ship.guests, depth: 0) }, { self.loop(map: ship.berths, depth: 0) },
                { self.touch(ship.cargo) },
                { self.loop(ship.sailors, depth: 0) },
                { self.touch(ship.captain?.ship?.cabin?.inner, depth: 0) },
                { self.touch(ship.value(forKeyPath: "captain.friend.name"), depth: 0) },
            ]
            for part in chosen(3, of: parts) {
                withObservationTracking(part) { told.withLock { $0 += 1 } }
            }
        }
        deliver(realm, scheduler)
        try writer.write {
            for ship in writer.objects(Everything.Ship.self).prefix(4) {
                ship.tonnage &+= 1
                ship.captain?.name = "tracked"
                ship.cargo = .string("tracked")
                if ship.crew.count > 1 { ship.crew.removeLast() }
                ship.berths["tracked"] = ship.captain
            }
        }
        deliver(realm, scheduler)
        sum &+= told.withLock { $0 }
    }

    /// Conditions of places, and Foundation's predicates and orders.
    func placesAndPredicates() throws {
        let realm = try open()
        let ships = realm.objects(Everything.Ship.self)
        let sailors = realm.objects(Everything.Sailor.self)
        if let box = GeoBox(bottomLeft: (-5, -5), topRight: (40, 40)),
            let center = GeoPoint(latitude: 10, longitude: 3)
        {
            let found = ships.where { $0.home.geoWithin(box) }
            sum &+= found.count
            touch(found.last, depth: 0)
            if let radius = Distance.kilometers(900) {
                let near = ships.where {
                    $0.home.geoWithin(GeoCircle(center: center, radius: radius))
                }
                sum &+=
                    near.count
                    &+ ships.where {
                        $0.tender.home.geoWithin(GeoCircle(center: center, radius: radius))
                    }.count
                touch(near.freeze().first, depth: 0)
            }
        }
        for ship in ships.prefix(3) { touch(ship.home, depth: 1) }
        let parts: [() throws -> Void] = [
            {
                self.touch(
                    try ships.filter(
                        #Predicate<Everything.Ship> {
                            $0.tonnage > 50 && $0.name.starts(with: "ship")
                        }
                    ).first)
            },
            {
                self.touch(
                    try ships.filter(
                        #Predicate<Everything.Ship> { $0.captain?.name.contains("sailor") ?? false }
                    ).last)
            },
            {
                self.touch(
                    try ships.filter(
                        #Predicate<Everything.Ship> { $0.crew.contains { ($0.age ?? 0) > 20 } }
                    ).last)
            },
            {
                self.touch(
                    try ships.filter(
                        #Predicate<Everything.Ship> {
                            $0.boats.count > 0 || $0.tender?.tonnage == 7
                        }
                    ).first)
            },
            {
                self.sum &+=
                    try ships.index(
                        matching: #Predicate<Everything.Ship> { $0.cabin?.title == nil }) ?? -1
            },
            {
                self.touch(
                    try sailors.filter(
                        #Predicate<Everything.Sailor> { $0.friend?.friend?.age == nil }
                    ).last)
            },
            {
                self.touch(
                    try sailors.sorted(
                        using: Foundation.SortDescriptor(\Everything.Sailor.age, order: .reverse)
                    ).first)
            },
            {
                self.touch(
                    try sailors.sorted(using: [Foundation.SortDescriptor(\Everything.Sailor.name)])
                        .last)
            },
        ]
        for part in chosen(4, of: parts) { try part() }
    }
}
