import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

private typealias Trip = CustomEmbedded.Trip
private typealias Visit = CustomEmbedded.Visit

extension CustomEmbeddedTests {
    @Test func frozenAndReferred() throws {
        try withTemporaryRealm(CustomEmbedded.trips) { realm in
            let trip = Trip(1, Place(1), stop: Place(2), stops: Place(3))
            trip.named["home"] = Place(4)
            try realm.write { realm.add(trip) }
            let frozen = trip.freeze(), value = Frozen(trip), stops = Frozen(trip.stops),
                list = trip.stops.freeze()
            let sorted = trip.stops.sorted(byKeyPath: "latitude").freeze()
            let reference = ThreadSafeReference(to: trip.stops)
            let configuration = realm.configuration
            #expect(
                try onNewThread {
                    try Realm(configuration: configuration).resolve(reference)?.first
                } == Place(3))
            try realm.write {
                trip.place = Place(5)
                trip.stop = nil
                trip.stops.removeAll()
                trip.named.removeAll()
            }
            #expect(
                frozen.place == Place(1) && frozen.stop == Place(2)
                    && frozen.named["home"] == Place(4))
            #expect(Array(list) == [Place(3)] && Array(sorted) == [Place(3)])
            let elsewhere = try onNewThread { (value.place, value.stop, Array(stops.elements)) }
            #expect(elsewhere.0 == Place(1) && elsewhere.1 == Place(2) && elsewhere.2 == [Place(3)])
            #expect(frozen.thaw()?.place == Place(5) && list.thaw()?.isEmpty == true)
        }
    }

    @Test func dynamicObjects() throws {
        try withTemporaryRealm(CustomEmbedded.trips) { realm in
            let trip = Trip(1, Place(1), stop: Place(2), stops: Place(3))
            try realm.write { realm.add(trip) }
            let object = try #require(
                realm.dynamicObject(ofType: "CustomEmbedded_Trip", forPrimaryKey: 1))
            #expect((object["place"] as? PlaceRecord)?["latitude"] as? Double == 1)
            #expect(object.dynamicList("stops").first?["latitude"] as? Double == 3)
            try realm.write {
                (object["place"] as? PlaceRecord)?["latitude"] = 4.0
                object["stop"] = ["latitude": 5]
                object.dynamicList("stops")[0]["latitude"] = 6.0
            }
            #expect(trip.place == Place(4) && trip.stop == Place(5) && trip.stops[0] == Place(6))
            try realm.write {
                object["place"] = object["stop"]
                object["stop"] = Place(7)
                let made = realm.dynamicCreate(
                    "CustomEmbedded_Trip",
                    value: ["id": 2, "place": ["latitude": 8]] as [String: Any])
                #expect((made["place"] as? PlaceRecord)?["latitude"] as? Double == 8)
                trip.setValue(9.0, forKeyPath: "place.longitude")
            }
            #expect(
                trip.place == Place(5, 9) && trip.stop == Place(7)
                    && trip.value(forKeyPath: "place.latitude") as? Double == 5)
            let unmanaged = Trip(3, Place(1))
            unmanaged.setValue(2.0, forKeyPath: "place.longitude")
            #expect(unmanaged.place == Place(1, 2))
        }
    }

    @Test func queriesAndSorting() throws {
        try withTemporaryRealm(CustomEmbedded.trips) { realm in
            try realm.write {
                for id in 0..<5 {
                    realm.add(
                        Trip(id, Place(Double(id)), stop: id % 2 == 0 ? Place(Double(-id)) : nil))
                }
            }
            let trips = realm.objects(Trip.self)
            #expect(trips.where { $0.place.persistableValue.latitude > 3 }.map(\.id) == [4])
            #expect(trips.where { $0.stop.persistableValue.latitude < -1 }.map(\.id) == [2, 4])
            #expect(trips.where { $0.stop == nil }.map(\.id) == [1, 3])
            #expect(
                trips.sorted(byKeyPath: "place.latitude", ascending: false).map(\.id) == [
                    4, 3, 2, 1, 0,
                ])
        }
    }

    @Test func comparisonMemberByMember() throws {
        try withTemporaryRealm(CustomEmbedded.trips + [CustomEmbedded.Day.self, SpanRecord.self]) {
            realm in
            try realm.write {
                for id in 0..<6 {
                    let day = realm.create(CustomEmbedded.Day.self, value: ["id": id])
                    day.open = Span(id % 3, 10)
                    day.pause = id % 2 == 0 ? Span(4, 5 + id) : nil
                    day.spans.append(objectsIn: [Span(0, id + 1), Span(id, 9)])
                    if id > 1 { day.named["a"] = id == 2 ? .some(nil) : Span(1, id) }
                }
                realm.add(Trip(1, Place(1)))
                realm.add(Trip(2, Place(1, 2), stop: Place(0)))
                realm.add(Trip(3, Place(1, tags: ["a"])))
            }
            let days = realm.objects(CustomEmbedded.Day.self)
            func expect(
                _ ids: [Int], _ typed: Results<CustomEmbedded.Day>,
                _ string: Results<CustomEmbedded.Day>, location: SourceLocation = #_sourceLocation
            ) {
                #expect(typed.map(\.id) == ids && string.map(\.id) == ids, sourceLocation: location)
            }
            expect(
                [1, 4], days.where { $0.open == Span(1, 10) },
                days.filter("open == %@", Span(1, 10)))
            expect(
                [0, 2, 3, 5], days.where { $0.open != Span(1, 10) },
                days.filter("open != %@", Span(1, 10)))
            expect(
                [], days.where { $0.open == Span(1, 11) }, days.filter("open == %@", Span(1, 11)))
            expect(
                [2], days.where { $0.pause == Span(4, 7) }, days.filter("pause == %@", Span(4, 7)))
            // Nil differs from every value.
            expect(
                [0, 1, 3, 4, 5], days.where { $0.pause != Span(4, 7) },
                days.filter("pause != %@", Span(4, 7)))
            expect(
                [0, 1, 3, 5], days.where { $0.pause.in([nil, Span(4, 5)]) },
                days.filter("pause IN %@", [nil, Span(4, 5)]))
            // One element has both members, and not one of them each.
            expect(
                [3], days.where { $0.spans == Span(0, 4) },
                days.filter("ANY spans == %@", Span(0, 4)))
            expect(
                [], days.where { $0.spans.contains(Span(3, 4)) },
                days.filter("%@ IN spans", Span(3, 4)))
            expect(
                [0, 1, 2, 4, 5], days.where { !($0.spans == Span(0, 4)) },
                days.filter("NONE spans == %@", Span(0, 4)))
            expect(
                [4], days.where { $0.named["a"] == Span(1, 4) },
                days.filter("named['a'] == %@", Span(1, 4)))
            expect(
                [0, 1, 2, 3, 5], days.where { $0.named["a"] != Span(1, 4) },
                days.filter("named['a'] != %@", Span(1, 4)))
            // An empty collection is a member like others.
            #expect(realm.objects(Trip.self).where { $0.place == Place(1) }.map(\.id) == [1])
            #expect(realm.objects(Trip.self).where { $0.stop == Place(0) }.map(\.id) == [2])
            let list = List<CustomEmbedded.Day>()
            list.append(
                objectsIn: (0..<3).map { id in
                    let day = CustomEmbedded.Day()
                    day.open = Span(id, 10)
                    return day
                })
            #expect(list.index(matching: { $0.open == Span(2, 10) }) == 2)
        }
    }

    @Test func comparisonWithElementsInMembersEndsTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(CustomEmbedded.trips) { realm in
                _ = realm.objects(CustomEmbedded.Trip.self).where {
                    $0.place == Place(1, tags: ["a"])
                }
            }
        }
        expectMessage(
            result,
            """
            Unsupported property 'PlaceRecord.tags' for memberwise equality query: \
            equality on collections is not implemented.
            """
        )
    }

    @Test func json() throws {
        let trip = Trip(1, Place(1, 2, tags: ["a"]), stops: Place(3))
        trip.named["home"] = Place(4)
        let data = try JSONEncoder().encode(trip)
        let decoded = try JSONDecoder().decode(Trip.self, from: data)
        try withTemporaryRealm(CustomEmbedded.trips) { realm in
            try realm.write { realm.add(decoded) }
            #expect(
                decoded.place == trip.place && decoded.stop == nil
                    && Array(decoded.stops) == Array(trip.stops)
                    && decoded.named["home"] == Place(4))
        }
    }

    @Test func anotherDeclarationOfTheSameFile() throws {
        try withTemporaryRealm([CustomEmbedded.PlainDay.self, SpanRecord.self]) { realm in
            let url = try #require(realm.configuration.fileURL)
            try realm.write {
                realm.create(
                    CustomEmbedded.PlainDay.self,
                    value: [
                        "id": 1, "open": [1, 2], "pause": [2, 1], "spans": [[3, 4]],
                        "named": ["a": [2, 1], "b": [5, 6]],
                    ] as [String: Any])
            }
            try onNewThread {
                let realm = try Realm(
                    configuration: .init(fileURL: url, objectTypes: CustomEmbedded.days))
                let day = try #require(realm.objects(CustomEmbedded.Day.self).first)
                #expect(
                    day.open == Span(1, 2) && day.pause == nil && day["pause"] is SpanRecord,
                    "what does not convert reads as nil")
                #expect(
                    Array(day.spans) == [Span(3, 4)] && day.named["a"] == .some(nil)
                        && day.named["b"] == Span(5, 6))
                #expect(day.named.sorted(byKeyPath: "lower").map { $0?.lower } == [nil, 5])
            }
        }
    }

    @Test func valuesThatKeepTheirObject() throws {
        try withTemporaryRealm(CustomEmbedded.kept) { realm in
            let kept = CustomEmbedded.Kept()
            let record = SpanRecord(value: [1, 2])
            kept.first = Holder(record)
            kept.all.append(Holder(SpanRecord(value: [3, 4])))
            try realm.write { realm.add(kept) }
            #expect(record.realm != nil && kept.first?.record.lower == 1)
            try realm.write {
                kept.first = kept.first
                kept.all[0] = kept.all[0]
                kept.first?.record.upper = 5
            }
            #expect(!record.isInvalidated && record.upper == 5 && kept.all.first?.record.lower == 3)
            let copy = CustomEmbedded.Kept(value: kept)
            try realm.write { realm.add(copy) }
            #expect(
                copy.first?.record.upper == 5 && copy.first?.record != record && copy.all.count == 1
            )
        }
    }

    @Test func refusedSchemas() throws {
        func expectRefused(_ type: ObjectBase.Type, _ text: String) throws {
            let directory = try TemporaryDirectory()
            defer { directory.delete() }
            let error = #expect(throws: Realm.Error.self) {
                try Realm(
                    configuration: .init(
                        fileURL: directory.file(), objectTypes: [type, PlaceRecord.self, Trip.self])
                )
            }
            #expect(error?.description.contains(text) == true, "\(String(describing: error))")
        }
        try expectRefused(
            CustomEmbedded.WithSet.self,
            """
            Set property 'CustomEmbedded_WithSet.places' cannot contain embedded object \
            type 'PlaceRecord'.
            """
        )
    }
}
