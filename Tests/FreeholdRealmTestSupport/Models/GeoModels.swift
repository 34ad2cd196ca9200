import Foundation
package import Freehold
package import FreeholdTestSupport

package enum Places {
    package static let all: [ObjectBase.Type] = [Shop.self, Spot.self, Wrong.self]

    package final class Spot: EmbeddedObject {
        @Persisted package var type = "Point"
        @Persisted package var coordinates: List<Double>

        package override class func shouldIncludeInDefaultSchema() -> Bool { false }

        package convenience init(_ latitude: Double, _ longitude: Double) {
            self.init()
            coordinates.append(objectsIn: [longitude, latitude])
        }
    }

    /// No location.
    package final class Wrong: EmbeddedObject {
        @Persisted package var type = "Point"
        @Persisted package var coordinates: List<Int>

        package override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    package final class Shop: Object {
        @Persisted(primaryKey: true) package var id = 0
        @Persisted package var spot: Spot?
        @Persisted package var others: List<Spot>
        @Persisted package var wrong: Wrong?
        @Persisted package var main: Shop?

        package override class func shouldIncludeInDefaultSchema() -> Bool { false }

        package convenience init(_ id: Int, _ latitude: Double, _ longitude: Double) {
            self.init()
            self.id = id
            spot = Spot(latitude, longitude)
        }
    }
}

/// A plain direction, for references that share no code with the library.
package struct Direction {
    package var x: Double, y: Double, z: Double

    package init(_ x: Double, _ y: Double, _ z: Double) { (self.x, self.y, self.z) = (x, y, z) }

    package init(latitude: Double, longitude: Double) {
        let (a, b) = (latitude / 180 * Double.pi, longitude / 180 * Double.pi)
        self.init(cos(a) * cos(b), cos(a) * sin(b), sin(a))
    }

    package var latitude: Double { atan2(z, (x * x + y * y).squareRoot()) * 180 / .pi }
    package var longitude: Double { atan2(y, x) * 180 / .pi }

    package func dot(_ o: Direction) -> Double { x * o.x + y * o.y + z * o.z }
    package func cross(_ o: Direction) -> Direction {
        Direction(y * o.z - z * o.y, z * o.x - x * o.z, x * o.y - y * o.x)
    }

    /// Whether it is left of the way from one direction to another.
    package func isLeft(of a: Direction, _ b: Direction) -> Bool { a.cross(b).dot(self) > 0 }

    /// The direction that is an angle away to an azimuth.
    package func going(_ angle: Double, towards azimuth: Double) -> Direction {
        var east = Direction(0, 0, 1).cross(self)
        if east.dot(east) < 1e-12 { east = Direction(0, 1, 0) }
        let length = east.dot(east).squareRoot()
        east = Direction(east.x / length, east.y / length, east.z / length)
        let north = cross(east)
        let (c, s) = (cos(angle), sin(angle))
        let (e, n) = (s * sin(azimuth), s * cos(azimuth))
        return Direction(
            c * x + e * east.x + n * north.x, c * y + e * east.y + n * north.y,
            c * z + e * east.z + n * north.z)
    }
}

/// A ring around a centre: inside are the triangles that the centre makes with its edges.
package struct Star {
    package let center: Direction
    package let corners: [Direction]
    package let points: [GeoPoint]

    package init(
        _ center: Direction, radius: ClosedRange<Double>, using random: inout SeededGenerator
    ) {
        let count = random.int(3...12)
        let corners = (0..<count).map { number in
            center.going(
                Double.random(in: radius, using: &random),
                towards: -2 * .pi * (Double(number) + Double.random(in: 0...0.4, using: &random))
                    / Double(count))
        }
        // Seen from outside, that goes around to the left; the points may go either way.
        self.center = center
        self.corners = corners
        let ring = (corners + [corners[0]]).compactMap {
            GeoPoint(latitude: $0.latitude, longitude: $0.longitude)
        }
        points = random.once(in: 2) ? ring : ring.reversed()
    }

    package func contains(_ place: Direction) -> Bool {
        corners.indices.contains { index in
            let (a, b) = (corners[index], corners[(index + 1) % corners.count])
            return place.isLeft(of: center, a) && place.isLeft(of: a, b)
                && place.isLeft(of: b, center)
        }
    }
}
