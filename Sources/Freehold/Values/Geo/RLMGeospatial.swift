/// The shapes that ``Query/geoWithin(_:)-(U)`` takes: ``GeoBox``, ``GeoPolygon`` and ``GeoCircle``.
///
/// They may be passed where format strings take arguments; only those of predicates know them.
public protocol RLMGeospatial: CVarArg, Hashable, Sendable {
    /// For the library only.
    var _geospatialShape: _GeospatialShape { get }
}

/// What a shape is to the library.
public struct _GeospatialShape {
    let shape: GeoShape
}

extension RLMGeospatial {
    /// Null, which other format strings show as such.
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
