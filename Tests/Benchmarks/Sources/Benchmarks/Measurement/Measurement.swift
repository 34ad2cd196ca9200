import Foundation

/// One work measured with one engine.
struct Measurement {
    let work: Work
    let engine: EngineName
    /// The median of the samples.
    let value: Double
    /// For `bulk-insert` only: the most the resident set grew in any of the runs.
    let peakMemory: Int?
}

/// An engine did not give the answer another engine gave to the same work: one of the two is
/// wrong, and their times mean nothing.
struct AnswerMismatch: Error, CustomStringConvertible {
    let work: Work
    let answers: [EngineName: Int]

    var description: String {
        let list = answers.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            "\($0.key.rawValue) \($0.value)"
        }
        return
            """
            The engines disagree about \(work.rawValue), so its times mean nothing: \
            \(list.joined(separator: ", ")).
            """
    }
}

/// Measures works with several engines side by side.
///
/// Each engine does the work once to warm up; then the engines take turns, so that a slow
/// minute of the machine strikes all of them. A turn of a work that only reads begins with a
/// run that does not count, because the other engines' turns have filled the processor's caches
/// with their data. The value is the median of the samples.
struct Measurer {
    let engines: [any Engine]
    let repeats: Int

    /// - Throws: `AnswerMismatch` when two engines computed different answers, and whatever an
    ///   engine throws.
    func measure(_ work: Work) throws -> [Measurement] {
        let participants = engines.filter { type(of: $0).works.contains(work) }
        var values: [EngineName: [Double]] = [:]
        var answers: [EngineName: Int] = [:]
        var peaks: [EngineName: Int] = [:]
        // A work that is sampled once is not warmed up either.
        let rounds = work.isSampledOnce ? 1...1 : 0...(work.isTimed ? repeats : 1)
        for round in rounds {
            for engine in participants {
                let name = type(of: engine).name
                if work.onlyReads, round > 0 { _ = try engine.sample(work) }
                let (sample, peak) = try sample(work, engine)
                answers[name] = sample.answer
                peaks[name] = peak.map { max($0, peaks[name] ?? 0) }
                if Set(answers.values).count > 1 {
                    throw AnswerMismatch(work: work, answers: answers)
                }
                if round > 0 {
                    values[name, default: []].append(sample.value)
                }
            }
        }
        return participants.map { engine in
            let name = type(of: engine).name
            return Measurement(
                work: work, engine: name, value: median(values[name]!), peakMemory: peaks[name])
        }
    }

    private func sample(_ work: Work, _ engine: any Engine) throws -> (Sample, peakMemory: Int?) {
        guard work == .bulkInsert else { return (try engine.sample(work), nil) }
        var sample: Sample?
        let peak = try ResidentMemory.peakGrowth { sample = try engine.sample(work) }
        return (sample!, peak)
    }

    private func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2)
            ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}
