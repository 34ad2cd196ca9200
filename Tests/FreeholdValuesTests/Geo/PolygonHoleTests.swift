import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Where the holes of a polygon may be.
@Suite struct PolygonHoleTests {
    private static let square: [(Double, Double)] = [(0, 0), (0, 10), (10, 10), (10, 0), (0, 0)]

    private static func squareHole(_ south: Double, _ west: Double, _ size: Double) -> [(
        Double, Double
    )] {
        [
            (south, west), (south, west + size), (south + size, west + size), (south + size, west),
            (south, west),
        ]
    }

    private func ids(_ holes: [(Double, Double)]...) throws -> [Int] {
        try withTemporaryRealm(Places.all) { realm in
            try realm.write { for id in 0..<10 { realm.add(Places.Shop(id, Double(id) + 0.5, 5)) } }
            let polygon = try #require(GeoPolygon(outerRing: Self.square, holes: holes))
            return realm.objects(Places.Shop.self).where { $0.spot.geoWithin(polygon) }.map(\.id)
        }
    }

    @Test func insideAndTouching() throws {
        #expect(try ids(Self.squareHole(2, 2, 6)) == [0, 1, 8, 9])
        // With a corner of the ring.
        #expect(try ids([(0, 0), (1, 6), (4, 6), (4, 4), (0, 0)]) == [0, 4, 5, 6, 7, 8, 9])
        // A point that follows itself counts once.
        #expect(try ids([(2, 2), (2, 2), (2, 8), (8, 8), (8, 8), (8, 2), (2, 2)]) == [0, 1, 8, 9])
    }

    @Test func several() throws {
        #expect(
            try ids(Self.squareHole(1, 1, 2), Self.squareHole(4, 4, 2), Self.squareHole(7, 4, 2))
                == [0, 1, 2, 3, 6, 9])
        // They may touch each other at a corner.
        #expect(
            try ids(Self.squareHole(1, 4, 2), Self.squareHole(3, 6, 2)) == [0, 3, 4, 5, 6, 7, 8, 9])
    }

    @Test func crossingEachOther() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = try PolygonHoleTests().ids(
                PolygonHoleTests.squareHole(1, 1, 4), PolygonHoleTests.squareHole(3, 3, 4))
        }
        expectMessage(
            result,
            """
            {[3, 3, 0], [7, 3, 0], [7, 7, 0], [3, 7, 0], [3, 3, 0]})': 'Polygon isn't \
            valid: 'Loop 1 crosses loop 2''
            """,
            "draw the ring around both")
    }

    @Test func insideOfEachOther() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = try PolygonHoleTests().ids(
                PolygonHoleTests.squareHole(0.5, 0.5, 1), PolygonHoleTests.squareHole(2, 2, 7),
                PolygonHoleTests.squareHole(4, 4, 2))
        }
        expectMessage(
            result, "'Polygon interior rings cannot be nested: 3'",
            "query an island as a second one")
    }

    @Test func withAnEdgeOfTheRing() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = try PolygonHoleTests().ids([(0, 0), (0, 10), (4, 6), (4, 4), (0, 0)])
        }
        expectMessage(
            result, "'Polygon isn't valid: 'Duplicate edge: ring 1, edge 0 and ring 0, edge 0''",
            "Rings have no edge in common")
    }

    @Test func withAnEdgeOfEachOther() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = try PolygonHoleTests().ids(
                PolygonHoleTests.squareHole(1, 4, 2), PolygonHoleTests.squareHole(3, 4, 2))
        }
        expectMessage(result, "'Polygon isn't valid: 'Duplicate edge: ring 2, edge ")
    }

    @Test func withTwoCornersOfTheRing() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = try PolygonHoleTests().ids([(0, 0), (4, 5), (10, 10), (6, 4), (0, 0)])
        }
        expectMessage(
            result,
            """
            'Polygon is not normalized: 'Ring 1 shares more than one vertex with its \
            parent ring 0''
            """
        )
    }

    @Test func onAnEdgeOfTheRing() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = try PolygonHoleTests().ids([(0, 2), (5, 2), (5, 6), (0, 6), (0, 2)])
        }
        expectMessage(result, PolygonHoleTests.text)
    }

    @Test func withAPointTwice() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = try PolygonHoleTests().ids([(1, 1), (1, 5), (3, 3), (5, 5), (5, 1), (3, 3), (1, 1)])
        }
        expectMessage(
            result, "'Ring 1 is not valid: 'Duplicate vertices: 2 and 5''", "have no point twice")
    }

    @Test func withTwoPoints() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = try PolygonHoleTests().ids([(1, 1), (1, 1), (1, 5), (1, 1)])
        }
        expectMessage(
            result,
            "'Ring 1 must have at least 3 different vertices, 2 unique vertices were provided'")
    }

    private static let text =
        """
        Secondary ring 1 not contained by first exterior ring - secondary rings must be \
        holes in the first ring
        """

    @Test func outside() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = try PolygonHoleTests().ids(PolygonHoleTests.squareHole(20, 20, 5))
        }
        expectMessage(
            result,
            """
            Invalid region in GEOWITHIN query for parameter 'GeoPolygon({[0, 0, 0], [10, \
            0, 0], [10, 10, 0], [0, 10, 0], [0, 0, 0]}, {[20, 20, 0], [25, 20, 0], [25, \
            25, 0], [20, 25, 0], [20, 20, 0]})': '\(Self.text)'
            """
        )
    }

    @Test func crossing() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = try PolygonHoleTests().ids(PolygonHoleTests.squareHole(5, 5, 9))
        }
        expectMessage(result, Self.text)
    }

    @Test func around() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = try PolygonHoleTests().ids(PolygonHoleTests.squareHole(-5, -5, 20))
        }
        expectMessage(result, Self.text)
    }
}
