import Foundation
import FreeholdStorage

/// A region in a condition.
enum GeoShape: Hashable, Sendable {
    case box(GeoBox)
    case polygon(GeoPolygon)
    case circle(GeoCircle)

    init?(any value: Any?) {
        switch value {
        case let box as GeoBox: self = .box(box)
        case let polygon as GeoPolygon: self = .polygon(polygon)
        case let circle as GeoCircle: self = .circle(circle)
        default: return nil
        }
    }

    /// The value that the program made.
    var value: Any {
        switch self {
        case .box(let box): box
        case .polygon(let polygon): polygon
        case .circle(let circle): circle
        }
    }
}

extension GeoShape: CustomStringConvertible {
    var description: String { "\(value)" }
}

extension GeoShape {
    /// The shape in the notation of Realm's errors: "GeoCircle([longitude, latitude, altitude],
    /// radius)".
    var queryText: String {
        switch self {
        case .box(let box): "GeoBox(\(Self.text(box.bottomLeft)), \(Self.text(box.topRight)))"
        case .circle(let circle):
            "GeoCircle(\(Self.text(circle.center)), \(Self.text(circle.radiusInRadians)))"
        case .polygon(let polygon):
            "GeoPolygon("
                + ([polygon.outerRing] + polygon.holes).map { ring in
                    "{" + ring.map { Self.text($0) }.joined(separator: ", ") + "}"
                }.joined(separator: ", ") + ")"
        }
    }

    private static func text(_ point: GeoPoint) -> String {
        "[\(text(point.longitude)), \(text(point.latitude)), \(text(point.altitude))]"
    }

    /// Returns the number with six digits, without trailing zeros.
    private static func text(_ number: Double) -> String { String(format: "%g", number) }
}

/// A shape prepared for testing many places.
enum GeoRegion: Sendable {
    case box(GeoBox)
    case circle(center: SphericalVector, radius: Double)
    case polygon(SphericalRing, holes: [SphericalRing])

    /// Throws if a shape is not valid, with Realm's text if Realm has one.
    init(_ shape: GeoShape) throws(QueryError) {
        switch shape {
        case .box(let box): self = .box(box)
        case .circle(let circle):
            self = .circle(center: SphericalVector(circle.center), radius: circle.radiusInRadians)
        case .polygon(let polygon):
            do throws(RingProblem) {
                let rings = try SphericalRing.rings(of: polygon)
                self = .polygon(rings[0], holes: Array(rings.dropFirst()))
            } catch {
                throw QueryError(
                    """
                    Invalid region in GEOWITHIN query for parameter '\(shape.queryText)': \
                    '\(error.text)'
                    """, remedy: error.remedy)
            }
        }
    }

    /// Whether a place is in the region. The coordinates are a longitude, a latitude, and
    /// possibly more.
    func contains(_ coordinates: ContiguousArray<Double>) -> Bool {
        guard coordinates.count >= 2,
            let point = GeoPoint(latitude: coordinates[1], longitude: coordinates[0])
        else { return false }
        return contains(point)
    }

    func contains(_ point: GeoPoint) -> Bool {
        switch self {
        case .box(let box): box.contains(point)
        case .circle(let center, let radius): center.angle(to: SphericalVector(point)) <= radius
        case .polygon(let outer, let holes):
            outer.contains(SphericalVector(point))
                && !holes.contains { $0.contains(SphericalVector(point)) }
        }
    }
}

extension GeoBox {
    /// How far rounding may move a place, in radians: less than a thousandth of a millimeter.
    private static let tolerance = 1e-13

    func contains(_ point: GeoPoint) -> Bool {
        guard bottomLeft.latitude <= topRight.latitude else { return false }
        // Meridians meet at the poles.
        if abs(point.latitude) == 90 {
            return point.latitude == 90 ? topRight.latitude == 90 : bottomLeft.latitude == -90
        }
        let isWhole = bottomLeft.longitude == -180 && topRight.longitude == 180
        let width = isWhole ? 360 : Self.degrees(from: bottomLeft.longitude, to: topRight.longitude)
        let position = isWhole ? 0 : Self.degrees(from: bottomLeft.longitude, to: point.longitude)
        guard position <= width else { return false }
        let latitude = point.latitude * .pi / 180
        return latitude >= edge(bottomLeft.latitude, width, position) - Self.tolerance
            && latitude <= edge(topRight.latitude, width, position) + Self.tolerance
    }

    /// Returns the latitude where an edge from west to east meets a meridian, in radians.
    /// - Parameters:
    ///   - latitude: The latitude of the edge's corners, in degrees.
    ///   - position: How far east of its western corner the meridian is, in degrees.
    private func edge(_ latitude: Double, _ width: Double, _ position: Double) -> Double {
        let angle = latitude * .pi / 180
        // At the corners themselves nothing is computed, so nothing is rounded.
        if width >= 180 || position == 0 || position == width || abs(latitude) == 90 {
            return angle
        }
        return atan(
            tan(angle) * cos((position - width / 2) * .pi / 180) / cos(width / 2 * .pi / 180))
    }

    /// Returns the distance to the east in degrees, from 0 to less than 360.
    private static func degrees(from west: Double, to east: Double) -> Double {
        let difference = east - west
        return difference < 0 ? difference + 360 : difference == 360 ? 0 : difference
    }
}
