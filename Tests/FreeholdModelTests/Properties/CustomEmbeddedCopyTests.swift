import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

private typealias Day = CustomEmbedded.Day
private typealias PlainDay = CustomEmbedded.PlainDay
private typealias Trip = CustomEmbedded.Trip

/// Has embedded objects that link to objects with primary keys.
private final class Desk: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var record: TicketedRecord?
    @Persisted var records: List<TicketedRecord>
    @Persisted var named: Map<String, TicketedRecord?>
    @Persisted var ticket: Ticketed?
    @Persisted var tickets: List<Ticketed>
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Copies of values that are stored as embedded objects, between classes that declare them in
/// other ways, and of embedded objects with links.
@Suite struct CustomEmbeddedCopyTests {
    private static func day() -> Day {
        let day = Day()
        day.id = 1
        day.pause = Span(12, 13)
        day.spans.append(objectsIn: [Span(1, 2), Span(3, 4)])
        day.named["a"] = Span(5, 6)
        day.named["none"] = .some(nil)
        return day
    }

    private func expectSame(
        _ plain: PlainDay, _ day: Day, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(
            plain.open?.upper == day.open.upper && plain.pause?.lower == day.pause?.lower,
            sourceLocation: sourceLocation)
        #expect(
            plain.spans.map(\.lower) == day.spans.map(\.lower)
                && plain.spans.map(\.upper) == day.spans.map(\.upper),
            sourceLocation: sourceLocation)
        #expect(
            plain.named["a"]??.upper == day.named["a"]??.upper
                && plain.named.count == day.named.count, sourceLocation: sourceLocation)
        #expect(!plain.spans.isEmpty && plain.named.count > 1, sourceLocation: sourceLocation)
    }

    @Test func unmanagedValuesAndEmbeddedObjects() throws {
        let day = Self.day()
        let plain = PlainDay(value: day)
        expectSame(plain, day)
        let back = Day(value: plain)
        expectSame(plain, back)
        #expect(
            back.open == day.open && back.spans == day.spans && back.named["none"] == .some(nil))
        back.spans.removeAll()
        back["spans"] = plain.spans
        #expect(back.spans == day.spans)
        plain.spans.removeAll()
        plain["spans"] = day.spans
        expectSame(plain, day)
        plain["named"] = back.named
        expectSame(plain, day)
    }

    @Test(arguments: [Realm.UpdatePolicy.error, .modified, .all])
    func valuesToEmbeddedObjects(_ policy: Realm.UpdatePolicy) throws {
        try withTemporaryRealm(CustomEmbedded.days) { realm in
            let day = Self.day()
            try realm.write { realm.add(day) }
            try withTemporaryRealm([PlainDay.self, SpanRecord.self]) { other in
                for source in [day, Self.day()] {
                    let copy = try other.write { () -> PlainDay in
                        if policy == .error { other.deleteAll() }
                        return other.create(PlainDay.self, value: source, update: policy)
                    }
                    expectSame(copy, source)
                    #expect(copy.spans[0].realm == other && other.objects(PlainDay.self).count == 1)
                }
                try other.write {
                    let copy = try #require(other.objects(PlainDay.self).first)
                    copy.spans.removeAll()
                    copy["spans"] = Self.day().spans
                    #expect(copy.spans.map(\.upper) == [2, 4])
                    if policy == .error { return }
                    other.create(
                        PlainDay.self,
                        value: [
                            "id": 1, "spans": day.spans, "pause": day["pause"] as Any,
                            "named": day.named,
                        ] as [String: Any], update: policy)
                    expectSame(copy, day)
                }
            }
        }
    }

    @Test(arguments: [Realm.UpdatePolicy.error, .modified, .all])
    func embeddedObjectsToValues(_ policy: Realm.UpdatePolicy) throws {
        try withTemporaryRealm([PlainDay.self, SpanRecord.self]) { realm in
            let plain = PlainDay(value: Self.day())
            try realm.write { realm.add(plain) }
            try withTemporaryRealm(CustomEmbedded.days) { other in
                for source in [plain, PlainDay(value: Self.day())] {
                    let copy = try other.write { () -> Day in
                        if policy == .error { other.deleteAll() }
                        return other.create(Day.self, value: source, update: policy)
                    }
                    expectSame(source, copy)
                    #expect(other.objects(Day.self).count == 1)
                }
                try other.write {
                    let copy = try #require(other.objects(Day.self).first)
                    copy.spans.removeAll()
                    copy["spans"] = PlainDay(value: Self.day()).spans
                    #expect(Array(copy.spans) == [Span(1, 2), Span(3, 4)])
                    if policy == .error { return }
                    other.create(
                        Day.self,
                        value: [
                            "id": 1, "spans": plain.spans, "open": plain.open as Any,
                            "named": plain.named,
                        ] as [String: Any], update: policy)
                    expectSame(plain, copy)
                }
            }
        }
    }

    /// The values of a whole object link to objects of its realm, which are copied as well:
    /// each once.
    @Test func linksOfValuesAreCopied() throws {
        try withTemporaryRealm(CustomEmbedded.visits) { realm in
            let visit = CustomEmbedded.Visit()
            visit.id = 1
            visit.ticket.trip = Trip(1, Place(1))
            try realm.write {
                realm.add(visit)
                visit.tickets.append(objectsIn: [visit.ticket, visit.ticket])
            }
            for source in [visit, visit.freeze()] {
                try withTemporaryRealm(CustomEmbedded.visits) { other in
                    try other.write {
                        for policy in [Realm.UpdatePolicy.error, .modified, .all] {
                            let copy = other.create(
                                CustomEmbedded.Visit.self, value: source, update: policy)
                            #expect(
                                copy.ticket.id == visit.ticket.id
                                    && copy.tickets.map(\.id) == visit.tickets.map(\.id)
                                    && copy.tickets.count == 2)
                            #expect(
                                copy.ticket.trip?.realm == other
                                    && copy.tickets.allSatisfy { $0.trip == copy.ticket.trip })
                            #expect(
                                other.objects(Trip.self).count == 1
                                    && other.objects(CustomEmbedded.Visit.self).count == 1)
                        }
                    }
                }
            }
        }
    }

    /// What embedded objects of another realm link to is updated as the policy says, when they
    /// come into an object that exists, too.
    @Test(arguments: [Realm.UpdatePolicy.modified, .all])
    func linksOfEmbeddedObjectsAreUpdated(_ policy: Realm.UpdatePolicy) throws {
        let types: [ObjectBase.Type] = [Desk.self, TicketedRecord.self] + CustomEmbedded.trips
        try withTemporaryRealm(types) { realm in
            let desk = try realm.write { () -> Desk in
                let trip = Trip(1, Place(1))
                realm.add(trip)
                let record: [String: Any] = ["trip": trip, "place": ["latitude": 7]]
                return realm.create(
                    Desk.self,
                    value: [
                        "id": 1, "record": record, "records": [record], "named": ["a": record],
                        "ticket": record, "tickets": [record],
                    ] as [String: Any])
            }
            let names = ["record", "records", "named", "ticket", "tickets"]
            for name in names {
                try withTemporaryRealm(types) { other in
                    try other.write {
                        other.create(
                            Trip.self, value: ["id": 1, "place": ["latitude": 2]] as [String: Any])
                        other.create(Desk.self, value: ["id": 1])
                        let copy = other.create(
                            Desk.self, value: ["id": 1, name: desk[name] as Any] as [String: Any],
                            update: policy)
                        let linked =
                            switch name {
                            case "record": copy.record?.trip
                            case "records": copy.records.first?.trip
                            case "named": copy.named["a"]??.trip
                            case "ticket": copy.ticket?.trip
                            default: copy.tickets.first?.trip
                            }
                        #expect(linked?.realm == other && linked?.place == Place(1), "\(name)")
                        #expect(
                            other.objects(Trip.self).count == 1
                                && other.objects(Desk.self).count == 1, "\(name)")
                    }
                }
            }
        }
    }

    /// The policy is that of one call: what is assigned afterwards is added as ever.
    @Test func updatingLeavesNoPolicyBehind() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let types: [ObjectBase.Type] = [Desk.self, TicketedRecord.self] + CustomEmbedded.trips
            try withTemporaryRealm(types) { realm in
                try realm.write {
                    realm.create(Trip.self, value: ["id": 1])
                    realm.create(Desk.self, value: ["id": 1])
                    let desk = realm.create(
                        Desk.self,
                        value: ["id": 1, "record": ["place": ["latitude": 7]]] as [String: Any],
                        update: .modified)
                    let record = TicketedRecord()
                    record.trip = Trip(1, Place(1))
                    desk.record = record
                }
            }
        }
        expectMessage(
            result,
            """
            Attempting to create an object of type 'CustomEmbedded_Trip' with an existing \
            primary key value\(EncryptedSuite.inPlain(" '1'")).
            """
        )
    }
}

// MARK: - Values that would never end

private struct Node: CustomPersistable {
    typealias PersistedType = NodeRecord
    init(persistedValue: NodeRecord) {}
    var persistableValue: NodeRecord { NodeRecord() }
}

private final class NodeRecord: EmbeddedObject {
    @Persisted var number: Int
    @Persisted var next: Node
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class NodeOwner: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var node: Node
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private struct Left: CustomPersistable {
    typealias PersistedType = LeftRecord
    init(persistedValue: LeftRecord) {}
    var persistableValue: LeftRecord { LeftRecord() }
}

private struct Right: CustomPersistable {
    typealias PersistedType = RightRecord
    init(persistedValue: RightRecord) {}
    var persistableValue: RightRecord { RightRecord() }
}

private final class LeftRecord: EmbeddedObject {
    @Persisted var right: Right
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class RightRecord: EmbeddedObject {
    @Persisted var left: Left
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// May end: optionals, and lists, which begin empty.
private struct Branch: CustomPersistable {
    var number = 0
    var children: [Branch] = []
    typealias PersistedType = BranchRecord
    init(_ number: Int, _ children: Branch...) { (self.number, self.children) = (number, children) }
    init(persistedValue: BranchRecord) {
        (number, children) = (persistedValue.number, Array(persistedValue.children))
    }
    var persistableValue: BranchRecord {
        let record = BranchRecord()
        record.number = number
        record.children.append(objectsIn: children)
        return record
    }
}

private final class BranchRecord: EmbeddedObject {
    @Persisted var number: Int
    @Persisted var only: Branch?
    @Persisted var children: List<Branch>
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class BranchOwner: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var branch: Branch
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite struct EndlessValueTests {
    private func expectRefused(_ types: [ObjectBase.Type], _ names: [String]) throws {
        try withTemporaryDirectory { directory in
            let error = #expect(throws: Realm.Error.self) {
                try Realm(configuration: .init(fileURL: directory.file(), objectTypes: types))
            }
            let text = try #require(error?.description)
            for name in names {
                #expect(
                    text.contains(
                        """
                        Property '\(name)' needs a value that holds, in properties that \
                        are not optional, another one of its own type
                        """
                    ), "\(text)")
            }
        }
    }

    @Test func valuesOfThemselvesAreRefused() throws {
        try expectRefused([NodeRecord.self], ["NodeRecord.next"])
        try expectRefused(
            [NodeOwner.self, NodeRecord.self], ["NodeOwner.node", "NodeRecord.next"])
        try expectRefused(
            [LeftRecord.self, RightRecord.self], ["LeftRecord.right", "RightRecord.left"])
    }

    @Test func valuesThatMayEndAreNot() throws {
        try withTemporaryRealm([BranchOwner.self, BranchRecord.self]) { realm in
            let owner = BranchOwner()
            owner.branch = Branch(1, Branch(2, Branch(3)), Branch(4))
            try realm.write { realm.add(owner) }
            #expect(
                owner.branch.children[0].children[0].number == 3
                    && owner.branch.children[1].children.isEmpty)
        }
    }
}
