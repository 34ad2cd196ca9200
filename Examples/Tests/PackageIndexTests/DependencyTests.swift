import DebianIndex
import Foundation
import Freehold
import Testing

@testable import PackageIndex

@Suite("Dependencies")
struct DependencyTests {
    private func record(_ name: String, _ architecture: String = "amd64", needs: [[String]] = [])
        throws -> PackageRecord
    {
        PackageRecord(
            name: name, architecture: architecture, version: try DebianVersion("1"), summary: "",
            details: nil, section: nil, maintainer: nil, installedSize: nil,
            downloadSize: nil, priority: nil, homepage: nil, isEssential: false, dependencies: needs
        )
    }

    @Test(
        """
        the package's own architecture comes first, then all, then any other; the first \
        alternative that exists wins
        """
    )
    func resolving() throws {
        let a = try record(
            "a", needs: [["b"], ["missing", "c"], ["missing"], ["d"], ["b"], ["a"]])
        let resolver = DependencyResolver(
            try [
                a, record("b"), record("b", "i386"), record("c", "all"), record("d", "arm64"),
                record("d", "i386"),
            ])
        #expect(resolver.dependencies(of: a) == ["b:amd64", "c:all", "d:arm64"])
    }

    private func desired(_ needs: [String: [String]]) throws -> [DesiredPackage] {
        try needs.map { name, needs in
            var package = try package(name)
            package.dependencies = needs.map { "\($0):all" }
            return package
        }
    }

    @Test("an update links, changes and unlinks dependencies, and says so")
    func updating() throws {
        try withRealm { realm in
            let first = try desired(["a": ["b", "c"], "b": ["c"], "c": [], "d": ["a"]])
            _ = try IndexUpdate.apply(first, unreadableNames: [], to: realm)
            let questions = Questions(realm: realm)
            #expect(questions.mostNeededPackages(limit: 2).map(\.name) == ["c", "a"])
            #expect(
                realm.object(ofType: Package.self, forPrimaryKey: "c:all")?.dependents.map(\.name)
                    .sorted() == ["a", "b"])
            let second = try desired(["a": ["d"], "b": ["a"], "d": []])
            let report = try IndexUpdate.apply(second, unreadableNames: [], to: realm)
            #expect(
                report.updated.map(\.properties) == [
                    ["dependencies"], ["dependencies"], ["dependencies"],
                ] && report.removed == ["c:all"])
            #expect(
                try IndexUpdate.apply(second, unreadableNames: [], to: realm).unchangedCount == 3)
            #expect(questions.mostNeededPackages(limit: 9).map(\.name) == ["a", "d"])
        }
    }

    @Test("a path is the shortest, whatever cycles there are")
    func paths() throws {
        try withRealm { realm in
            let packages = try desired([
                "a": ["b", "x"], "b": ["c"], "c": ["d", "a"], "d": [], "x": ["y"], "y": ["z"],
                "z": ["d"], "lone": [],
            ])
            _ = try IndexUpdate.apply(packages, unreadableNames: [], to: realm)
            let questions = Questions(realm: realm)
            func path(_ from: String, _ to: String) throws -> [String]? {
                try questions.shortestPath(
                    from: questions.packages(named: from), to: questions.packages(named: to))?.map(
                        \.name)
            }
            #expect(try path("a", "d") == ["a", "b", "c", "d"])
            #expect(try path("a", "a") == ["a"])
            #expect(try path("d", "a") == nil && path("lone", "d") == nil)
        }
    }
}
