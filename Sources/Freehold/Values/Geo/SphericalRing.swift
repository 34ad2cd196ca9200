import Foundation

/// A fault of a ring, or of several rings together.
struct RingProblem: Error {
    let text: String
    var remedy = "Rings are closed, do not cross themselves and have no point twice."

    /// A fault of a single ring.
    init(ring number: Int, _ text: String) { self.text = "Ring \(number) is not valid: '\(text)'" }

    init(_ text: String, remedy: String) { (self.text, self.remedy) = (text, remedy) }
}

/// A closed ring of shortest ways on a sphere. The smaller of the two parts that it cuts the
/// sphere into is inside.
///
/// A point is inside if the shortest way from `inner` to it crosses the ring an even number of
/// times.
struct SphericalRing {
    /// The corners, with the inside to the left. The ring continues from the last one to the
    /// first.
    private let corners: [SphericalVector]
    /// The places of the corners.
    let places: [Place]
    /// A point that is inside.
    private let inner: SphericalVector
    /// The centre of a circle that contains the whole inside, and the cosine of its radius.
    private let bound: (center: SphericalVector, cosine: Double)?

    /// The distance of `inner` from an edge, in radians: some millimeters.
    private static let innerDistance = 1e-9

    /// Throws if the points do not form a ring, with Realm's text if Realm has one.
    /// - Parameters:
    ///   - points: The closed ring: the last point is the first.
    ///   - number: The ring's number in its polygon.
    init(_ points: [GeoPoint], number: Int) throws(RingProblem) {
        let points = Self.withoutRepetitions(points)
        var corners = points.map { SphericalVector($0) }
        var places = points.map { Place($0) }
        if corners.count < 3 {
            throw RingProblem(
                "Ring \(number) must have at least 3 different vertices, "
                    + "\(corners.count) unique vertices were provided",
                remedy: "A ring is a triangle at least.")
        }
        var positions: [Place: Int] = [:]
        for (index, place) in places.enumerated() {
            if let other = positions.updateValue(index, forKey: place) {
                throw RingProblem(ring: number, "Duplicate vertices: \(other) and \(index)")
            }
        }
        var edges: [(from: SphericalVector, to: SphericalVector)] = []
        for index in corners.indices {
            edges.append((corners[index], corners[(index + 1) % corners.count]))
        }
        for (index, edge) in edges.enumerated() {
            if (edge.from + edge.to).length < 1e-12 {
                throw RingProblem(ring: number, "Adjacent vertices on opposite sides of the Earth")
            }
            for other in edges.indices.dropFirst(index + 2)
            where !(index == 0 && other == edges.count - 1) {
                if SphericalVector.cross(edge.from, edge.to, edges[other].from, edges[other].to) {
                    throw RingProblem(
                        ring: number,
                        "Edges \(index) and \(other) cross. Edge locations in degrees: "
                            + "\(Self.text(points, index)) and \(Self.text(points, other))")
                }
            }
        }
        // The left of an edge is inside if the part to the left is the smaller one.
        let isLeft = Self.leftArea(corners) > 0
        let edge =
            edges.max { $0.from.angle(to: $0.to) < $1.from.angle(to: $1.to) } ?? (
                corners[0], corners[1]
            )
        let left = edge.from.cross(edge.to).normalized
        inner =
            ((edge.from + edge.to).normalized + (isLeft ? Self.innerDistance : -Self.innerDistance)
                * left)
            .normalized
        bound = Self.bound(corners)
        if !isLeft {
            corners.reverse()
            places.reverse()
        }
        (self.corners, self.places) = (corners, places)
    }

    /// Returns the points of a closed ring, without the last one and without consecutive
    /// repetitions.
    private static func withoutRepetitions(_ points: [GeoPoint]) -> [GeoPoint] {
        var result: [GeoPoint] = []
        for point in points where result.last.map({ Place($0) }) != Place(point) {
            result.append(point)
        }
        return Array(result.dropLast())
    }

    /// An edge: "[latitude, longitude]-[latitude, longitude]".
    private static func text(_ points: [GeoPoint], _ edge: Int) -> String {
        [points[edge], points[(edge + 1) % points.count]].map { point in
            String(format: "[%.7f, %.7f]", point.latitude, point.longitude)
        }.joined(separator: "-")
    }

    /// A point as a place: the poles have many longitudes, and the antimeridian has two.
    struct Place: Hashable {
        private let latitude: Double
        private let longitude: Double

        init(_ point: GeoPoint) {
            latitude = point.latitude
            longitude =
                abs(point.latitude) == 90 ? 0 : point.longitude == -180 ? 180 : point.longitude
        }
    }

    /// Returns the area to the left of a ring on the unit sphere; if that is more than half of
    /// the sphere, minus the whole sphere.
    private static func leftArea(_ corners: [SphericalVector]) -> Double {
        let a = corners[0]
        var area = 0.0
        for index in 1..<(corners.count - 1) {
            let (b, c) = (corners[index], corners[index + 1])
            area += 2 * atan2(a.dot(b.cross(c)), 1 + a.dot(b) + b.dot(c) + c.dot(a))
        }
        return area.remainder(dividingBy: 4 * .pi)
    }

    /// Returns a circle around the corners; nil if they lie in none that is clearly smaller than
    /// half of the sphere. Such a circle also contains the shortest paths between its points.
    private static func bound(_ corners: [SphericalVector]) -> (SphericalVector, Double)? {
        let sum = corners.reduce(SphericalVector(x: 0, y: 0, z: 0), +)
        guard sum.length > 1e-6 else { return nil }
        let center = sum.normalized
        let cosine = corners.map { center.dot($0) }.min() ?? -1
        return cosine > 0.01 ? (center, cosine - 1e-9) : nil
    }

    /// Whether a point is inside. O(corners); O(1) for a point far away.
    func contains(_ point: SphericalVector) -> Bool {
        if let bound, bound.center.dot(point) < bound.cosine { return false }
        // The path to the point must be shorter than half a turn.
        if point.dot(inner) > -0.9 { return crossings(from: inner, to: point) % 2 == 0 }
        let between =
            (point.cross(
                abs(point.z) < 0.9
                    ? SphericalVector(x: 0, y: 0, z: 1) : SphericalVector(x: 1, y: 0, z: 0)))
            .normalized
        return (crossings(from: inner, to: between) + crossings(from: between, to: point)) % 2 == 0
    }

    /// Whether everything that is inside of another ring is inside of this one. Both may have
    /// corners and edges in common. O(corners × the other's corners).
    func contains(_ other: SphericalRing) -> Bool {
        for (index, from) in other.corners.enumerated() {
            let to = other.corners[(index + 1) % other.corners.count]
            var isShared = false
            for (position, corner) in corners.enumerated() {
                let next = corners[(position + 1) % corners.count]
                let touches = [corner, next].map { end in end.isAt(from) || end.isAt(to) }
                if touches == [true, true] { isShared = true }
                if touches == [false, false], SphericalVector.cross(from, to, corner, next) {
                    return false
                }
            }
            // If no edges cross, each edge is entirely on one side, or on an edge.
            let middle = (from + to).normalized
            if !isShared, isOnEdge(middle) || !contains(middle) { return false }
        }
        // If the other ring goes around this one, the point beside its own edge is outside.
        return contains(other.inner)
    }

    private func isOnEdge(_ point: SphericalVector) -> Bool {
        for (position, corner) in corners.enumerated() {
            let next = corners[(position + 1) % corners.count]
            let distance = abs(point.dot(corner.cross(next).normalized))
            if distance < 1e-12,
                point.dot((corner + next).normalized) >= corner.dot((corner + next).normalized)
            {
                return true
            }
        }
        return false
    }

    /// Whether an edge of another ring crosses one of this ring; touching is not crossing.
    /// O(corners × the other's corners).
    func crosses(_ other: SphericalRing) -> Bool {
        for (index, from) in other.corners.enumerated() {
            let to = other.corners[(index + 1) % other.corners.count]
            for (position, corner) in corners.enumerated() {
                let next = corners[(position + 1) % corners.count]
                let touches = [corner, next].contains { $0.isAt(from) || $0.isAt(to) }
                if !touches, SphericalVector.cross(from, to, corner, next) { return true }
            }
        }
        return false
    }

    private func crossings(from a: SphericalVector, to b: SphericalVector) -> Int {
        var count = 0
        var previous = corners[corners.count - 1]
        for corner in corners {
            if SphericalVector.cross(a, b, previous, corner) { count += 1 }
            previous = corner
        }
        return count
    }
}

extension SphericalVector {
    /// Whether both are the same place: less than a hundredth of a millimeter apart.
    fileprivate func isAt(_ other: SphericalVector) -> Bool { angle(to: other) < 1e-12 }
}
