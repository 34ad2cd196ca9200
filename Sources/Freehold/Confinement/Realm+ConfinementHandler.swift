import Foundation
import FreeholdStorage

extension Realm {
    /// Called with the report of each use of a realm in a wrong place that ends the process,
    /// before it ends, and with each warning. Nil, as it is at first: warnings are printed to
    /// the standard error. The text of a violation is printed in any case.
    ///
    /// For logs and crash reports. The handler is called on the thread that made the mistake,
    /// at any time, by several threads at once; it should be quick, and wait for nothing that
    /// this thread may hold. It must return, and when it has, a violation ends the process: it
    /// cannot be used to go on. Violations that are thrown are not passed to it, nor is what
    /// happens inside of it.
    ///
    /// ```swift
    /// Realm.confinementHandler = { report in
    ///     log.error("\(report.severity): \(report)")
    /// }
    /// ```
    ///
    /// Any thread. Set it before realms are opened, to miss nothing.
    public static var confinementHandler: (@Sendable (ConfinementViolation) -> Void)? {
        get { ConfinementReports.state.withLock { $0.handler } }
        set {
            // The old state leaves the lock before its handler is released, which may run the
            // program's code.
            _ = ConfinementReports.state.withLock { state in
                let old = state
                state.handler = newValue
                return old
            }
        }
    }
}

/// Who gets the reports.
enum ConfinementReports {
    struct State {
        var handler: (@Sendable (ConfinementViolation) -> Void)?
        /// The threads that are inside of the handler: a violation there must not call it again.
        var busyThreads: Set<UInt> = []
    }

    fileprivate static let state = Locked(processWide: State())

    /// Calls the handler, or prints a warning.
    static func deliver(_ report: ConfinementViolation) {
        let thread = currentThreadToken()
        let (handler, isInside) = state.withLock { state in
            if state.handler == nil { return (state.handler, false) }
            return (state.handler, !state.busyThreads.insert(thread).inserted)
        }
        if let handler, !isInside {
            handler(report)
            state.withLock { _ = $0.busyThreads.remove(thread) }
        } else if report.severity == .warning {
            FileHandle.standardError.write(Data("Warning: \(report)\n".utf8))
        }
    }
}
