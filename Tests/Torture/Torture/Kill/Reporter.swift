import Foundation
import FreeholdTestSupport
import Glibc
import Synchronization

/// The child's side of the pipes of a ``ChildProcess``.
final class Reporter: Sendable {
    private let stopped = Atomic<Bool>(false)

    /// Whether the parent wants an end of it, or is gone.
    var isStopped: Bool { stopped.load(ordering: .relaxed) }

    /// From now on the end of standard input stops the work.
    func listen() {
        startThread {
            var byte: UInt8 = 0
            while true {
                let count = read(0, &byte, 1)
                if count == 0 || count < 0 && errno != EINTR { break }
            }
            self.stopped.store(true, ordering: .relaxed)
        }
    }

    /// One line with one call: it comes whole or not at all.
    func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        if write(ChildProcess.reportDescriptor, bytes, bytes.count) != bytes.count { exit(1) }
    }

    /// Transaction `number` of a writer was committed, and that took from `start` until now.
    func acknowledge(_ writer: Int, _ number: Int, since start: UInt64) {
        say("a \(writer) \(number) \(start) \(monotonicNanoseconds())")
    }

    /// Something failed that must not.
    func fail(_ error: any Error) -> Never {
        say("e \(error)".replacingOccurrences(of: "\n", with: " "))
        exit(3)
    }
}
