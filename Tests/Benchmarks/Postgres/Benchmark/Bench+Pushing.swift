import BareLibpq
import Foundation
import FreeholdSharing
import PostgresServer

extension Bench {
    /// Commits a second of one client, in batches, beside the bare program: turn by turn.
    func push() async throws {
        print("commits/s of 200 bytes, one client; bar: ratio 0.5")
        for batch in [1, 10, 100, 1000] {
            var bare: [Double] = []
            var own: [Double] = []
            for _ in 1...5 {
                bare.append(try await bareRate(batch: batch, seconds: 1))
                own.append(try await rate(batch: Int64(batch), seconds: 1))
            }
            let ratios = zip(own, bare).map { $0 / $1 }
            print(
                "batch \(batch): bare \(short(bare.median)), Freehold \(short(own.median)), "
                    + "ratio \(short(ratios.median)) (\(short(ratios.min() ?? 0)) to "
                    + "\(short(ratios.max() ?? 0)))")
        }
    }

    func bareRate(batch: Int, seconds: Double, size: Int = payloadSize) async throws -> Double {
        let realm = try await makeRealm()
        let url = server.url()
        return try await onThread {
            let count = bare_push(url, "freehold", realm, Int32(batch), size, seconds)
            return Double(count) / seconds
        }
    }

    private func rate(batch: Int64, seconds: Double) async throws -> Double {
        let connection = try await connect(try await makeRealm())
        let count = try await pushFor(seconds, connection, batch: batch)
        await connection.close()
        return Double(count) / seconds
    }

    private func pushFor(
        _ seconds: Double, _ connection: any UpstreamConnection, batch: Int64
    ) async throws -> Int64 {
        let end = ContinuousClock.now + .seconds(seconds)
        var next: Int64 = 1
        while ContinuousClock.now < end {
            _ = try await connection.push(
                commits(next..<next + batch), in: 1, expecting: nil)
            next += batch
        }
        return next - 1
    }

    /// Clients of one realm wait for each other's sync; batches are the remedy.
    func writers() async throws {
        print("commits/s of all clients together")
        for batch in [1, 10, 100] {
            for count in [1, 2, 4, 8] {
                let realm = try await makeRealm()
                let total = try await withThrowingTaskGroup(of: Int64.self) { group in
                    for _ in 1...count {
                        group.addTask {
                            let connection = try await connect(realm)
                            let pushed = try await pushFor(2, connection, batch: Int64(batch))
                            await connection.close()
                            return pushed
                        }
                    }
                    return try await group.reduce(0, +)
                }
                print("batch \(batch), \(count) clients of one realm: \(short(Double(total) / 2))")
            }
        }
    }

    /// From the call of a push to the commit in another client's hands.
    func latency() async throws {
        let realm = try await makeRealm()
        let writer = try await connect(realm)
        let reader = try await connect(realm)
        for pause in [0, 20] {
            var times: [Double] = []
            var answers: [Double] = []
            for _ in 1...300 {
                let head = try await writer.state().head
                let start = ContinuousClock.now
                async let seen: Duration = {
                    while try await reader.commits(after: head, in: 1, upTo: 1 << 20).isEmpty {
                        try await reader.waitForHead(above: head)
                    }
                    return ContinuousClock.now - start
                }()
                // The reader waits already.
                if pause > 0 { try await Task.sleep(for: .milliseconds(pause)) }
                let pushed = ContinuousClock.now
                _ = try await writer.push(commits(head + 1..<head + 2), in: 1, expecting: nil)
                answers.append((ContinuousClock.now - pushed).inSeconds * 1000)
                times.append((try await seen - (pushed - start)).inSeconds * 1000)
            }
            times.sort()
            print(
                "pause \(pause) ms: seen after \(short(times[150])) ms (median), "
                    + "\(short(times[285])) (95 %), \(short(times[299])) (longest); "
                    + "acknowledged after \(short(answers.median)); bar: median 20")
        }
        await writer.close()
        await reader.close()
    }
}
