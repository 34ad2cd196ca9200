import Foundation

/// A direction from the centre of the Earth, or the normal of a plane through it.
struct SphericalVector: Equatable {
    var x: Double
    var y: Double
    var z: Double
}

extension SphericalVector {
    init(latitude: Double, longitude: Double) {
        let (phi, lambda) = (latitude * .pi / 180, longitude * .pi / 180)
        self.init(x: cos(phi) * cos(lambda), y: cos(phi) * sin(lambda), z: sin(phi))
    }

    init(_ point: GeoPoint) { self.init(latitude: point.latitude, longitude: point.longitude) }

    static func + (a: Self, b: Self) -> Self { Self(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z) }

    static func * (a: Double, b: Self) -> Self { Self(x: a * b.x, y: a * b.y, z: a * b.z) }

    func dot(_ other: Self) -> Double { x * other.x + y * other.y + z * other.z }

    func cross(_ other: Self) -> Self {
        Self(
            x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x
        )
    }

    var length: Double { dot(self).squareRoot() }

    var normalized: Self { (1 / length) * self }

    /// Returns the angle between both in radians, with the same accuracy for small and large
    /// angles.
    func angle(to other: Self) -> Double { atan2(cross(other).length, dot(other)) }

    /// Whether the shortest path from `a` to `b` crosses that from `c` to `d`.
    ///
    /// A path that ends exactly on the other's great circle is counted to one of the two sides,
    /// always the same. So a path past a corner of a ring crosses one of its edges, none or both,
    /// as it should.
    static func cross(_ a: Self, _ b: Self, _ c: Self, _ d: Self) -> Bool {
        let normal = a.cross(b)
        let (first, second) = (normal.dot(c), normal.dot(d))
        guard (first >= 0) != (second >= 0) else { return false }
        // The crossing lies on the shortest path from c to d, and on the great circle through a
        // and b.
        let crossing = abs(second) * c + abs(first) * d
        return a.cross(crossing).dot(normal) >= 0 && crossing.cross(b).dot(normal) >= 0
    }
}
