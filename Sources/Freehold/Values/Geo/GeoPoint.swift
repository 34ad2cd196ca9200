/// A place on the Earth, for conditions on locations (``Query/geoWithin(_:)-(GeoCircle)``). Not
/// a type of properties.
///
/// Locations are stored as GeoJSON has them, in an embedded object of the program's own with
/// these two properties:
///
/// ```swift
/// class Location: EmbeddedObject {
///     @Persisted private var type: String = "Point"
///     /// Longitude, latitude, and maybe the altitude.
///     @Persisted private var coordinates: List<Double>
///
///     convenience init(latitude: Double, longitude: Double) {
///         self.init()
///         coordinates.append(objectsIn: [longitude, latitude])
///     }
/// }
/// ```
///
/// Thread rule: a value, use it anywhere.
public struct GeoPoint: Hashable, Sendable {
    /// In degrees, -90 to 90, north being positive.
    public let latitude: Double
    /// In degrees, -180 to 180, east being positive.
    public let longitude: Double
    /// In meters, not negative. No condition looks at it.
    public let altitude: Double

    /// A place; nil where a part is out of range.
    ///
    /// - Parameters:
    ///   - latitude: In degrees, -90 to 90.
    ///   - longitude: In degrees, -180 to 180.
    ///   - altitude: In meters; not negative, and a number.
    public init?(latitude: Double, longitude: Double, altitude: Double = 0) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude), altitude >= 0 else {
            return nil
        }
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
    }

    init?(_ place: (latitude: Double, longitude: Double)) {
        self.init(latitude: place.latitude, longitude: place.longitude)
    }
}

extension GeoPoint: CustomStringConvertible {
    /// "[longitude, latitude]", as GeoJSON has it.
    public var description: String { "[\(longitude), \(latitude)]" }
}
