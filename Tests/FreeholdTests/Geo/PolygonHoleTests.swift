import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Where the holes of a polygon may be.
@Suite struct PolygonHoleTests {
    private static let square: [(Double, Double)] = [(0, 0), (0, 10), (10, 10), (10, 0), (0, 0)]

    private static func squareHole(_ south: Double, _ west: Double, _ size: Double) -> [(Double, Double)] {
        [(south, west), (south, west + size), (south + size, west + size), (south + size, west), (south, west)]
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
        // With a corner of the ring, and with corners on its edges.
        #expect(try ids([(0, 0), (0, 10), (4, 6), (4, 4), (0, 0)]) == [4, 5, 6, 7, 8, 9])
    }

    @Test func several() throws {
        #expect(try ids(Self.squareHole(1, 1, 2), Self.squareHole(4, 4, 2), Self.squareHole(7, 4, 2)) == [0, 1, 2, 3, 6, 9])
        // They may touch each other in a point.
        #expect(try ids(Self.squareHole(1, 3, 2), Self.squareHole(3, 5, 2)) == [0, 2, 3, 4, 5, 6, 7, 8, 9])
    }

    @Test func inEachOther() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try PolygonHoleTests().ids(PolygonHoleTests.squareHole(1, 1, 8), PolygonHoleTests.squareHole(4, 4, 2))
        }
        expectMessage(result, "'Polygon interior rings cannot be nested: 2'", "An island inside of a hole is a polygon of its own")
    }

    @Test func withACommonEdge() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try PolygonHoleTests().ids(PolygonHoleTests.squareHole(1, 4, 2), PolygonHoleTests.squareHole(3, 4, 2))
        }
        expectMessage(result, "'Polygon isn't valid: 'Duplicate edge: ring 2, edge 0 and ring 1, edge 2''", "touch each other in points")
    }

    @Test func crossingEachOther() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try PolygonHoleTests().ids(PolygonHoleTests.squareHole(1, 1, 4), PolygonHoleTests.squareHole(3, 3, 4))
        }
        expectMessage(result, "'Polygon isn't valid: 'Loop 1 crosses loop 2''", "draw the ring around both")
    }

    private static let text = "Secondary ring 1 not contained by first exterior ring - secondary rings must be holes in the first ring"

    @Test func outside() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try PolygonHoleTests().ids(PolygonHoleTests.squareHole(20, 20, 5))
        }
        expectMessage(result, 
            "Invalid region in GEOWITHIN query for parameter 'GeoPolygon({[0, 0, 0], [10, 0, 0], [10, 10, 0], [0, 10, 0], [0, 0, 0]}, "
                + "{[20, 20, 0], [25, 20, 0], [25, 25, 0], [20, 25, 0], [20, 20, 0]})': '\(Self.text)'")
    }

    @Test func crossing() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try PolygonHoleTests().ids(PolygonHoleTests.squareHole(5, 5, 9))
        }
        expectMessage(result, Self.text)
    }

    @Test func around() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try PolygonHoleTests().ids(PolygonHoleTests.squareHole(-5, -5, 20))
        }
        expectMessage(result, Self.text)
    }
}
