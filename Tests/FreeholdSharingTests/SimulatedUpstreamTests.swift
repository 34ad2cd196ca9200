import FreeholdSharing
import Testing
import UpstreamConformance

/// Programs test with it, so it follows the rules of the others.
struct SimulatedUpstreamTests {
    @Test(.timeLimit(.minutes(10)), arguments: UpstreamCheck.allCases)
    func conforms(_ check: UpstreamCheck) async throws {
        try await check(SimulatedUpstream())
    }
}
