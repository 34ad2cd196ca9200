/// All places between two corners.
///
/// The eastern and western edges are meridians. The others are the shortest ways between their
/// corners, which bulge towards the pole of their hemisphere; where they would be half a turn
/// or longer, they are parallels. A box whose western edge has the greater longitude goes over
/// the antimeridian: `(-20, 170)` to `(-10, -170)` is 20 degrees wide. A box whose southern
/// edge is above the northern one is empty. Edges belong to the box.
///
/// Thread rule: a value, use it anywhere.
public struct GeoBox: Hashable, Sendable {
    /// The corner in the south-west.
    public let bottomLeft: GeoPoint
    /// The corner in the north-east.
    public let topRight: GeoPoint

    /// The box between two corners, whichever they are: see above for what corners in another
    /// order mean.
    public init(bottomLeft: GeoPoint, topRight: GeoPoint) {
        self.bottomLeft = bottomLeft
        self.topRight = topRight
    }

    /// - Parameters:
    ///   - bottomLeft: The latitude, then the longitude of the corner in the south-west.
    ///   - topRight: Those of the corner in the north-east. Nil where any of the four is out of
    ///     range.
    public init?(bottomLeft: (Double, Double), topRight: (Double, Double)) {
        guard let bottomLeft = GeoPoint(bottomLeft), let topRight = GeoPoint(topRight) else {
            return nil
        }
        self.init(bottomLeft: bottomLeft, topRight: topRight)
    }
}

extension GeoBox: CustomStringConvertible {
    /// Both corners, as GeoJSON has points: "GeoBox([[west, south], [east, north]])".
    public var description: String { "GeoBox([\(bottomLeft), \(topRight)])" }
}
