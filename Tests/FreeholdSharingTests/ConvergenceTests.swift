import Foundation
@testable import FreeholdSharing
import FreeholdTestSupport
import Testing

/// Random clients over a simulated server: all files are equal at the end, and the fold of the
/// log; no shared write is lost or done twice; each change that is lost is told.
///
/// `FREEHOLD_SHARING_SEEDS=100000` runs so many seeds of each kind.
@Suite struct ConvergenceTests {
    private static let seedCount =
        ProcessInfo.processInfo.environment["FREEHOLD_SHARING_SEEDS"].flatMap { Int($0) } ?? 8

    private func run(
        _ settings: SimulationSettings, _ random: SeededGenerator, count: Int = seedCount
    ) async throws {
        for number in 0..<count {
            // Others use the thread, too: many seeds take longer than their tests may.
            await Task.yield()
            let seed = random.seed &+ UInt64(number)
            let simulation = try Simulation(seed: seed, settings)
            var problem: String?
            do {
                problem = try simulation.run()
            } catch {
                problem = "\(error)"
            }
            if let problem {
                Issue.record("seed \(seed): \(problem)")
                if ProcessInfo.processInfo.environment["FREEHOLD_SHARING_TRACE"] != nil {
                    for line in simulation.trace { print(line) }
                }
                return
            }
        }
    }

    @Test func withoutFaults() async throws {
        try await run(
            SimulationSettings(stepCount: 200, faults: false, snapshots: false), Seed.random())
    }

    @Test func withFaults() async throws {
        try await run(SimulationSettings(snapshots: false), Seed.random())
    }

    @Test func withSnapshots() async throws { try await run(SimulationSettings(), Seed.random()) }

    @Test func withLostTails() async throws {
        try await run(SimulationSettings(clientCount: 4, losesTails: true), Seed.random())
    }

    /// Nobody takes a snapshot that would make files equal again, and who has the lost commits
    /// may come back when others have pushed as many.
    @Test func withLostTailsAndAbsences() async throws {
        try await run(
            SimulationSettings(
                clientCount: 3, stepCount: 350, losesTails: true, standbyLag: 40,
                snapshots: false, clientsLeave: true),
            Seed.random())
    }
}
