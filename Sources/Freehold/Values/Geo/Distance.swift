/// A distance on the surface of the Earth, which is modelled as a sphere with a radius of 6,378.1
/// km.
///
/// Thread rule: a value, use it anywhere.
public struct Distance: Hashable, Sendable {
    /// The angle seen from the centre of the Earth.
    public let radians: Double

    private static let earthRadiusInKilometers = 6378.1
    private static let kilometersPerMile = 1.609344

    private init?(_ radians: Double) {
        guard radians >= 0 else { return nil }
        self.radians = radians
    }

    /// Makes a distance of kilometers. Returns nil if it is negative or not a number.
    public static func kilometers(_ kilometers: Double) -> Distance? {
        Distance(kilometers / earthRadiusInKilometers)
    }

    /// Makes a distance of miles. Returns nil if it is negative or not a number.
    public static func miles(_ miles: Double) -> Distance? {
        Distance(miles * kilometersPerMile / earthRadiusInKilometers)
    }

    /// Makes the distance of an angle in degrees at the Earth's centre. Returns nil if it is
    /// negative or not a number.
    public static func degrees(_ degrees: Double) -> Distance? { Distance(degrees * .pi / 180) }

    /// Makes the distance of an angle in radians at the Earth's centre. Returns nil if it is
    /// negative or not a number.
    public static func radians(_ radians: Double) -> Distance? { Distance(radians) }

    /// Returns the distance on the surface, in kilometers.
    public func asKilometers() -> Double { radians * Self.earthRadiusInKilometers }

    /// Returns the distance on the surface, in miles of 1.609344 km.
    public func asMiles() -> Double {
        radians * Self.earthRadiusInKilometers / Self.kilometersPerMile
    }

    /// Returns the angle seen from the centre of the Earth, in degrees.
    public func asDegrees() -> Double { radians * 180 / .pi }

    /// Returns the angle seen from the centre of the Earth, as ``radians``.
    public func asRadians() -> Double { radians }
}
