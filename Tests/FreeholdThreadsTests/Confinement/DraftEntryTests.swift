import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Each public entry of each live type in a draft: where it belongs it works, or is refused for a
/// known reason; elsewhere it is a violation, as in every realm.
@Suite struct DraftEntryTests {
    private static let all: [String: ConfinedEntry] = [
        ConfinedEntry.trapping, ConfinedEntry.collections, ConfinedEntry.throwing,
        ConfinedEntry.drafts, ConfinedEntry.throwingOfDrafts,
    ].reduce(into: [:]) { $0.merge($1) { first, _ in first } }

    /// What these subjects refuse in every realm: nobody links to the person, and nested lists
    /// have neither queries nor sorted forms.
    private static let refusedAnywhere: Set = [
        "linkingObjects.objects(at:)", "linkingObjects[0]", "nested list.filter",
        "nested list.sorted",
    ]

    /// A subject of a draft, whose objects are in the file.
    private static func subject(_ configuration: Realm.Configuration) throws -> ConfinedSubject {
        let draft = try Realm(configuration: configuration).draft()
        let subject = try ConfinedSubject(draft.realm)
        try draft.save()
        return subject
    }

    private static func inMemory(_ name: String = #function) -> Realm.Configuration {
        Realm.Configuration(
            inMemoryIdentifier: "DraftEntryTests \(name) \(UUID())", objectTypes: Fixture.all)
    }

    @Test func workWhereTheyBelong() throws {
        let configuration = Self.inMemory()
        try onNewThread {
            let realm = try Realm(configuration: configuration)
            for (name, entry) in Self.all.sorted(by: { $0.key < $1.key })
            where ConfinedEntry.refusedInDrafts[name] == nil && !Self.refusedAnywhere.contains(name)
            {
                let subject = try Self.subject(configuration)
                do {
                    try entry.use(subject)
                } catch {
                    Issue.record("\(name): \(error)")
                }
                if !subject.draft.isDiscarded, subject.realm.isInWriteTransaction {
                    subject.realm.cancelWrite()
                }
            }
            #expect(try realm.check().isEmpty)
        }
    }

    @Test(arguments: ConfinedEntry.refusedInDrafts.keys.sorted())
    func areRefused(_ name: String) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [name = name as String] in
            try onNewThread {
                try Self.all[name]?.use(try Self.subject(Self.inMemory()))
            }
        }
        expectMessage(result, try #require(ConfinedEntry.refusedInDrafts[name]))
    }

    /// Those of drafts, and some of all others: they go through the gate of any realm.
    @Test(
        arguments: ConfinedEntry.drafts.keys.sorted()
            + ConfinedEntry.trapping.keys.sorted().enumerated().filter { $0.offset % 9 == 0 }.map {
                $0.element
            })
    func trapElsewhere(_ name: String) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [name = name as String] in
            try onNewThread {
                let subject = Smuggled(value: try Self.subject(Self.inMemory()))
                try onNewThread { try Self.all[name]?.use(subject.value) }
            }
        }
        let access = try #require(Self.all[name]).access
        expectMessage(
            result, "Realm accessed from incorrect thread.\n  What: \(access) of the realm at '")
    }

    @Test(arguments: ConfinedEntry.throwingOfDrafts.keys.sorted())
    func throwElsewhere(_ name: String) throws {
        let configuration = Self.inMemory()
        try onNewThread {
            let subject = Smuggled(value: try Self.subject(configuration))
            try onNewThread {
                let entry = try #require(Self.all[name])
                let report = #expect(throws: ConfinementViolation.self) {
                    try entry.use(subject.value)
                }
                #expect(report?.access == entry.access)
            }
        }
    }
}
