import FreeholdStorage

/// The turn of a test whose other process waits for what the test does meanwhile.
///
/// Swift Testing keeps a thread of the tasks' pool for each process of an exit test until that
/// ends. Two such tests at once would keep both threads of a small machine, and neither could
/// go on. So they take turns:
///
///     let turn = await ChildThatWaits.turn()
///     defer { turn.end() }
package struct ChildThatWaits: Sendable {
    private struct Line {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private static let line = Locked(Line())

    /// Waits for the turn; first come, first served.
    package static func turn() async -> ChildThatWaits {
        await withCheckedContinuation { continuation in
            let isFree = line.withLock { line in
                if line.isTaken { line.waiting.append(continuation) }
                defer { line.isTaken = true }
                return !line.isTaken
            }
            if isFree { continuation.resume() }
        }
        return ChildThatWaits()
    }

    package func end() {
        let next: CheckedContinuation<Void, Never>? = Self.line.withLock { line in
            if line.waiting.isEmpty {
                line.isTaken = false
                return nil
            }
            return line.waiting.removeFirst()
        }
        next?.resume()
    }
}
