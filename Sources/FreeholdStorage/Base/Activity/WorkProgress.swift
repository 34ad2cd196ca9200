internal import Synchronization

/// Reports which part of long work is done: at most about 200 times, from the working thread.
///
/// The units are whatever the work counts. The reported part never falls.
final class WorkProgress: Sendable {
    private static let reportCount = 200

    private let total: Int
    private let done = Atomic<Int>(0)
    private let parts: ClosedRange<Double>
    private let report: @Sendable (Double) -> Void

    /// - Parameters:
    ///   - total: The units of the work, which may be an estimate.
    ///   - parts: What to report at the beginning and the end of the work, if it is one of several
    ///     stages.
    init(
        total: Int, parts: ClosedRange<Double> = 0...1,
        report: @escaping @Sendable (Double) -> Void
    ) {
        self.total = max(1, total)
        self.parts = parts
        self.report = report
    }

    /// Counts units that were worked on.
    func add(_ count: Int = 1) {
        let (before, after) = done.add(count, ordering: .relaxed)
        let step = max(1, total / Self.reportCount)
        guard after / step != before / step, after < total else { return }
        let part = Double(after) / Double(total)
        report(parts.lowerBound + part * (parts.upperBound - parts.lowerBound))
    }

    /// The work is done.
    func finish() { report(parts.upperBound) }
}
