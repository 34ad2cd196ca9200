/// All places within a radius around a centre.
///
/// Thread rule: a value, use it anywhere.
public struct GeoCircle: Hashable, Sendable {
    /// The place in the middle.
    public let center: GeoPoint
    /// The angle between the centre and the edge, seen from the centre of the Earth. At pi or
    /// more, the circle contains all of the Earth.
    public let radiusInRadians: Double

    /// The same as ``radiusInRadians``.
    public var radians: Double { radiusInRadians }

    /// Makes the circle around a place; nil if the radius is negative or not a number.
    public init?(center: GeoPoint, radiusInRadians: Double) {
        guard radiusInRadians >= 0 else { return nil }
        self.center = center
        self.radiusInRadians = radiusInRadians
    }

    /// The circle around a place: `GeoCircle(center: home, radius: .kilometers(5)!)`.
    public init(center: GeoPoint, radius: Distance) {
        self.center = center
        radiusInRadians = radius.radians
    }

    /// Makes the circle around a place; nil if the place or the radius is out of range.
    ///
    /// - Parameters:
    ///   - center: The latitude, then the longitude, in degrees.
    ///   - radiusInRadians: The radius as an angle at the Earth's centre.
    public init?(center: (Double, Double), radiusInRadians: Double) {
        guard let center = GeoPoint(center) else { return nil }
        self.init(center: center, radiusInRadians: radiusInRadians)
    }

    /// Makes the circle around a place; nil if the place is out of range.
    ///
    /// - Parameters:
    ///   - center: The latitude, then the longitude, in degrees.
    ///   - radius: The distance on the surface: `.kilometers(5)!`.
    public init?(center: (Double, Double), radius: Distance) {
        guard let center = GeoPoint(center) else { return nil }
        self.init(center: center, radius: radius)
    }
}

extension GeoCircle: CustomStringConvertible {
    /// The centre in the notation of GeoJSON points, and the radius in radians:
    /// "GeoCircle([[longitude, latitude], radius])".
    public var description: String { "GeoCircle([\(center), \(radiusInRadians)])" }
}
