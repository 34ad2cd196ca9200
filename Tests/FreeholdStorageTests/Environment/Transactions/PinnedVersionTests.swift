@testable import FreeholdStorage
import Testing

@Suite struct PinnedVersionTests {
    /// What a commit freed, the readers of its own version keep, too: LMDB takes pages of older
    /// ones only.
    @Test func bytesBelongToTheVersionThatKeepsThem() {
        func pinned(_ versions: [UInt64]) -> PinnedVersions {
            PinnedVersions(
                pins: versions.map { .init(processIdentifier: 1, version: $0) }, newestVersion: 8,
                ownVersions: [(6, .seconds(2)), (8, .seconds(1))],
                freedBytes: [(5, 10), (6, 20), (7, 40), (8, 80)], usedByteCount: 1000)
        }
        #expect((4...9).map { pinned([]).byteCount(keptBy: $0) } == [150, 150, 140, 120, 80, 0])
        #expect(
            pinned([6, 6, 8]).oldestVersion == 6 && pinned([6, 6, 8]).pinnedByteCount == 140
                && pinned([6, 6, 8]).activeVersionCount == 2)
        #expect(
            pinned([]).oldestVersion == nil && pinned([]).pinnedByteCount == 80
                && pinned([]).activeVersionCount == 1)
        #expect(pinned([]).ownOldestAge == .seconds(2))
    }
}
