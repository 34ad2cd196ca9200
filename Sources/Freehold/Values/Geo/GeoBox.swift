/// All places between two corners.
///
/// The eastern and western edges are meridians. The other edges are the shortest paths between
/// their corners, which bulge towards the pole of their hemisphere. A path that would go half
/// around the Earth or farther is a parallel instead.
///
/// A box whose western edge has the greater longitude crosses the antimeridian: `(-20, 170)` to
/// `(-10, -170)` is 20 degrees wide. A box whose southern edge is above the northern one is
/// empty. Edges belong to the box.
///
/// Thread rule: a value, use it anywhere.
public struct GeoBox: Hashable, Sendable {
    /// The corner in the south-west.
    public let bottomLeft: GeoPoint
    /// The corner in the north-east.
    public let topRight: GeoPoint

    /// Makes the box between two corners. Corners in another order are allowed: see above for
    /// their meaning.
    public init(bottomLeft: GeoPoint, topRight: GeoPoint) {
        self.bottomLeft = bottomLeft
        self.topRight = topRight
    }

    /// Makes the box between two corners; nil if any of the four numbers is out of range.
    ///
    /// - Parameters:
    ///   - bottomLeft: The latitude, then the longitude of the corner in the south-west.
    ///   - topRight: The latitude, then the longitude of the corner in the north-east.
    public init?(bottomLeft: (Double, Double), topRight: (Double, Double)) {
        guard let bottomLeft = GeoPoint(bottomLeft), let topRight = GeoPoint(topRight) else {
            return nil
        }
        self.init(bottomLeft: bottomLeft, topRight: topRight)
    }
}

extension GeoBox: CustomStringConvertible {
    /// Both corners in the notation of GeoJSON points: "GeoBox([[west, south], [east, north]])".
    public var description: String { "GeoBox([\(bottomLeft), \(topRight)])" }
}
