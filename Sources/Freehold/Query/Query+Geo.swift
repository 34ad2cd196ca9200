/// A shape on the Earth, which ``Query/geoWithin(_:)`` takes: a ``GeoBox``, a ``GeoPolygon`` or a ``GeoCircle``.
///
/// The name is Realm's. Other types that conform trap where a query uses them.
public protocol RLMGeospatial: Sendable {}

extension GeoBox: RLMGeospatial {}
extension GeoPolygon: RLMGeospatial {}
extension GeoCircle: RLMGeospatial {}

extension Query where T: OptionalProtocol, T.Wrapped: EmbeddedObject {
    /// Whether the location is in a shape. False where there is no location, or where it is no point. See ``GeoPoint`` for how locations are declared.
    ///
    ///     realm.objects(Restaurant.self).where { $0.location.geoWithin(GeoCircle(center: here, radius: .kilometers(2)!)) }
    ///
    /// O(rows), of a polygon O(rows × points): there is no index of places. Traps where the query is used if the class is not one of locations, or the polygon's rings are none.
    ///
    /// - Parameter shape: A box, polygon or circle.
    public func geoWithin<Shape: RLMGeospatial>(_ shape: Shape) -> Query<Bool> {
        guard let known = GeoShape(any: shape) else {
            violation(.misuse(
                text: "Illegal custom conformance to `RLMGeospatial` by `\(Shape.self)`", remedy: "Use a GeoBox, GeoPolygon or GeoCircle."))
        }
        return Query<Bool>(.place(node, known))
    }
}
