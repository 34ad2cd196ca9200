import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Locations in regions, of managed and unmanaged objects, against plain geometry.
@Suite struct GeoWithinTests {
    typealias Shop = Places.Shop

    private static let centers: [(Double, Double)] = [
        (90, 0), (-90, 0), (0, 180), (0, 0), (51.5, -0.1), (-17.7, 178), (66, -179.9), (0, 90),
    ]

    /// Places all over the Earth, and more around a centre.
    private func places(_ count: Int, around center: Direction, using random: inout SeededGenerator)
        -> [Direction]
    {
        (0..<count).map { number in
            if number % 2 == 0 {
                let z = Double.random(in: -1...1, using: &random)
                return Direction(
                    latitude: asin(z) * 180 / .pi,
                    longitude: Double.random(in: -180...180, using: &random))
            }
            return center.going(
                Double.random(in: 0...1.2, using: &random),
                towards: Double.random(in: 0...6.28, using: &random))
        }
    }

    private func shops(_ places: [Direction]) -> [Shop] {
        places.enumerated().map { Shop($0.offset, $0.element.latitude, $0.element.longitude) }
    }

    /// Asks a realm and lists of objects that are in none.
    private func expect(
        _ places: [Direction], _ comment: String, _ query: (Query<Shop>) -> Query<Bool>,
        _ holds: (Direction) -> Bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let expected = places.indices.filter { holds(places[$0]) }
        let shops = shops(places)
        for (index, shop) in shops.enumerated() {
            let list = List<Shop>()
            list.append(shop)
            #expect(
                (list.index(matching: query) == 0) == holds(places[index]),
                "\(comment) of \(places[index])", sourceLocation: sourceLocation)
        }
        try withTemporaryRealm(Places.all) { realm in
            try realm.write { realm.add(shops) }
            #expect(
                realm.objects(Shop.self).where(query).map(\.id) == expected, "\(comment)",
                sourceLocation: sourceLocation)
        }
    }

    @Test func polygonsOfAnyShapeAnywhere() throws {
        var random = Seed.random()
        for (latitude, longitude) in Self.centers {
            let center = Direction(latitude: latitude, longitude: longitude)
            for radius in [0.05...0.3, 0.4...1.1, 1.3...1.5] {
                let star = Star(center, radius: radius, using: &random)
                // A triangle's edge may pass its center at a tenth of the corners' distance.
                let hole = Star(
                    center, radius: (radius.lowerBound / 30)...(radius.lowerBound / 12),
                    using: &random)
                let places = places(150, around: center, using: &random)
                let polygon = try #require(GeoPolygon(outerRing: star.points))
                try expect(
                    places, "\(polygon), FREEHOLD_SEED=\(random.seed)",
                    { $0.spot.geoWithin(polygon) },
                    star.contains)
                let ring = try #require(GeoPolygon(outerRing: star.points, holes: [hole.points]))
                try expect(
                    places, "\(ring), FREEHOLD_SEED=\(random.seed)", { $0.spot.geoWithin(ring) }
                ) {
                    star.contains($0) && !hole.contains($0)
                }
            }
        }
    }

    @Test func boxesOverPolesAndTheAntimeridian() throws {
        var random = Seed.random()
        for _ in 0..<12 {
            let (west, width) = (Double(random.int(-180...180)), Double(random.int(1...170)))
            let east = west + width > 180 ? west + width - 360 : west + width
            let south = Double(random.int(-89...60))
            let north = south + Double(random.int(1...29))
            let box = try #require(GeoBox(bottomLeft: (south, west), topRight: (north, east)))
            let corners = [(south, west), (south, east), (north, east), (north, west)].map {
                Direction(latitude: $0, longitude: $1)
            }
            let middle = Direction(latitude: (south + north) / 2, longitude: west + width / 2)
            try expect(
                places(150, around: middle, using: &random), "\(box), FREEHOLD_SEED=\(random.seed)",
                { $0.spot.geoWithin(box) }
            ) { place in
                corners.indices.allSatisfy { place.isLeft(of: corners[$0], corners[($0 + 1) % 4]) }
            }
        }
    }

    @Test func boxesWithParallels() throws {
        var random = Seed.random()
        let places =
            places(200, around: Direction(latitude: 80, longitude: 0), using: &random) + [
                Direction(0, 0, 1), Direction(0, 0, -1),
            ]
        func inside(_ box: GeoBox?, _ holds: (Direction) -> Bool) throws {
            let box = try #require(box)
            try expect(
                places, "\(box), FREEHOLD_SEED=\(random.seed)", { $0.spot.geoWithin(box) }, holds)
        }
        try inside(GeoBox(bottomLeft: (-90, -180), topRight: (90, 180))) { _ in true }
        try inside(GeoBox(bottomLeft: (20, -180), topRight: (90, 180))) { $0.latitude >= 20 }
        try inside(GeoBox(bottomLeft: (-30, -100), topRight: (40, 100))) {
            $0.latitude >= -30 && $0.latitude <= 40 && abs($0.longitude) <= 100
        }
        try inside(GeoBox(bottomLeft: (-30, 90), topRight: (40, -90))) {
            $0.latitude >= -30 && $0.latitude <= 40 && abs($0.longitude) >= 90
        }
    }

    @Test func edgesBelongToBoxes() throws {
        let box = try #require(GeoBox(bottomLeft: (47.3, -121.5), topRight: (47.9, 120.9)))
        let small = try #require(GeoBox(bottomLeft: (47.3, -121.5), topRight: (47.9, -120.9)))
        let shops = List<Shop>()
        shops.append(objectsIn: [
            Shop(0, 47.3, -121.5), Shop(1, 47.9, -120.9), Shop(2, 47.3, -120.9),
            Shop(3, 47.29, -121.5), Shop(4, 47.5, -121.50001),
        ])
        #expect(matching(shops) { $0.spot.geoWithin(small) } == [0, 1, 2])
        #expect(matching(shops) { $0.spot.geoWithin(box) } == [0, 1, 2])
        let upsideDown = GeoBox(bottomLeft: small.topRight, topRight: small.bottomLeft)
        #expect(matching(shops) { $0.spot.geoWithin(upsideDown) } == [])
    }

    @Test func circles() throws {
        var random = Seed.random()
        for (latitude, longitude) in Self.centers {
            let center = Direction(latitude: latitude, longitude: longitude)
            let radius = Double.random(in: 0.01...2, using: &random)
            let circle = try #require(
                GeoCircle(center: (latitude, longitude), radiusInRadians: radius))
            try expect(
                places(100, around: center, using: &random),
                "\(circle), FREEHOLD_SEED=\(random.seed)",
                { $0.spot.geoWithin(circle) }
            ) {
                acos(max(-1, min(1, $0.dot(center)))) <= radius
            }
        }
        let here = List<Shop>()
        here.append(Shop(0, 48, 11))
        let point = try #require(GeoCircle(center: (48, 11), radiusInRadians: 0))
        #expect(here.index(matching: { $0.spot.geoWithin(point) }) == 0)
    }

    private func matching(_ shops: List<Shop>, _ query: (Query<Shop>) -> Query<Bool>) -> [Int] {
        Array(shops).filter { shop in
            let one = List<Shop>()
            one.append(shop)
            return one.index(matching: query) == 0
        }.map(\.id)
    }

    /// Null, not points, without enough coordinates, out of range; in lists, behind links, in
    /// transactions, frozen, in other conditions.
    @Test func locationsThatAreNone() throws {
        let circle = try #require(GeoCircle(center: (0, 0), radiusInRadians: 0.1))
        try withTemporaryRealm(Places.all) { realm in
            try realm.write {
                for id in 0..<8 { realm.add(Shop(id, 0, 0)) }
                let shops = realm.objects(Shop.self)
                shops[1].spot = nil
                shops[2].spot?.type = "Polygon"
                shops[3].spot?.coordinates.removeLast()
                shops[4].spot?.coordinates[1] = 91
                shops[5].spot?.coordinates.append(1_000)
                shops[6].spot?.coordinates.removeAll()
                shops[7].spot?.coordinates[0] = .nan
                shops[1].main = shops[0]
                shops[2].others.append(Places.Spot(50, 50))
                shops[2].others.append(Places.Spot(0.01, 0))
                shops[3].others.append(Places.Spot(50, 50))
                // Inside of the transaction, too.
                #expect(shops.where { $0.spot.geoWithin(circle) }.map(\.id) == [0, 5])
                shops[0].spot?.coordinates[1] = 80
                #expect(shops.where { $0.spot.geoWithin(circle) }.map(\.id) == [5])
                shops[0].spot?.coordinates[1] = 0
            }
            let shops = realm.objects(Shop.self)
            #expect(shops.where { $0.spot.geoWithin(circle) }.map(\.id) == [0, 5])
            #expect(shops.where { !$0.spot.geoWithin(circle) }.map(\.id) == [1, 2, 3, 4, 6, 7])
            #expect(shops.where { $0.main.spot.geoWithin(circle) }.map(\.id) == [1])
            #expect(shops.where { $0.spot.geoWithin(circle) && $0.id > 2 }.map(\.id) == [5])
            #expect(shops.freeze().where { $0.spot.geoWithin(circle) }.map(\.id) == [0, 5])
            let near = try #require(GeoBox(bottomLeft: (-1, -1), topRight: (1, 1)))
            #expect(shops.where { ($0.others.type == "Point").count == 2 }.map(\.id) == [2])
            #expect(shops.where { $0.spot.geoWithin(near) }.map(\.id) == [0, 5])
        }
    }

    @Test func theTextOfQueries() throws {
        let box = try #require(GeoBox(bottomLeft: (1, 2), topRight: (3, 4)))
        let query = Query<Shop>._constructForTesting().spot.geoWithin(box)
        let (text, arguments) = query._constructPredicate()
        #expect(text == "(spot IN %@)" && arguments.count == 1 && arguments.first as? GeoBox == box)
        #expect((!query)._constructPredicate().0 == "(NOT spot IN %@)")
    }

    @Test func ringsThatAreNone() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let bow = GeoPolygon(outerRing: [(0, 0), (10, 10), (10, 0), (0, 10), (0, 0)])
            try withTemporaryRealm(Places.all) { realm in
                if let bow { _ = realm.objects(Shop.self).where { $0.spot.geoWithin(bow) }.count }
            }
        }
        expectMessage(
            result,
            "Invalid region in GEOWITHIN query for parameter "
                + "'GeoPolygon({[0, 0, 0], [10, 10, 0], [0, 10, 0], [10, 0, 0], [0, 0, 0]})': "
                + "'Ring 0 is not valid: 'Edges 0 and 2 cross. Edge locations in degrees: "
                + "[0.0000000, 0.0000000]-[10.0000000, 10.0000000] and "
                + "[10.0000000, 0.0000000]-[0.0000000, 10.0000000]''")
    }

    /// Of any kind, as generic functions have them.
    @Test func shapesOfAnyKind() throws {
        func found<U: RLMGeospatial>(_ shape: U, _ shops: Results<Shop>) -> [[Int]] {
            let predicate = NSPredicate(format: "spot IN %@", shape as any CVarArg)
            return [
                Array(shops.where { $0.spot.geoWithin(shape) }.map(\.id)),
                Array(shops.filter("spot IN %@", shape).map(\.id)),
                Array(shops.filter(predicate).map(\.id)),
            ]
        }
        try withTemporaryRealm(Places.all) { realm in
            try realm.write { for id in 0..<3 { realm.add(Shop(id, Double(id) * 10, 5)) } }
            let shops = realm.objects(Shop.self)
            let expected = [[Int]](repeating: [1], count: 3)
            #expect(
                found(try #require(GeoBox(bottomLeft: (9, 4), topRight: (11, 6))), shops)
                    == expected)
            #expect(
                found(try #require(GeoCircle(center: (10, 5), radiusInRadians: 0.01)), shops)
                    == expected)
            let triangle = try #require(GeoPolygon(outerRing: [(9, 4), (9, 6), (12, 5), (9, 4)]))
            #expect(found(triangle, shops) == expected)
            #expect(String(format: "%@", triangle).contains("null"))
        }
    }

    @Test func classesThatAreNoLocations() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(Places.all) { realm in
                if let circle = GeoCircle(center: (0, 0), radiusInRadians: 1) {
                    _ = realm.objects(Shop.self).where { $0.wrong.geoWithin(circle) }.count
                }
            }
        }
        expectMessage(
            result,
            """
            Query 'wrong GEOWITHIN GeoCircle([0, 0, 0], 1)' links to data in the wrong \
            format for a geoWithin query
            """,
            "coordinates: List<Double>")
    }

    /// As Realm's own tests write it: `filter` with the string and the array that a typed query
    /// is made of.
    @Test func theValuesOfATypedQuery() throws {
        try withTemporaryRealm(Places.all) { realm in
            try realm.write {
                realm.add(
                    Shop(
                        value: [
                            "id": 1,
                            "spot": ["type": "Point", "coordinates": [2.0, 1.0]] as [String: Any],
                        ] as [String: Any]))
                realm.add(
                    Shop(
                        value: [
                            "id": 2,
                            "spot": ["type": "Point", "coordinates": [60.0, 1.0]] as [String: Any],
                        ] as [String: Any]))
            }
            let circle = try #require(GeoCircle(center: (0, 0), radiusInRadians: 0.5))
            let (text, values) =
                (Query<Shop>._constructForTesting().spot.geoWithin(circle) as Query<Bool>)
                ._constructPredicate()
            #expect(realm.objects(Shop.self).filter(text, values).count == 1)
            #expect(realm.objects(Shop.self).filter(text, circle).count == 1)
        }
    }
}

/// What can be made of numbers.
@Suite struct GeoValueTests {
    @Test func points() {
        #expect(GeoPoint(latitude: 90, longitude: -180)?.altitude == 0)
        #expect(GeoPoint(latitude: 1, longitude: 2, altitude: 3)?.altitude == 3)
        for (latitude, longitude) in [
            (90.1, 0), (-90.1, 0), (0, 180.1), (0, -180.1), (.nan, 0), (0, .nan), (.infinity, 0),
        ] {
            #expect(GeoPoint(latitude: latitude, longitude: longitude) == nil)
            #expect(
                GeoBox(bottomLeft: (latitude, longitude), topRight: (1, 1)) == nil
                    && GeoBox(bottomLeft: (1, 1), topRight: (latitude, longitude)) == nil)
            #expect(GeoCircle(center: (latitude, longitude), radiusInRadians: 1) == nil)
            #expect(
                GeoPolygon(outerRing: [(0, 0), (0, 1), (1, 1), (latitude, longitude), (0, 0)])
                    == nil)
        }
        #expect(GeoPoint(latitude: 1, longitude: 2, altitude: .nan) == nil)
    }

    @Test func distances() throws {
        #expect(try #require(Distance.kilometers(6378.1)).radians == 1)
        #expect(abs(try #require(Distance.miles(1)).asKilometers() - 1.609344) < 1e-12)
        #expect(abs(try #require(Distance.degrees(180)).asRadians() - .pi) < 1e-15)
        #expect(abs(try #require(Distance.radians(2)).asDegrees() - 360 / .pi) < 1e-12)
        #expect(abs(try #require(Distance.kilometers(5)).asMiles() - 5 / 1.609344) < 1e-12)
        for wrong in [-1, Double.nan] {
            #expect(
                Distance.kilometers(wrong) == nil && Distance.miles(wrong) == nil
                    && Distance.degrees(wrong) == nil && Distance.radians(wrong) == nil)
            #expect(GeoCircle(center: (0, 0), radiusInRadians: wrong) == nil)
        }
        let center = try #require(GeoPoint(latitude: 1, longitude: 2))
        let radius = try #require(Distance.radians(2))
        #expect(
            GeoCircle(center: center, radius: radius)
                == GeoCircle(center: (1, 2), radiusInRadians: 2))
        #expect(
            GeoCircle(center: (1, 2), radius: radius)
                == GeoCircle(center: center, radiusInRadians: 2))
    }

    @Test func rings() {
        let square = [(0.0, 0.0), (0, 4), (4, 4), (4, 0), (0, 0)]
        let hole = [(1.0, 1.0), (1, 2), (2, 2), (1, 1)]
        #expect(GeoPolygon(outerRing: square)?.outerRing.count == 5)
        #expect(GeoPolygon(outerRing: square, holes: [hole])?.holes.count == 1)
        #expect(GeoPolygon(outerRing: square, holes: [hole, hole])?.holes.count == 2)
        #expect(GeoPolygon(outerRing: square, holes: hole, hole)?.holes.count == 2)
        #expect(GeoPolygon(outerRing: Array(square.dropLast())) == nil)
        #expect(GeoPolygon(outerRing: [(0, 0), (1, 1), (0, 0)]) == nil)
        #expect(GeoPolygon(outerRing: square, holes: [Array(hole.dropLast())]) == nil)
        let points = square.compactMap { GeoPoint(latitude: $0.0, longitude: $0.1) }
        #expect(GeoPolygon(outerRing: points) == GeoPolygon(outerRing: square))
    }
}
