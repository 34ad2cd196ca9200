extension Query where T: OptionalProtocol, T.Wrapped: EmbeddedObject {
    /// Whether the location is in a box. False if there is no location, or if it is not a point.
    /// ``GeoPoint`` shows how to declare locations.
    ///
    /// O(rows): there is no index of places. Using the query traps if the class is not one of
    /// locations.
    public func geoWithin(_ box: GeoBox) -> Query<Bool> { Query<Bool>(form.isPlace(in: .box(box))) }

    /// Whether the location is in a polygon. False if there is no location, or if it is not a
    /// point. ``GeoPoint`` shows how to declare locations.
    ///
    /// O(rows × points): there is no index of places. Using the query traps if the class is not
    /// one of locations, or if the polygon's rings cross themselves.
    public func geoWithin(_ polygon: GeoPolygon) -> Query<Bool> {
        Query<Bool>(form.isPlace(in: .polygon(polygon)))
    }

    /// Whether the location is in a circle. False if there is no location, or if it is not a
    /// point. ``GeoPoint`` shows how to declare locations.
    ///
    ///     let nearby = GeoCircle(center: here, radius: .kilometers(2)!)
    ///     realm.objects(Restaurant.self).where { $0.location.geoWithin(nearby) }
    ///
    /// O(rows): there is no index of places. Using the query traps if the class is not one of
    /// locations.
    public func geoWithin(_ circle: GeoCircle) -> Query<Bool> {
        Query<Bool>(form.isPlace(in: .circle(circle)))
    }

    /// Whether the location is in a shape of any kind, for generic functions. False if there is
    /// no location, or if it is not a point.
    ///
    /// O(rows): there is no index of places. Using the query traps if the class is not one of
    /// locations, or if a polygon's rings cross themselves.
    public func geoWithin<U: RLMGeospatial>(_ value: U) -> Query<Bool> {
        Query<Bool>(form.isPlace(in: value._geospatialShape.shape))
    }
}

extension QueryForm {
    fileprivate func isPlace(in shape: GeoShape) -> QueryForm {
        compared(.isIn, .constant(.geo(shape)))
    }
}
