/// How long the operations of other processes were held up, beyond what they take otherwise.
struct HoldUps {
    /// Milliseconds.
    private var values: [Double] = []

    mutating func add(_ milliseconds: Double) { values.append(max(0, milliseconds)) }

    mutating func add(_ others: HoldUps) { values += others.values }

    struct Summary: Codable {
        var count = 0
        var median = 0.0
        var ninetyNine = 0.0
        var longest = 0.0
        var overHundred = 0
        var overThousand = 0
    }

    var summary: Summary {
        guard !values.isEmpty else { return Summary() }
        let sorted = values.sorted()
        func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
        return Summary(
            count: sorted.count, median: rounded(sorted[sorted.count / 2]),
            ninetyNine: rounded(sorted[sorted.count * 99 / 100]),
            longest: rounded(sorted[sorted.count - 1]), overHundred: sorted.count { $0 > 100 },
            overThousand: sorted.count { $0 > 1_000 })
    }
}

/// The operations of one writer, or of one reader.
struct OperationTrack {
    /// The last durations, in nanoseconds.
    private var recent: [UInt64] = []
    private var next = 0
    /// When something happened whose effect is measured, how many more operations are looked
    /// at, and what they showed.
    private var event: UInt64?
    private(set) var remaining = 0
    private(set) var held = 0.0

    var isKnown: Bool { recent.count >= 5 }

    private var median: UInt64 { recent.sorted()[recent.count / 2] }

    /// The next two operations that end after `event` are compared with those before.
    mutating func measure(from event: UInt64) { (self.event, remaining, held) = (event, 2, 0) }

    mutating func add(from start: UInt64, to end: UInt64) {
        if let event, remaining > 0, end > event {
            remaining -= 1
            held = max(held, (Double(end - max(start, event)) - Double(median)) / 1e6)
        }
        let duration = end - start
        if recent.count < 63 { recent.append(duration) } else { recent[next % 63] = duration }
        next += 1
    }
}
