/// Why rings are no polygon, with Realm's texts, where Realm has one.
struct InvalidPolygon: Error {
    let text: String
    let remedy: String

    init(_ text: String, remedy: String = "Rings are closed, do not cross themselves and have no point twice.") {
        self.text = text
        self.remedy = remedy
    }
}

extension GeoPolygon {
    /// The outer ring, and the holes.
    var allRings: [[GeoPoint]] { [outerRing] + holes }

    /// The rings, found to be a polygon's: in Realm's order of checks.
    func rings() throws(InvalidPolygon) -> (outer: SphericalRing, holes: [SphericalRing]) {
        let outer = try SphericalRing(outerRing, number: 0)
        var holes: [SphericalRing] = []
        for (index, hole) in self.holes.enumerated() {
            let ring = try SphericalRing(hole, number: index + 1)
            if !outer.contains(ring) {
                throw InvalidPolygon(
                    "Secondary ring \(index + 1) not contained by first exterior ring - secondary rings must be holes in the first ring",
                    remedy: "A hole lies inside of the outer ring. Query two polygons with || to have both.")
            }
            holes.append(ring)
        }
        try checkEdges([outer] + holes)
        for (index, hole) in holes.enumerated() {
            for (other, earlier) in holes[..<index].enumerated() where earlier.crosses(hole) {
                throw InvalidPolygon(
                    "Polygon isn't valid: 'Loop \(other + 1) crosses loop \(index + 1)'",
                    remedy: "Holes that overlap are one hole: draw the ring around both.")
            }
        }
        try checkNesting(holes)
        return (outer, holes)
    }

    private func checkEdges(_ rings: [SphericalRing]) throws(InvalidPolygon) {
        for (index, ring) in rings.enumerated() {
            for (other, earlier) in rings[..<index].enumerated() {
                guard let edge = ring.commonEdge(earlier) else { continue }
                throw InvalidPolygon(
                    "Polygon isn't valid: 'Duplicate edge: ring \(index), edge \(edge.own) and ring \(other), edge \(edge.other)'",
                    remedy: "Rings may touch each other in points. Draw holes with a common edge as one.")
            }
        }
    }

    private func checkNesting(_ holes: [SphericalRing]) throws(InvalidPolygon) {
        // Behind the ring that it is in, each.
        for (index, outer) in holes.enumerated() {
            for (other, inner) in holes.enumerated() where other != index && outer.contains(inner) {
                throw InvalidPolygon(
                    "Polygon interior rings cannot be nested: \(max(index, other) + 1)",
                    remedy: "An island inside of a hole is a polygon of its own: query both with ||.")
            }
        }
    }
}
