import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// A realm that nothing but its own calls moves, because its scheduler never comes to the work
/// that others leave there, beside a thread that commits.
struct ReaderPins {
    let realm: Realm

    /// Commits of another thread, which keeps nothing of the file.
    func commit(_ count: Int = 5) throws {
        let configuration = realm.configuration
        try onNewThread {
            let other = try Realm(configuration: configuration)
            let next = (other.objects(Fixture.Person.self).max(of: \.id) ?? 0) + 1
            for id in next..<next + count {
                try other.write { other.add(Fixture.Person(id: id, name: "\(id)")) }
            }
        }
        realm.waitForNotifier()
    }

    /// Nothing but the newest version is read, and the realm is the only one that reads it.
    func expectOnlyNewest(_ what: String, sourceLocation: SourceLocation = #_sourceLocation) throws
    {
        realm.waitForNotifier()
        let versions = realm.readVersions
        let report = try realm.versionReport()
        #expect(
            versions == [report.newestVersion], "\(what): \(report)", sourceLocation: sourceLocation
        )
        #expect(
            report.activeVersionCount == 1, "\(what): \(report)", sourceLocation: sourceLocation)
    }

    /// The report names each holder of a version, with a place.
    func expectAllNamed(_ what: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        realm.waitForNotifier()
        let versions = realm.readVersions
        let report = try realm.versionReport()
        let named = Set(report.pins.map(\.version))
        #expect(
            versions.allSatisfy(named.contains), "\(what): \(versions) are read: \(report)",
            sourceLocation: sourceLocation)
        #expect(
            report.pins.allSatisfy { $0.place != nil }, "\(what): \(report)",
            sourceLocation: sourceLocation)
    }
}

/// What a program does to move a realm by hand.
enum MoveByHand: String, CaseIterable {
    case refresh, emptyWrite, invalidate
}

/// How a realm is observed while it is moved.
enum ObservedSoFar: String, CaseIterable {
    case not, notToldYet, told
}

extension ReaderPins {
    /// Moves a realm by hand again and again, beside others' commits, and looks at what is kept
    /// each time.
    func moveByHand(_ move: MoveByHand, _ observed: ObservedSoFar, autorefresh: Bool) throws {
        let what = "\(move), \(observed), autorefresh \(autorefresh)"
        try realm.write { realm.deleteAll() }
        realm.autorefresh = autorefresh
        var tokens: [NotificationToken] = []
        var callCount = 0
        func observe() {
            if observed != .not {
                tokens.append(realm.objects(Fixture.Person.self).observe { _ in callCount += 1 })
            }
        }
        observe()
        // Delivers the beginning, too.
        if observed == .told { realm.refresh() }
        for round in 0..<4 {
            try commit()
            try expectAllNamed("\(what), behind")
            switch move {
            case .refresh: #expect(realm.refresh(), "\(what)")
            case .emptyWrite: try realm.write {}
            case .invalidate:
                realm.invalidate()
                realm.waitForNotifier()
                #expect(realm.readVersions == [], "\(what)")
                try commit()
                #expect(realm.readVersions == [], "\(what)")
                #expect(realm.objects(Fixture.Person.self).count == (round + 1) * 10, "\(what)")
            }
            try expectOnlyNewest(what)
            if move == .invalidate { observe() }
        }
        #expect(move == .invalidate || observed != .told || callCount == 5, "\(what): \(callCount)")
        tokens = []
        realm.autorefresh = true
        realm.refresh()
    }

    /// Every combination.
    func moveByHand(observable: Bool = true) throws {
        for move in MoveByHand.allCases {
            for observed in ObservedSoFar.allCases where observable || observed == .not {
                for autorefresh in [true, false] {
                    try moveByHand(move, observed, autorefresh: autorefresh)
                }
            }
        }
    }
}
