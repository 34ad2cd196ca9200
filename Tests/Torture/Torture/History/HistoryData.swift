import Foundation
import Freehold

/// A counter that transactions add to.
final class HistoryCounter: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var value = 0
    /// The number of the transaction that changed it last.
    @Persisted(indexed: true) var last = 0
}

/// The number of the last transaction, and how many each participant made.
final class HistoryHead: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var number = 0
    @Persisted var owners: Map<String, Int>
}

enum HistoryData {
    static let counters = 24
    static let affected = 3

    /// Readers that stay behind are what these runs are made of.
    static func silenceVersionWarnings() { Realm.pinnedByteWarningThreshold = nil }

    static func configuration(_ path: String, isEncrypted: Bool, isDurable: Bool)
        -> Realm.Configuration
    {
        var configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: path),
            encryptionKey: isEncrypted ? Realm.Configuration.limitKey : nil,
            objectTypes: [HistoryCounter.self, HistoryHead.self])
        configuration.durability = isDurable ? .full : .none
        return configuration
    }

    static func prepare(_ realm: Realm) throws {
        try realm.write {
            realm.create(HistoryHead.self, value: ["id": 0])
            for id in 0..<counters { realm.create(HistoryCounter.self, value: ["id": id]) }
        }
    }

    /// In a write: adds one to each of some counters. Returns the transaction's number.
    static func change(
        _ realm: Realm, _ participant: Int, _ random: inout some RandomNumberGenerator
    ) -> UInt64 {
        guard let head = realm.object(ofType: HistoryHead.self, forPrimaryKey: 0) else { return 0 }
        head.number += 1
        head.owners["\(participant)"] = (head.owners["\(participant)"] ?? 0) + 1
        let first = Int.random(in: 0..<counters, using: &random)
        for step in 0..<affected {
            guard
                let counter = realm.object(
                    ofType: HistoryCounter.self, forPrimaryKey: (first + step * 7) % counters)
            else { continue }
            counter.value += 1
            counter.last = head.number
        }
        return UInt64(head.number)
    }

    /// What a version says: the number of its last transaction, everything in one number, and
    /// how many transactions are the participant's.
    static func look(_ realm: Realm, _ participant: Int) -> (
        number: UInt64, digest: UInt64, own: UInt64, problem: String?
    ) {
        guard let head = realm.object(ofType: HistoryHead.self, forPrimaryKey: 0) else {
            return (0, 0, 0, "The head is missing.")
        }
        let number = head.number
        var (sum, digest) = (0, UInt64(number))
        var newest = 0
        for counter in realm.objects(HistoryCounter.self) {
            sum += counter.value
            newest = max(newest, counter.last)
            digest =
                (digest ^ UInt64(counter.value) &+ UInt64(counter.id) << 40)
                &* 0x9E37_79B9_7F4A_7C15
            digest ^= digest >> 29
        }
        var problem: String?
        if sum != number * affected {
            problem = "The counters add up to \(sum) after \(number) transactions."
        }
        if newest != number {
            problem = "The newest counter is of transaction \(newest), not \(number)."
        }
        let changed = realm.objects(HistoryCounter.self).where { $0.last == number }.count
        if number > 0, changed != affected {
            problem = "The index has \(changed) counters of transaction \(number)."
        }
        return (UInt64(number), digest, UInt64(head.owners["\(participant)"] ?? 0), problem)
    }
}
