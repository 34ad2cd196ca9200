import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

private typealias Trip = CustomEmbedded.Trip
private typealias Visit = CustomEmbedded.Visit

/// Values of the program that are stored as embedded objects.
@Suite struct CustomEmbeddedTests {
    /// The live embedded object of a property.
    func record(_ trip: CustomEmbedded.Trip, _ name: String = "place") throws -> PlaceRecord {
        try #require(trip[name] as? PlaceRecord)
    }

    @Test func unmanaged() throws {
        let trip = Trip()
        #expect(
            trip.place == Place(0) && trip.stop == nil && trip.stops.isEmpty
                && trip.named.count == 0)
        trip.place = Place(1, 2)
        trip.place.latitude = 3
        trip.stop = Place(4)
        trip.stops.append(Place(5))
        trip.named["home"] = Place(6)
        trip.named["nowhere"] = .some(nil)
        #expect(trip.place == Place(3, 2) && trip.stop == Place(4) && trip.stops[0] == Place(5))
        #expect(trip.named["home"] == Place(6) && trip.named["nowhere"] == .some(nil))
        #expect((trip["place"] as? PlaceRecord)?.latitude == 3, "by name: what is stored")
        trip["place"] = ["latitude": 7]
        #expect(trip.place == Place(7))
        trip["place"] = PlaceRecord(value: [8])
        #expect(trip.place == Place(8))
        trip["stop"] = nil
        #expect(trip.stop == nil)
        #expect(
            trip.objectSchema["place"]?.type == .object
                && trip.objectSchema["place"]?.isOptional == false)
        #expect(
            trip.objectSchema["place"]?.objectClassName == "PlaceRecord"
                && trip.objectSchema["stop"]?.isOptional == true)
    }

    @Test func defaultsAreMadeWithTheObject() throws {
        let visit = Visit()
        #expect(visit.ticket.id == visit.ticket.id && visit.ticket.id != Visit().ticket.id)
        try withTemporaryRealm(CustomEmbedded.visits) { realm in
            let id = visit.ticket.id
            try realm.write { realm.add(visit) }
            #expect(visit.ticket.id == id && visit.ticket.place == Place(0))
        }
    }

    @Test func throughTheFile() throws {
        try withTemporaryRealm(CustomEmbedded.trips) { realm in
            let trip = Trip(
                1, Place(1, 2, tags: ["a", "b"]), stops: Place(3), Place(4, tags: ["c"]))
            trip.named["home"] = Place(5)
            trip.named["nowhere"] = .some(nil)
            try realm.write { realm.add(trip) }
            let found = try #require(realm.object(ofType: Trip.self, forPrimaryKey: 1))
            for trip in [trip, found] {
                #expect(trip.place == Place(1, 2, tags: ["a", "b"]) && trip.stop == nil)
                #expect(Array(trip.stops) == [Place(3), Place(4, tags: ["c"])])
                #expect(
                    trip.named["home"] == Place(5) && trip.named["nowhere"] == .some(nil)
                        && trip.named["none"] == nil)
            }
            let configuration = realm.configuration
            #expect(
                try onNewThread {
                    try Realm(configuration: configuration).object(
                        ofType: Trip.self, forPrimaryKey: 1)?.place
                } == Place(1, 2, tags: ["a", "b"]))
        }
    }

    @Test func assigningReplacesTheEmbeddedObject() throws {
        try withTemporaryRealm(CustomEmbedded.trips) { realm in
            let trip = Trip(1, Place(1), stop: Place(2))
            try realm.write { realm.add(trip) }
            let place = try record(trip), stop = try record(trip, "stop")
            try realm.write {
                trip.place = Place(3)
                #expect(place.isInvalidated && trip.place == Place(3))
                trip.place.longitude = 4
                #expect(trip.place == Place(3, 4))
                trip.stop = nil
                #expect(stop.isInvalidated && trip.stop == nil)
                trip.stop = trip.place
            }
            #expect(trip.stop == Place(3, 4) && trip.place == Place(3, 4))
            // The other way round: the value follows its object.
            try realm.write { try record(trip).latitude = 9 }
            #expect(trip.place == Place(9, 4) && trip.stop == Place(3, 4))
            try realm.write { realm.delete(try record(trip)) }
            #expect(
                trip["place"] == nil && trip.place == Place(0), "a nil link reads as a new object")
            try realm.write { trip.place = Place(5) }
            #expect(trip.place == Place(5))
            realm.beginWrite()
            trip.place = Place(6)
            trip.stops.append(Place(7))
            realm.cancelWrite()
            #expect(trip.place == Place(5) && trip.stops.isEmpty)
        }
    }

    @Test func cascades() throws {
        try withTemporaryRealm(CustomEmbedded.visits) { realm in
            let trip = Trip(1, Place(1, tags: ["x"]), stop: Place(2), stops: Place(3), Place(4))
            trip.named["home"] = Place(5)
            let visit = realm.create(trip: trip)
            let dynamic = try #require(
                realm.dynamicObject(ofType: "CustomEmbedded_Trip", forPrimaryKey: 1))
            let records =
                [try record(trip), try record(trip, "stop")] + Array(dynamic.dynamicList("stops"))
                as [ObjectBase]
            #expect(records.count == 4)
            let inner = try #require((visit["ticket"] as? TicketedRecord)?["place"] as? PlaceRecord)
            #expect(inner.latitude == 10)
            try realm.write { realm.delete(trip) }
            #expect(records.filter { !$0.isInvalidated }.isEmpty)
            #expect(visit.ticket.trip == nil && visit.ticket.place == Place(10))
            try realm.write { realm.delete(visit) }
            #expect(inner.isInvalidated)
        }
    }

    @Test func lists() throws {
        try withTemporaryRealm(CustomEmbedded.trips) { realm in
            let trip = Trip(1, Place(0), stops: Place(1), Place(2), Place(3))
            try realm.write { realm.add(trip) }
            let stops = trip.stops
            try realm.write {
                stops.append(Place(4))
                stops.insert(Place(5), at: 0)
                stops[1] = Place(6)
                stops[2].longitude = 7
                stops.remove(at: 3)
                stops.swapAt(0, 1)
                stops.move(from: 3, to: 0)
                stops.replaceSubrange(1..<2, with: [Place(8), Place(9)])
            }
            #expect(Array(stops) == [Place(4), Place(8), Place(9), Place(5), Place(2, 7)])
            #expect(
                stops.index(of: Place(9)) == 2 && stops.index(of: Place(1)) == nil
                    && stops.contains(Place(5)))
            #expect(
                stops.first == Place(4) && stops.last == Place(2, 7)
                    && stops.max(ofProperty: "latitude") == 9.0)
            #expect(stops.value(forKey: "latitude") as? [Double] == [4, 8, 9, 5, 2])
            try realm.write { stops.setValue(1.0, forKey: "longitude") }
            #expect(stops.map(\.longitude) == [1, 1, 1, 1, 1])
            #expect(trip.value(forKeyPath: "stops.@sum.longitude") as? Double == 5)
            var seen: [Double] = []
            try realm.write {
                for stop in stops {
                    seen.append(stop.latitude)
                    if stops.count > 2 { stops.removeLast() }
                }
            }
            #expect(seen == [4, 8, 9, 5, 2], "a loop goes on with the values that there were")
            try realm.write { trip.stops = trip.stops }
            #expect(Array(stops) == [Place(4, 1), Place(8, 1)])
            let other = Trip(2, Place(0))
            other.stops = stops
            #expect(Array(other.stops) == Array(stops) && other.stops != stops)
            other.stops.setValue(3.0, forKey: "longitude")
            #expect(Array(other.stops) == [Place(4, 3), Place(8, 3)])
            try realm.write {
                realm.add(other)
                stops.removeAll()
            }
            #expect(stops.isEmpty && other.stops.count == 2)
        }
    }

    @Test func resultsOfLists() throws {
        try withTemporaryRealm(CustomEmbedded.trips) { realm in
            let trip = Trip(1, Place(0), stops: Place(3), Place(1), Place(2))
            trip.named["b"] = Place(7)
            trip.named["a"] = Place(6)
            trip.named["c"] = .some(nil)
            try realm.write { realm.add(trip) }
            let sorted = trip.stops.sorted(byKeyPath: "latitude")
            #expect(Array(sorted) == [Place(1), Place(2), Place(3)])
            #expect(
                sorted[1] == Place(2) && sorted.first == Place(1) && sorted.last == Place(3)
                    && sorted.index(of: Place(3)) == 2)
            #expect(sorted.index(of: Place(9)) == nil && sorted.max(ofProperty: "latitude") == 3.0)
            let far = trip.stops.where { $0.persistableValue.latitude > 1 }
            #expect(Array(far) == [Place(3), Place(2)])
            #expect(trip.stops.index(matching: { $0.persistableValue.latitude == 2 }) == 2)
            var seen: [Double] = []
            try realm.write {
                for place in sorted {
                    seen.append(place.latitude)
                    trip.stops.removeAll()
                }
            }
            #expect(seen == [1, 2, 3] && sorted.isEmpty && far.isEmpty)
            #expect(
                trip.named.sorted(byKeyPath: "latitude", ascending: false).map(\.?.latitude) == [
                    7, 6,
                ])
        }
    }

    @Test func maps() throws {
        try withTemporaryRealm(CustomEmbedded.trips) { realm in
            let trip = Trip(1, Place(0))
            trip.named["home"] = Place(1)
            try realm.write {
                realm.add(trip)
                trip.named["work"] = Place(2)
                trip.named["home"] = Place(3)
                trip.named["nowhere"] = .some(nil)
                trip.named["gone"] = Place(4)
                trip.named.removeObject(for: "gone")
            }
            #expect(trip.named.keys.sorted() == ["home", "nowhere", "work"])
            #expect(
                trip.named["home"] == Place(3) && trip.named["work"] == Place(2)
                    && trip.named["nowhere"] == .some(nil))
            #expect(Set(trip.named.values.compactMap { $0?.latitude }) == [2, 3])
            try realm.write {
                trip.named["work"] = .some(nil)
                trip.named["nowhere"] = Place(5)
                trip.named.setValue(["latitude": 6], forKey: "home")
            }
            #expect(
                trip.named["work"] == .some(nil) && trip.named["nowhere"] == Place(5)
                    && trip.named["home"] == Place(6))
            try realm.write { trip.named.removeAll() }
        }
    }

    @Test func creating() throws {
        try withTemporaryRealm(CustomEmbedded.trips) { realm in
            try realm.write {
                realm.create(
                    Trip.self,
                    value: [
                        "id": 1, "place": ["latitude": 1, "tags": ["a"]], "stop": Place(2),
                        "stops": [[3], Place(4), ["latitude": 5]],
                        "named": ["a": ["latitude": 6], "b": Place(7), "c": NSNull()],
                    ] as [String: Any])
                realm.create(Trip.self, value: [2, [8, 9]])
                realm.create(Trip.self, value: ["id": 3])
            }
            let trips = Array(realm.objects(Trip.self))
            #expect(trips.map(\.place) == [Place(1, tags: ["a"]), Place(8, 9), Place(0)])
            #expect(
                trips[0].stop == Place(2)
                    && Array(trips[0].stops) == [Place(3), Place(4), Place(5)])
            #expect(
                trips[0].named["a"] == Place(6) && trips[0].named["b"] == Place(7)
                    && trips[0].named["c"] == .some(nil))
            #expect(trips[2]["place"] is PlaceRecord, "the default is stored")
            #expect(
                Trip(value: ["id": 4, "place": ["longitude": 1]] as [String: Any]).place
                    == Place(0, 1))
        }
    }

    /// As in Realm, null for one that is not optional is the default; lists refuse it.
    @Test func nullsInMaps() throws {
        let literal: [String: Any] = ["placeMap": ["a": NSNull(), "b": Place(2)]]
        #expect(ObjectShapes(value: literal).placeMap["a"] == Place(0))
        try withTemporaryRealm([
            ObjectShapes.self, ShapeTarget.self, PlaceRecord.self, SpanRecord.self,
            CustomEmbedded.Trip.self,
        ]) { realm in
            let shapes = try realm.write { realm.create(ObjectShapes.self, value: literal) }
            #expect(shapes.placeMap["a"] == Place(0) && shapes.placeMap["b"] == Place(2))
            try realm.write { shapes.placeMap.setValue(NSNull(), forKey: "b") }
            #expect(shapes.placeMap["b"] == Place(0))
            try realm.write { shapes.placeMap.setValue(nil, forKey: "b") }
            #expect(shapes.placeMap["b"] == nil && shapes.placeMap.count == 1)
        }
    }

    @Test func updating() throws {
        try withTemporaryRealm(CustomEmbedded.trips) { realm in
            let trip = Trip(1, Place(1), stop: Place(2), stops: Place(3))
            try realm.write { realm.add(trip) }
            let place = try record(trip), stop = try record(trip, "stop")
            try realm.write {
                // Only what is named, and of that only what differs.
                realm.create(
                    Trip.self,
                    value: ["id": 1, "place": ["latitude": 1], "stops": [[3]]] as [String: Any],
                    update: .modified)
                #expect(!place.isInvalidated && !stop.isInvalidated)
                realm.create(
                    Trip.self, value: ["id": 1, "place": ["latitude": 4]] as [String: Any],
                    update: .modified)
                #expect(place.latitude == 4 && !stop.isInvalidated && trip.place == Place(4))
            }
            let second = place
            try realm.write {
                realm.add(Trip(1, Place(4), stop: Place(2), stops: Place(3)), update: .modified)
                #expect(!second.isInvalidated && !stop.isInvalidated)
                realm.add(Trip(1, Place(4), stop: Place(5), stops: Place(6)), update: .modified)
                #expect(!second.isInvalidated && stop.latitude == 5)
            }
            #expect(trip.stop == Place(5) && Array(trip.stops) == [Place(6)])
            try realm.write { realm.add(Trip(1, Place(4)), update: .all) }
            #expect(
                second.isInvalidated && trip.place == Place(4) && trip.stop == nil
                    && trip.stops.isEmpty)
        }
    }

    @Test func copies() throws {
        try withTemporaryRealm(CustomEmbedded.visits) { realm in
            let trip = Trip(1, Place(1, tags: ["a"]), stop: Place(2), stops: Place(3))
            trip.named["home"] = Place(4)
            let visit = realm.create(trip: trip)
            try realm.write { visit.tickets.append(visit.ticket) }
            func expectSame(_ copy: Trip) {
                #expect(
                    copy.place == trip.place && copy.stop == trip.stop
                        && Array(copy.stops) == Array(trip.stops) && copy.named["home"] == Place(4))
            }
            let copy = Trip(value: trip)
            expectSame(copy)
            copy.id = 2
            let unmanagedRecord = PlaceRecord(value: try record(trip))
            #expect(Array(unmanagedRecord.tags) == ["a"])
            try realm.write { realm.add(copy) }
            expectSame(copy)
            #expect(!copy.isSameObject(as: trip) && Visit(value: visit).ticket.trip == trip)
            try withTemporaryRealm(CustomEmbedded.visits) { other in
                try other.write {
                    expectSame(other.create(Trip.self, value: trip))
                    // The trip that the ticket links to is copied once, and is that of the
                    // list's ticket, too.
                    let there = other.create(
                        Visit.self,
                        value: ["id": 3, "ticket": visit["ticket"] as Any] as [String: Any],
                        update: .modified)
                    #expect(
                        there.ticket.id == visit.ticket.id && there.ticket.place == Place(10)
                            && there.ticket.trip?.realm == other)
                    let whole = other.create(Trip.self, value: Trip(value: copy), update: .modified)
                    expectSame(whole)
                }
            }
        }
    }

    @Test func valuesThatLinkToTheirOwner() throws {
        try withTemporaryRealm(CustomEmbedded.visits) { realm in
            let trip = Trip(1, Place(1))
            let visit = Visit()
            visit.ticket.trip = trip
            visit.tickets.append(objectsIn: [visit.ticket, visit.ticket])
            try realm.write { realm.add(visit) }
            #expect(
                trip.realm != nil && visit.ticket.trip == trip
                    && visit.tickets.map(\.trip) == [trip, trip])
            #expect(realm.objects(Trip.self).count == 1)
            let record = try self.record(trip)
            #expect(Array(record.users) == [trip])
        }
    }

}

extension Realm {
    /// A visit whose ticket is of a place 10 and a trip.
    fileprivate func create(trip: Trip) -> Visit {
        let visit = Visit()
        visit.id = 1
        visit.ticket.place = Place(10)
        visit.ticket.trip = trip
        beginWrite()
        add(visit)
        try? commitWrite()
        return visit
    }
}
