import DebianIndex
import Testing

@testable import PackageIndex

@Suite("Desired state")
struct DesiredIndexTests {
    @Test("maintainers and sections follow from the packages, whatever their order")
    func derived() throws {
        let packages = try [
            package("a", maintainer: "Ann <x@example.org>", section: "libs"),
            package("b", maintainer: "Ann B. <X@example.org>", section: "games"),
            package("c", maintainer: "Ann B. <x@example.org>", section: "libs"),
            package("d", maintainer: "Zoe", section: nil),
            package("e", maintainer: nil, section: "libs"),
        ]
        for order in [
            packages, packages.reversed(),
            [packages[2], packages[0], packages[4], packages[3], packages[1]],
        ] {
            let index = DesiredIndex(order)
            #expect(index.packages.map(\.id) == ["a:all", "b:all", "c:all", "d:all", "e:all"])
            #expect(
                index.maintainers == [
                    .init(id: "Zoe", name: "Zoe", email: nil, packageCount: 1),
                    .init(
                        id: "x@example.org", name: "Ann B.", email: "x@example.org", packageCount: 3
                    ),
                ])
            #expect(
                index.sections == [
                    .init(name: "games", packageCount: 1), .init(name: "libs", packageCount: 3),
                ])
        }
    }

    @Test("of equally frequent spellings the first in the alphabet is taken")
    func tie() throws {
        let packages = try ["B", "A", "C"].map {
            try package("p\($0)", maintainer: "\($0) <x@example.org>", section: nil)
        }
        for order in [packages, packages.reversed()] {
            #expect(DesiredIndex(order).maintainers.map(\.name) == ["A"])
        }
    }

    @Test("values that an index does not state have one form")
    func missing() throws {
        let package = try package("a", maintainer: nil, section: nil)
        #expect(package.installedSize == 0)
        #expect(package.downloadSize == 0)
        #expect(package.priority == "unknown")
        #expect(package.details == nil)
    }
}
