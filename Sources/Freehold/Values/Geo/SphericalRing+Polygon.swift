// The rings of one polygon, and the rules between them.

extension SphericalRing {
    /// Returns the outer ring of a polygon, then its holes. O(points²).
    static func rings(of polygon: GeoPolygon) throws(RingProblem) -> [SphericalRing] {
        let outer = try SphericalRing(polygon.outerRing, number: 0)
        var rings = [outer]
        for (index, hole) in polygon.holes.enumerated() {
            let ring = try SphericalRing(hole, number: index + 1)
            if !outer.contains(ring) {
                throw RingProblem(
                    "Secondary ring \(index + 1) not contained by first exterior ring - "
                        + "secondary rings must be holes in the first ring",
                    remedy: """
                        A hole lies inside of the outer ring. Query two polygons with || \
                        to have both.
                        """)
            }
            rings.append(ring)
        }
        try checkEdges(of: rings)
        try checkHoles(of: rings)
        return rings
    }

    private struct Edge: Hashable {
        let from: Place
        let to: Place
    }

    /// Checks that no edge is in two rings, in either direction.
    private static func checkEdges(of rings: [SphericalRing]) throws(RingProblem) {
        var known: [Edge: (ring: Int, edge: Int)] = [:]
        for (number, ring) in rings.enumerated() {
            for (index, from) in ring.places.enumerated() {
                let to = ring.places[(index + 1) % ring.places.count]
                for edge in [Edge(from: from, to: to), Edge(from: to, to: from)] {
                    guard let other = known.updateValue((number, index), forKey: edge) else {
                        continue
                    }
                    throw RingProblem(
                        "Polygon isn't valid: 'Duplicate edge: ring \(number), edge \(index) and "
                            + "ring \(other.ring), edge \(other.edge)'",
                        remedy:
                            "Rings have no edge in common: draw one ring along the outside of both."
                    )
                }
            }
        }
    }

    private static func checkHoles(of rings: [SphericalRing]) throws(RingProblem) {
        let outerPlaces = Set(rings[0].places)
        for (number, hole) in rings.enumerated().dropFirst() {
            for other in rings.indices.dropFirst(number + 1) where hole.crosses(rings[other]) {
                throw RingProblem(
                    "Polygon isn't valid: 'Loop \(number) crosses loop \(other)'",
                    remedy: "Holes that overlap are one hole: draw the ring around both.")
            }
            if hole.places.count(where: outerPlaces.contains) > 1 {
                throw RingProblem(
                    "Polygon is not normalized: "
                        + "'Ring \(number) shares more than one vertex with its parent ring 0'",
                    remedy: "Such a hole cuts the polygon in two: query two polygons with ||.")
            }
        }
        // Each outermost hole is compared with those before it.
        var count = 0
        let holes = rings.indices.dropFirst()
        for hole in holes
        where !holes.contains(where: { $0 != hole && rings[$0].contains(rings[hole]) }) {
            count += 1
            if holes.contains(where: { $0 != hole && rings[hole].contains(rings[$0]) }) {
                throw RingProblem(
                    "Polygon interior rings cannot be nested: \(count + 1)",
                    remedy: """
                        What is inside of a hole is outside of the polygon: query an \
                        island as a second one with ||.
                        """)
            }
        }
    }
}
