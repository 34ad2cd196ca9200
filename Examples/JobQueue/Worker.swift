import Foundation
import Freehold

/// Claims jobs, does them and finishes them, in a file that other processes use at the same time.
actor Worker {
    private let name: String
    private let realm: Realm
    private let lease: TimeInterval

    init(_ name: String, _ configuration: Realm.Configuration, lease: TimeInterval) async throws {
        self.name = name
        self.lease = lease
        realm = try await Realm.open(configuration: configuration)
    }

    /// Works until every job is finished.
    func run() async throws -> Int {
        var finished = 0
        while true {
            if let (number, milliseconds) = try await claim() {
                say("\(name) claims \(number)")
                try await Task.sleep(for: .milliseconds(milliseconds))
                if try await finish(number) { finished += 1 }
            } else if realm.objects(Job.self).where({ $0.state != .finished }).isEmpty {
                return finished
            } else {
                // Another worker has the last jobs. If it dies, its claims expire.
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    /// Finds and claims a job in one transaction. There is one writer at a time among all
    /// processes, so no two workers claim the same job.
    private func claim() async throws -> (number: Int, milliseconds: Int)? {
        let now = Date()
        return try await realm.asyncWrite {
            let free = realm.objects(Job.self).where {
                $0.state == .waiting || ($0.state == .claimed && $0.claimedUntil < now)
            }
            guard let job = free.sorted(by: \.number).first else { return nil }
            job.state = .claimed
            job.worker = name
            job.claimedUntil = now + lease
            job.attempts += 1
            return (job.number, job.milliseconds)
        }
    }

    /// Returns false if the claim expired and another worker has the job.
    private func finish(_ number: Int) async throws -> Bool {
        try await realm.asyncWrite {
            guard let job = realm.object(ofType: Job.self, forPrimaryKey: number),
                job.state == .claimed, job.worker == name
            else { return false }
            job.state = .finished
            job.claimedUntil = nil
            return true
        }
    }
}
