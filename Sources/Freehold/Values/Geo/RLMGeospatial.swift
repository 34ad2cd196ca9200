/// The shapes that ``Query/geoWithin(_:)-(U)`` takes: ``GeoBox``, ``GeoPolygon`` and ``GeoCircle``.
///
/// They may be passed as arguments of format strings; only predicates understand them.
public protocol RLMGeospatial: CVarArg, Hashable, Sendable {
    /// The shape in the library's form. For the library's own use.
    var _geospatialShape: _GeospatialShape { get }
}

/// The library's form of a shape.
public struct _GeospatialShape {
    let shape: GeoShape
}

extension RLMGeospatial {
    /// Encodes null, which is what other format strings show.
    public var _cVarArgEncoding: [Int] { [0] }
}

extension GeoBox: RLMGeospatial {
    public var _geospatialShape: _GeospatialShape { _GeospatialShape(shape: .box(self)) }
}

extension GeoPolygon: RLMGeospatial {
    public var _geospatialShape: _GeospatialShape { _GeospatialShape(shape: .polygon(self)) }
}

extension GeoCircle: RLMGeospatial {
    public var _geospatialShape: _GeospatialShape { _GeospatialShape(shape: .circle(self)) }
}
