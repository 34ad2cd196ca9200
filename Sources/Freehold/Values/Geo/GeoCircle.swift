/// All places that are not farther from a centre than a radius.
///
/// Thread rule: a value, use it anywhere.
public struct GeoCircle: Hashable, Sendable {
    public let center: GeoPoint
    public let radiusInRadians: Double

    /// Nil where the radius is negative, or no number.
    public init?(center: GeoPoint, radiusInRadians: Double) {
        guard radiusInRadians >= 0 else { return nil }
        self.center = center
        self.radiusInRadians = radiusInRadians
    }

    public init(center: GeoPoint, radius: Distance) {
        self.center = center
        radiusInRadians = radius.radians
    }

    /// - Parameter center: The latitude, then the longitude. Nil where they are out of range, or the radius is.
    public init?(center: (Double, Double), radiusInRadians: Double) {
        guard let center = GeoPoint(center) else { return nil }
        self.init(center: center, radiusInRadians: radiusInRadians)
    }

    /// - Parameter center: The latitude, then the longitude. Nil where they are out of range.
    public init?(center: (Double, Double), radius: Distance) {
        guard let center = GeoPoint(center) else { return nil }
        self.init(center: center, radius: radius)
    }
}

extension GeoCircle: CustomStringConvertible {
    public var description: String { "GeoCircle([\(center), \(radiusInRadians)])" }
}
