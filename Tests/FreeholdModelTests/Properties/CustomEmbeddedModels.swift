import Foundation
import Freehold
import FreeholdRealmTestSupport

/// A place on a map, stored as an embedded object.
struct Place: CustomPersistable, Codable, Sendable {
    var latitude: Double
    var longitude: Double
    var tags: [String] = []

    typealias PersistedType = PlaceRecord

    init(_ latitude: Double, _ longitude: Double = 0, tags: [String] = []) {
        (self.latitude, self.longitude, self.tags) = (latitude, longitude, tags)
    }

    init(persistedValue: PlaceRecord) {
        (latitude, longitude, tags) = (
            persistedValue.latitude, persistedValue.longitude, Array(persistedValue.tags)
        )
    }

    var persistableValue: PlaceRecord {
        let record = PlaceRecord()
        (record.latitude, record.longitude) = (latitude, longitude)
        record.tags.append(objectsIn: tags)
        return record
    }
}

final class PlaceRecord: EmbeddedObject {
    @Persisted var latitude = 0.0
    @Persisted var longitude = 0.0
    @Persisted var tags: List<String>
    @Persisted(originProperty: "place") var users: LinkingObjects<CustomEmbedded.Trip>
}

/// Not every range is one: the upper bound must not be less than the lower one.
struct Span: FailableCustomPersistable {
    let lower: Int
    let upper: Int

    typealias PersistedType = SpanRecord

    init(_ lower: Int, _ upper: Int) { (self.lower, self.upper) = (lower, upper) }

    init?(persistedValue: SpanRecord) {
        guard persistedValue.lower < persistedValue.upper else { return nil }
        (lower, upper) = (persistedValue.lower, persistedValue.upper)
    }

    var persistableValue: SpanRecord { SpanRecord(value: [lower, upper]) }
}

final class SpanRecord: EmbeddedObject {
    @Persisted var lower: Int
    @Persisted var upper: Int
}

/// Its record has a default of its own each time, has another value inside, and links to objects.
struct Ticketed: CustomPersistable {
    var id: UUID
    var place: Place
    var trip: CustomEmbedded.Trip?

    typealias PersistedType = TicketedRecord

    init(persistedValue: TicketedRecord) {
        (id, place, trip) = (persistedValue.id, persistedValue.place, persistedValue.trip)
    }

    var persistableValue: TicketedRecord {
        TicketedRecord(value: ["id": id, "place": place, "trip": trip as Any])
    }
}

final class TicketedRecord: EmbeddedObject {
    @Persisted var id: UUID
    @Persisted var place: Place
    @Persisted var trip: CustomEmbedded.Trip?
}

/// Keeps the object that it was made from.
struct Holder: CustomPersistable {
    let record: SpanRecord

    init(_ record: SpanRecord) { self.record = record }
    init(persistedValue: SpanRecord) { record = persistedValue }
    var persistableValue: SpanRecord { record }
}

enum CustomEmbedded {
    final class Trip: Object, Codable {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var place: Place
        @Persisted var stop: Place?
        @Persisted var stops: List<Place>
        @Persisted var named: Map<String, Place?>

        convenience init(_ id: Int, _ place: Place, stop: Place? = nil, stops: Place...) {
            self.init()
            self.id = id
            self.place = place
            self.stop = stop
            self.stops.append(objectsIn: stops)
        }
    }

    final class Day: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var open = Span(9, 17)
        @Persisted var pause: Span?
        @Persisted var spans: List<Span>
        @Persisted var named: Map<String, Span?>
    }

    final class Visit: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var ticket: Ticketed
        @Persisted var tickets: List<Ticketed>
    }

    final class Kept: Object {
        @Persisted var first: Holder?
        @Persisted var second: Holder?
        @Persisted var plain: SpanRecord?
        @Persisted var all: List<Holder>
    }

    /// The same classes of the file, with plain embedded objects.
    final class PlainDay: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var open: SpanRecord?
        @Persisted var pause: SpanRecord?
        @Persisted var spans: List<SpanRecord>
        @Persisted var named: Map<String, SpanRecord?>
        override class func className() -> String { "CustomEmbedded_Day" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class WithoutDefault: Object {
        @Persisted var span: Span
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class WithSet: Object {
        @Persisted var places: MutableSet<Place>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    static let trips: [ObjectBase.Type] = [Trip.self, PlaceRecord.self]
    static let days: [ObjectBase.Type] = [Day.self, SpanRecord.self]
    static let visits: [ObjectBase.Type] = [Visit.self, TicketedRecord.self] + trips
    static let kept: [ObjectBase.Type] = [Kept.self, SpanRecord.self]
}
