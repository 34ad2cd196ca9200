extension Query where T: OptionalProtocol, T.Wrapped: EmbeddedObject {
    /// Whether the location is in a box. False where there is no location, or where it is no
    /// point. See ``GeoPoint`` for how locations are declared.
    ///
    /// O(rows): there is no index of places. Traps where the query is used if the class is not
    /// one of locations.
    public func geoWithin(_ box: GeoBox) -> Query<Bool> { Query<Bool>(form.isPlace(in: .box(box))) }

    /// Whether the location is in a polygon. False where there is no location, or where it is
    /// no point. See ``GeoPoint`` for how locations are declared.
    ///
    /// O(rows × points): there is no index of places. Traps where the query is used if the
    /// class is not one of locations, or the polygon's rings cross themselves.
    public func geoWithin(_ polygon: GeoPolygon) -> Query<Bool> {
        Query<Bool>(form.isPlace(in: .polygon(polygon)))
    }

    /// Whether the location is in a circle. False where there is no location, or where it is no
    /// point. See ``GeoPoint`` for how locations are declared.
    ///
    ///     realm.objects(Restaurant.self).where { $0.location.geoWithin(GeoCircle(center: here, radius: .kilometers(2)!)) }
    ///
    /// O(rows): there is no index of places. Traps where the query is used if the class is not
    /// one of locations.
    public func geoWithin(_ circle: GeoCircle) -> Query<Bool> {
        Query<Bool>(form.isPlace(in: .circle(circle)))
    }

    /// Whether the location is in a shape of any kind, for generic functions. False where there
    /// is no location, or where it is no point.
    ///
    /// O(rows): there is no index of places. Traps where the query is used if the class is not
    /// one of locations, or a polygon's rings cross themselves.
    public func geoWithin<U: RLMGeospatial>(_ value: U) -> Query<Bool> {
        Query<Bool>(form.isPlace(in: value._geospatialShape.shape))
    }
}

extension QueryForm {
    fileprivate func isPlace(in shape: GeoShape) -> QueryForm {
        compared(.isIn, .constant(.geo(shape)))
    }
}
