/// All places inside a ring, but for those inside its holes.
///
/// Edges are the shortest ways on the sphere. Of the two parts that a ring cuts the Earth into,
/// the smaller one is inside, whichever way round the ring goes; so rings may go over the
/// antimeridian and around a pole. Whether places exactly on an edge are inside is not
/// specified.
///
/// A ring begins and ends with the same point and has at least three others. It must not cross
/// itself or have a point twice. Holes lie inside of the outer ring, not inside of each other,
/// do not cross each other, and have no edge in common with another ring; with the outer ring
/// they may have one point in common. Using another polygon in a query traps.
///
/// Thread rule: a value, use it anywhere.
public struct GeoPolygon: Hashable, Sendable {
    /// The ring around all of it. The last point is the first.
    public let outerRing: [GeoPoint]
    /// The rings around what is left out. The last point of each is its first.
    public let holes: [[GeoPoint]]

    /// Nil where a ring has fewer than four points, or does not end where it begins.
    public init?(outerRing: [GeoPoint], holes: [[GeoPoint]] = []) {
        guard ([outerRing] + holes).allSatisfy({ $0.count >= 4 && $0.first == $0.last }) else {
            return nil
        }
        self.outerRing = outerRing
        self.holes = holes
    }

    /// Nil where a ring has fewer than four points, or does not end where it begins.
    public init?(outerRing: [GeoPoint], holes: [GeoPoint]...) {
        self.init(outerRing: outerRing, holes: holes)
    }

    /// Each point is a latitude, then a longitude. Nil where a ring has fewer than four points,
    /// does not end where it begins, or has a point out of range.
    public init?(outerRing: [(Double, Double)], holes: [[(Double, Double)]] = []) {
        let rings = ([outerRing] + holes).map { $0.compactMap { GeoPoint($0) } }
        guard zip(rings, [outerRing] + holes).allSatisfy({ $0.count == $1.count }) else {
            return nil
        }
        self.init(outerRing: rings[0], holes: Array(rings.dropFirst()))
    }

    /// Each point is a latitude, then a longitude. Nil where a ring has fewer than four points,
    /// does not end where it begins, or has a point out of range.
    public init?(outerRing: [(Double, Double)], holes: [(Double, Double)]...) {
        self.init(outerRing: outerRing, holes: holes)
    }
}

extension GeoPolygon: CustomStringConvertible {
    /// The rings, the outer one first, their points as GeoJSON has them:
    /// "GeoPolygon({{[longitude, latitude], …}, …})".
    public var description: String {
        "GeoPolygon({"
            + ([outerRing] + holes).map { "{\($0.map(\.description).joined(separator: ", "))}" }
            .joined(separator: ", ") + "})"
    }
}
