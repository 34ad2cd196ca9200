import DebianIndex
import Foundation
import Freehold
import Testing

@testable import PackageIndex

@Suite("Updating the realm")
struct IndexUpdateTests {
    /// The contents of the realm, as plain values.
    private func contents(of realm: Realm) -> DesiredIndex {
        var index = DesiredIndex(realm.objects(Package.self).map { DesiredPackage($0) })
        index.maintainers = realm.objects(Maintainer.self)
            .map { .init(id: $0.id, name: $0.name, email: $0.email, packageCount: $0.packageCount) }
            .sorted { $0.id < $1.id }
        index.sections = realm.objects(Section.self)
            .map { .init(name: $0.name, packageCount: $0.packageCount) }
            .sorted { $0.name < $1.name }
        return index
    }

    @Test("the first update adds everything")
    func first() throws {
        try withRealm { realm in
            let packages = try [package("a"), package("b", maintainer: "Bob", section: "games")]
            var steps: [Int] = []
            let report = try IndexUpdate.apply(packages, unreadableNames: [], to: realm) {
                steps.append($0)
            }
            #expect(report.isFirst)
            #expect(report.addedCount == 2)
            #expect(report.packageCount == 2)
            #expect(steps == [1, 2])
            #expect(contents(of: realm) == DesiredIndex(packages))

            let found = try #require(realm.object(ofType: Package.self, forPrimaryKey: "b:all"))
            #expect(found.maintainer?.name == "Bob")
            #expect(found.section?.packageCount == 1)
        }
    }

    @Test("a second update with the same packages writes nothing")
    func unchanged() throws {
        try withRealm { realm in
            let packages = try [
                package("a"), package("b", maintainer: "Ann B. <ann@example.org>", section: nil),
            ]
            let date = Date(timeIntervalSince1970: 1_000)
            _ = try IndexUpdate.apply(packages, unreadableNames: [], to: realm, date: date)
            let report = try IndexUpdate.apply(packages, unreadableNames: [], to: realm)
            #expect(report == UpdateReport(isFirst: false, unchangedCount: 2))
            #expect(realm.objects(Package.self).allSatisfy { $0.changedAt == date })
            #expect(contents(of: realm) == DesiredIndex(packages).withCanonicalNames)
        }
    }

    @Test("an update adds, changes and removes, and tells what")
    func changes() throws {
        try withRealm { realm in
            let before = Date(timeIntervalSince1970: 1_000)
            let after = Date(timeIntervalSince1970: 2_000)
            let old = try [
                package("a"), package("b"),
                package("c", maintainer: "Gone <gone@example.org>", section: "old"), package("d"),
            ]
            _ = try IndexUpdate.apply(old, unreadableNames: [], to: realm, date: before)
            let new = try [
                package("a"),
                package("b", version: "2", maintainer: "New", section: nil, installedSize: 9),
                package("d", section: "games"),
                package("e"),
            ]
            let report = try IndexUpdate.apply(new, unreadableNames: [], to: realm, date: after)
            #expect(
                report
                    == UpdateReport(
                        isFirst: false,
                        addedCount: 1,
                        added: ["e:all"],
                        updated: [
                            .init(
                                id: "b:all", oldVersion: "1", newVersion: "2",
                                properties: ["version", "installedSize", "section", "maintainer"]
                            ),
                            .init(
                                id: "d:all", oldVersion: "1", newVersion: "1",
                                properties: ["section"]),
                        ],
                        removed: ["c:all"],
                        unchangedCount: 1
                    ))
            #expect(contents(of: realm) == DesiredIndex(new))
            let dates = realm.objects(Package.self).sorted(by: \.id).map(\.changedAt)
            #expect(Array(dates) == [before, after, after, after])
        }
    }

    @Test("a package whose stanza is malformed today stays as it was")
    func kept() throws {
        try withRealm { realm in
            let packages = try [
                package("a"), package("b", maintainer: "Bob", section: "games"), package("c"),
            ]
            _ = try IndexUpdate.apply(packages, unreadableNames: [], to: realm)
            let report = try IndexUpdate.apply(
                [package("a", version: "2")],
                unreadableNames: ["a", "b", "unknown"],
                to: realm
            )
            #expect(report.kept == ["b:all"])
            #expect(report.updated.map(\.id) == ["a:all"])
            #expect(report.removed == ["c:all"])
            #expect(report.unchangedCount == 0)
            #expect(report.packageCount == 2)
            #expect(
                contents(of: realm) == DesiredIndex([try package("a", version: "2"), packages[1]]))
        }
    }

    @Test("random updates leave what the index says, and their reports add up")
    func random() throws {
        try withRealm { realm in
            // FREEHOLD_SEED=123 swift test: other updates.
            let seed =
                ProcessInfo.processInfo.environment["FREEHOLD_SEED"].flatMap(UInt64.init) ?? 1
            print("random: FREEHOLD_SEED=\(seed)")
            var random = Generator(state: seed)
            var count = 0
            for _ in 0..<30 {
                let packages = try (0..<40).filter { _ in Bool.random(using: &random) }.map {
                    number in
                    try package(
                        "p\(number)",
                        version: "\(Int.random(in: 1...2, using: &random))",
                        maintainer: [nil, "A", "B <b@x>", "C <c@x>"].randomElement(using: &random)!,
                        section: [nil, "libs", "games"].randomElement(using: &random)!
                    )
                }
                let report = try IndexUpdate.apply(
                    packages.shuffled(using: &random), unreadableNames: [], to: realm)
                #expect(contents(of: realm) == DesiredIndex(packages), "seed \(seed)")
                #expect(report.packageCount == packages.count, "seed \(seed)")
                #expect(
                    count + report.addedCount - report.removed.count == packages.count,
                    "seed \(seed)")
                count = packages.count
            }
        }
    }

    @Test("the questions are answered from live objects")
    func questions() throws {
        try withRealm { realm in
            let questions = Questions(realm: realm)
            let largest = questions.largestPackages
            let found = questions.packages(withPrefix: "LibA")
            #expect(largest.isEmpty)
            _ = try IndexUpdate.apply(
                [
                    package("liba", installedSize: 5),
                    package("libab", maintainer: "Bob", installedSize: 7),
                    package("libb", installedSize: 6),
                ],
                unreadableNames: [],
                to: realm
            )
            #expect(largest.map(\.name) == ["libab", "libb", "liba"])
            #expect(found.map(\.name) == ["liba", "libab"])
            #expect(questions.busiestMaintainers.map(\.name) == ["Ann", "Bob"])
            #expect(questions.sections.map(\.packageCount) == [3])
            #expect(try questions.packages(named: "libb").map(\.id) == ["libb:all"])
            #expect(try questions.packages(named: "libb:all").map(\.id) == ["libb:all"])
            #expect(
                throws: QuestionError.noPackage(name: "libx", similar: ["liba", "libab", "libb"])
            ) {
                try questions.packages(named: "libx")
            }
        }
    }

    @Test("a question before the first update says what to do")
    func noIndex() {
        #expect(throws: QuestionError.noIndex(path: "/nonexistent/x.realm")) {
            try IndexRealm.openForQuestions(path: "/nonexistent/x.realm")
        }
    }
}

extension DesiredIndex {
    /// The packages with their maintainers' names as the maintainers are stored.
    fileprivate var withCanonicalNames: DesiredIndex {
        var index = self
        for position in index.packages.indices {
            guard let maintainer = index.packages[position].maintainer else { continue }
            index.packages[position].maintainer?.name =
                maintainers.first { $0.id == maintainer.id }?.name ?? "missing"
        }
        return index
    }
}

private struct Generator: RandomNumberGenerator {
    var state: UInt64

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
