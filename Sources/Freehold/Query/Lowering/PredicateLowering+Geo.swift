import FreeholdStorage

// Locations: embedded objects in the form of GeoJSON points.

/// GeoJSON's names for the parts of a location.
private enum LocationNames {
    static let type = "type"
    static let coordinates = "coordinates"
    /// The only type that can be in a region.
    static let point = "Point"
}

extension PredicateLowering {
    /// Lowers whether the location at the end of a path is in a region. Throws if the path does
    /// not lead to locations.
    func place(_ path: PredicatePath, in shape: GeoShape) throws(QueryError) -> ScanPredicate {
        let region = try GeoRegion(shape)
        guard path.type.type == .object, case .column(let scan) = path.place,
            let target = path.type.target, target.schema.isEmbedded,
            let type = target.schema.ordinal(named: LocationNames.type),
            let coordinates = target.schema.ordinal(named: LocationNames.coordinates),
            target.schema.properties[type].type == .string,
            target.schema.properties[type].shape == nil,
            target.schema.properties[coordinates].type == .double,
            target.schema.properties[coordinates].shape == .list
        else { throw PredicateErrors.notALocation(path.type, shape) }
        // A condition on the row that a hop leads to has no links on the path.
        let links = scan.column == .rowKeys ? [] : scan.links + [scan.column]
        return .and([
            .compare(
                ScanPath(links: links, column: target.columns[type]), .equal,
                .text(Array(LocationNames.point.utf8))),
            .matchesNumbers(
                ScanPath(links: links, column: target.columns[coordinates]),
                ScanNumbersMatcher(name: "IN \(shape)") { region.contains($0) }),
        ])
    }
}

extension GeoRegion {
    /// Whether an object, managed or not, is a location in the region.
    func contains(location: ObjectBase?) -> Bool {
        guard let location, let schema = location.reflectedSchema,
            let type = schema.property(named: LocationNames.type),
            let coordinates = schema.property(named: LocationNames.coordinates),
            location.value(of: type) as? String == LocationNames.point,
            let numbers = location.value(of: coordinates) as? List<Double>
        else { return false }
        return contains(ContiguousArray(numbers))
    }
}
