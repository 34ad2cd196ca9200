/// A place on the Earth, for conditions on locations (``Query/geoWithin(_:)-(GeoCircle)``).
/// Properties cannot have this type.
///
/// Locations are stored in the form of GeoJSON, in an embedded object with these two properties,
/// which the program declares:
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
    /// The latitude in degrees, -90 to 90; north is positive.
    public let latitude: Double
    /// The longitude in degrees, -180 to 180; east is positive.
    public let longitude: Double
    /// The altitude in meters, not negative. Conditions ignore it.
    public let altitude: Double

    /// Makes a place; nil if a part is out of range.
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
    /// The place in the notation of GeoJSON: "[longitude, latitude]".
    public var description: String { "[\(longitude), \(latitude)]" }
}
