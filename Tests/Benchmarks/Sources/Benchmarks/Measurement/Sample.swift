/// What one run of a work gave.
struct Sample {
    /// Nanoseconds for one operation, bytes, or pages: see `Work.unit`.
    let value: Double
    /// What the engine computed. All engines store the same rows, so all give the same answer,
    /// or one of them does not do the work. Nil for a work that computes nothing.
    let answer: Int?
}

/// Runs `body` and gives the nanoseconds it took for each of `operations`.
func nanoseconds(per operations: Int, _ body: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let duration = try clock.measure(body).components
    let total = Double(duration.seconds) * 1e9 + Double(duration.attoseconds) / 1e9
    return total / Double(operations)
}
