import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// The advice for each pair of the places that a realm belongs to and is accessed from, for
/// reading and for writing.
@Suite struct RemedyTests {
    struct Pair: Codable, Sendable, CustomTestStringConvertible {
        let owner: RealmOwner
        let place: AccessingPlace
        var testDescription: String { "\(owner.rawValue) < \(place.rawValue)" }

        /// Tasks and queues may be run by one thread one after another, and then there is no
        /// violation: these pairs need a thread to be kept, which only a process of their own
        /// can afford.
        var sharesThreads: Bool { (owner == .task || owner == .actorThread) && place != .thread }

        var isPossible: Bool { !(owner == .main && place == .main) }

        static let all = RealmOwner.allCases.flatMap { owner in
            AccessingPlace.allCases.map { Pair(owner: owner, place: $0) }
        }
        .filter(\.isPossible)
        static let separate = all.filter { !$0.sharesThreads }
        static let sharing = all.filter(\.sharesThreads)

        func key(_ need: String) -> String { "\(owner.rawValue) < \(place.rawValue), \(need)" }
    }

    @Test(arguments: Pair.separate) func writing(_ pair: Pair) async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        let report = await #expect(throws: ConfinementViolation.self) {
            try await pair.owner.withSubject(configuration) { subject in
                try await pair.place.run { try subject.value.realm.write {} }
            }
        }
        let found = try #require(report)
        #expect(found.accessed.kind.rawValue == pair.place.rawValue)
        #expect(found.remedy == RemedyTable.texts[pair.key("writing")])
        try onNewThread { try expectSound(configuration) }
        directory.delete()
    }

    @Test(arguments: Pair.separate) func reading(_ pair: Pair) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [pair = pair as Pair] in
            let directory = try TemporaryDirectory()
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Fixture.all)
            try await pair.owner.withSubject(configuration) { subject in
                try await pair.place.run { _ = subject.value.person.age }
            }
        }
        expectRemedy(result, pair.key("reading"))
    }

    @Test(
        .enabled(
            if: ProcessInfo.processInfo.activeProcessorCount > 1,
            "needs two threads of the tasks' pool"), arguments: Pair.sharing, [false, true])
    func onThePool(_ pair: Pair, isWriting: Bool) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [pair = pair as Pair, isWriting = isWriting as Bool] in
            let directory = try TemporaryDirectory()
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Fixture.all)
            try await pair.owner.withSubjectOnHeldThread(configuration) { subject in
                try await pair.place.run {
                    if isWriting {
                        subject.value.realm.beginWrite()
                    } else {
                        _ = subject.value.person.age
                    }
                }
            }
        }
        expectRemedy(result, pair.key(isWriting ? "writing" : "reading"))
    }

    private func expectRemedy(_ result: ExitTest.Result?, _ key: String) {
        let lines = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(
            separator: "\n")
        let remedy = lines.first { $0.hasPrefix("  Remedy: ") }?.dropFirst("  Remedy: ".count)
        #expect(remedy.map(String.init) == RemedyTable.texts[key], "\(key): \(lines)")
    }
}
