import Foundation

/// Where random tests take their seeds from, in every suite.
///
/// | `FREEHOLD_SEED` | seeds |
/// |---|---|
/// | not set | fixed, another one for each file of tests: what CI and every newcomer run |
/// | a number | this one: repeats a failure |
/// | `fresh` | new ones, which are printed: for long runs |
private enum SeedSource {
    case fixed
    case given(UInt64)
    case fresh

    static let current: SeedSource = {
        guard let text = ProcessInfo.processInfo.environment["FREEHOLD_SEED"] else { return .fixed }
        if text == "fresh" { return .fresh }
        guard let seed = UInt64(text) else {
            fatalError("FREEHOLD_SEED is a number, or \"fresh\", not \"\(text)\".")
        }
        return .given(seed)
    }()
}

extension UInt64 {
    /// A seed for a random test.
    ///
    /// - Parameter number: Tells seeds of one file apart.
    package static func testSeed(_ number: UInt64 = 0, fileID: StaticString = #fileID) -> UInt64 {
        switch SeedSource.current {
        case .given(let seed): return seed
        case .fixed: return fixedSeed(number, fileID)
        case .fresh:
            let seed = UInt64.random(in: 0 ... .max)
            print("\(fileID): FREEHOLD_SEED=\(seed)")
            return seed
        }
    }

    /// FNV-1a of the file's name and the number.
    private static func fixedSeed(_ number: UInt64, _ fileID: StaticString) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ number
        for byte in fileID.description.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }
}

extension [UInt64] {
    /// Seeds for a test that runs once with each: the known ones and two of the file's own, or the
    /// one that `FREEHOLD_SEED` gives.
    package static func testSeeds(_ known: UInt64..., fileID: StaticString = #fileID) -> [UInt64] {
        if case .given(let seed) = SeedSource.current { return [seed] }
        return known + [.testSeed(0, fileID: fileID), .testSeed(1, fileID: fileID)]
    }
}
