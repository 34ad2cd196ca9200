import CMeasurement
import Freehold

/// `gate-…`: what the check of the confinement costs by itself.
///
/// `Realm.autorefresh` is a stored flag behind the gate, `Realm.isFrozen` one without a gate:
/// the difference is the gate. It is the median of many pairs, each measured within a fraction
/// of a millisecond, because one pair is as noisy as the machine.
extension FreeholdEngine {
    func gateOnThread() -> Sample { Sample(value: measureGate(of: base), answer: nil) }

    func gateOnActor() throws -> Sample {
        try withCopy { realm in
            let configuration = realm.configuration
            let asker = Asker()
            nonisolated(unsafe) var value = 0.0
            try waiting { value = try await asker.measure(configuration) }
            return Sample(value: value, answer: nil)
        }
    }
}

private actor Asker {
    func measure(_ configuration: Realm.Configuration) async throws -> Double {
        let realm = try await Realm.open(configuration: configuration)
        return measureGate(of: realm)
    }
}

/// Nanoseconds a check, where the caller may use the realm.
private func measureGate(of realm: Realm) -> Double {
    let calls = 20_000
    var count = 0
    let differences = (0..<501).map { _ in
        let without = nanoseconds(per: calls) {
            for _ in 0..<calls {
                if realm.isFrozen { count += 1 }
                measurement_memory_barrier()
            }
        }
        let with = nanoseconds(per: calls) {
            for _ in 0..<calls {
                if realm.autorefresh { count += 1 }
                measurement_memory_barrier()
            }
        }
        return with - without
    }
    precondition(
        count == calls * differences.count, "A live realm refreshes itself and is not frozen.")
    return differences.sorted()[differences.count / 2]
}
