import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Each entry with one of the wrong places in turn, because they all go through the same gate; with
/// all of them in a longer run (``Stress``).
private func placesInTurn(for entries: [String: ConfinedEntry]) -> [(String, WrongPlace)] {
    let places = WrongPlace.allCases
    return entries.keys.sorted().enumerated().flatMap { index, name in
        (Stress.factor > 1 ? places : [places[index % places.count]]).map { (name, $0) }
    }
}

/// Each public entry of each live type, from places that its realm does not belong to.
@Suite struct ConfinedEntryTests {
    @Test(arguments: placesInTurn(for: ConfinedEntry.trapping))
    func traps(_ name: String, _ place: WrongPlace) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [name = name as String, place = place as WrongPlace] in
            try await place.use(ConfinedEntry.trapping[name])
        }
        expectReport(of: try #require(ConfinedEntry.trapping[name]), result)
    }

    @Test(arguments: placesInTurn(for: ConfinedEntry.collections))
    func collectionsTrap(_ name: String, _ place: WrongPlace) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [name = name as String, place = place as WrongPlace] in
            try await place.use(ConfinedEntry.collections[name])
        }
        expectReport(of: try #require(ConfinedEntry.collections[name]), result)
    }

    @Test(arguments: placesInTurn(for: ConfinedEntry.undo))
    func undoManagersTrap(_ name: String, _ place: WrongPlace) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [name = name as String, place = place as WrongPlace] in
            try await place.use(ConfinedEntry.undo[name])
        }
        expectReport(of: try #require(ConfinedEntry.undo[name]), result)
    }

    @Test func undoManagersWorkWhereTheyBelong() throws {
        try withTemporaryRealm { realm in
            let subject = try ConfinedSubject(realm)
            for (name, entry) in ConfinedEntry.undo.merging(
                ConfinedEntry.throwingOfUndo, uniquingKeysWith: { a, _ in a })
            {
                #expect(throws: Never.self, "\(name)") { try entry.use(subject) }
            }
        }
    }

    @Test(arguments: ConfinedEntry.throwingOfUndo.keys.sorted(), WrongPlace.allCases)
    func undoManagersThrow(_ name: String, _ place: WrongPlace) async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        let entry = try #require(ConfinedEntry.throwingOfUndo[name])
        let report = await #expect(throws: ConfinementViolation.self) {
            try await place.run(configuration) { subject in
                try ConfinedEntry.throwingOfUndo[name]?.use(subject)
            }
        }
        #expect(report?.access == entry.access)
        try onNewThread { try expectSound(configuration) }
        directory.delete()
    }

    @Test(arguments: WrongPlace.allCases)
    func historyTraps(_ place: WrongPlace) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [place = place as WrongPlace] in
            try await place.use(ConfinedEntry.historyChanges)
        }
        expectReport(of: ConfinedEntry.historyChanges, result)
    }

    @Test(arguments: ConfinedEntry.history.keys.sorted(), WrongPlace.allCases)
    func historyThrows(_ name: String, _ place: WrongPlace) async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        let entry = try #require(ConfinedEntry.history[name])
        let report = await #expect(throws: ConfinementViolation.self) {
            try await place.run(configuration) { subject in
                try ConfinedEntry.history[name]?.use(subject)
            }
        }
        #expect(report?.access == entry.access)
        try onNewThread { try expectSound(configuration) }
        directory.delete()
    }

    @Test(arguments: ConfinedEntry.throwing.keys.sorted(), WrongPlace.allCases)
    func throwsReport(_ name: String, _ place: WrongPlace) async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        let entry = try #require(ConfinedEntry.throwing[name])
        let report = await #expect(throws: ConfinementViolation.self) {
            try await place.run(configuration) { subject in
                try ConfinedEntry.throwing[name]?.use(subject)
            }
        }
        #expect(report?.message == "Realm accessed from incorrect thread.")
        #expect(report?.access == entry.access)
        try onNewThread { try expectSound(configuration) }
        directory.delete()
    }

    @Test(arguments: WrongPlace.allCases)
    func exemptEntriesWorkAnywhere(_ place: WrongPlace) async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        let wrong = try await place.run(configuration) { subject in
            ConfinedEntry.exempt.filter { !$0.value(subject) }.map(\.key)
        }
        #expect(wrong.isEmpty)
        try onNewThread { try expectSound(configuration) }
        directory.delete()
    }

    @Test func asynchronousEntries() async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        let home = HomeActor()
        let subject = try await home.open(configuration)
        let report = await #expect(throws: ConfinementViolation.self) {
            try await VisitingActor().write(subject)
        }
        #expect(report?.access == "Realm.asyncWrite")
        #expect(report?.accessed.actor == "VisitingActor")
        #expect(report?.opened.actor == "HomeActor")
        #expect(try await home.check() == [])
        await home.run { withExtendedLifetime(subject) {} }
        directory.delete()
    }

    /// Two instances of one actor have one name, so the report says which is which.
    @Test func anotherInstanceOfTheSameActor() async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        let (home, other) = (HomeActor(), HomeActor())
        let subject = try await home.open(configuration)
        let report = await #expect(throws: ConfinementViolation.self) {
            try await other.write(subject)
        }
        let found = try #require(report)
        #expect(found.opened.actor == "HomeActor" && found.accessed.actor == "HomeActor")
        #expect(found.opened.actorAddress == UInt(bitPattern: ObjectIdentifier(home)))
        #expect(found.accessed.actorAddress == UInt(bitPattern: ObjectIdentifier(other)))
        let lines = found.description.split(separator: "\n").map(String.init)
        func name(_ actor: HomeActor) -> String {
            """
            in the actor 'HomeActor' (instance \
            0x\(String(UInt(bitPattern: ObjectIdentifier(actor)), radix: 16)))
            """
        }
        #expect(
            lines.contains { $0.hasPrefix("  Opened: ") && $0.contains(name(home)) }, "\(found)")
        #expect(
            lines.contains { $0.hasPrefix("  Accessed: ") && $0.contains(name(other)) }, "\(found)")
        #expect(
            found.remedy.hasPrefix(
                """
                This code runs on another instance of the same actor. Write in a method of \
                the instance of 'HomeActor' that the realm was opened for
                """
            ))
        // Elsewhere the address says nothing.
        let elsewhere = await #expect(throws: ConfinementViolation.self) {
            try await VisitingActor().write(subject)
        }
        #expect(elsewhere?.description.contains("instance") == false)
        #expect(try await home.check() == [])
        await home.run { withExtendedLifetime(subject) {} }
        directory.delete()
    }

    @Test func asynchronousRefreshTraps() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let directory = try TemporaryDirectory()
            let home = HomeActor()
            let subject = try await home.open(
                Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all))
            await VisitingActor().refresh(subject)
            await home.close()
        }
        expectMessage(
            result, "What: Realm.asyncRefresh() of the realm at '",
            "Accessed: in the actor 'VisitingActor'")
    }
}

private actor VisitingActor {
    func write(_ subject: Smuggled<ConfinedSubject>) async throws {
        try await subject.value.realm.asyncWrite {}
    }

    func refresh(_ subject: Smuggled<ConfinedSubject>) async {
        await subject.value.realm.asyncRefresh()
    }
}

extension HomeActor {
    fileprivate func write(_ subject: Smuggled<ConfinedSubject>) async throws {
        try await subject.value.realm.asyncWrite {}
    }
}

extension WrongPlace {
    /// Uses an entry of a realm that does not belong here.
    fileprivate func use(_ entry: ConfinedEntry?) async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        try await run(configuration) { subject in try entry?.use(subject) }
    }
}

private func expectReport(
    of entry: ConfinedEntry, _ result: ExitTest.Result?,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    expectMessage(
        result,
        "Realm accessed from incorrect thread.\n  What: \(entry.access) of the realm at '",
        "\n  Opened: at FreeholdThreadsTests/Confined", "\n  Remedy: ",
        sourceLocation: sourceLocation)
}
