/// All places inside a ring, except for those inside its holes.
///
/// Edges are the shortest paths on the sphere. A ring cuts the Earth into two parts; the smaller
/// one is the inside, whatever the ring's direction. So rings may cross the antimeridian and go
/// around a pole. Whether places exactly on an edge are inside is not specified.
///
/// A ring begins and ends with the same point and has at least three others. It must not cross
/// itself or have a point twice. These are the rules for holes:
/// - They lie inside of the outer ring, and not inside of each other.
/// - They do not cross each other, and share no edge with another ring.
/// - They may share one point with the outer ring.
///
/// Using a polygon in a query that breaks these rules traps.
///
/// Thread rule: a value, use it anywhere.
public struct GeoPolygon: Hashable, Sendable {
    /// The ring around the polygon. Its last point is the first.
    public let outerRing: [GeoPoint]
    /// The rings around the holes. The last point of each is its first.
    public let holes: [[GeoPoint]]

    /// Makes a polygon; nil if a ring has fewer than four points, or does not end where it
    /// begins.
    public init?(outerRing: [GeoPoint], holes: [[GeoPoint]] = []) {
        guard ([outerRing] + holes).allSatisfy({ $0.count >= 4 && $0.first == $0.last }) else {
            return nil
        }
        self.outerRing = outerRing
        self.holes = holes
    }

    /// Makes a polygon; nil if a ring has fewer than four points, or does not end where it
    /// begins.
    public init?(outerRing: [GeoPoint], holes: [GeoPoint]...) {
        self.init(outerRing: outerRing, holes: holes)
    }

    /// Makes a polygon of points that are a latitude, then a longitude. Returns nil if a ring has
    /// fewer than four points, does not end where it begins, or has a point out of range.
    public init?(outerRing: [(Double, Double)], holes: [[(Double, Double)]] = []) {
        let rings = ([outerRing] + holes).map { $0.compactMap { GeoPoint($0) } }
        guard zip(rings, [outerRing] + holes).allSatisfy({ $0.count == $1.count }) else {
            return nil
        }
        self.init(outerRing: rings[0], holes: Array(rings.dropFirst()))
    }

    /// Makes a polygon of points that are a latitude, then a longitude. Returns nil if a ring has
    /// fewer than four points, does not end where it begins, or has a point out of range.
    public init?(outerRing: [(Double, Double)], holes: [(Double, Double)]...) {
        self.init(outerRing: outerRing, holes: holes)
    }
}

extension GeoPolygon: CustomStringConvertible {
    /// The rings, the outer one first, with points in the notation of GeoJSON:
    /// "GeoPolygon({{[longitude, latitude], …}, …})".
    public var description: String {
        "GeoPolygon({"
            + ([outerRing] + holes).map { "{\($0.map(\.description).joined(separator: ", "))}" }
            .joined(separator: ", ") + "})"
    }
}
