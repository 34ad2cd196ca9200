import Foundation
import FreeholdStorage

extension Realm {
    /// The handler of confinement reports. It is called with each violation that is about to end
    /// the process, and with each warning.
    ///
    /// For logs and crash reports. If nil, which is the default, warnings are printed to the
    /// standard error. The text of a violation is always printed.
    ///
    /// The handler is called on the thread that made the mistake, at any time, possibly on
    /// several threads at once. It should be quick, and must not wait for anything that this
    /// thread may hold. It must return; after a violation, the process then ends. Violations that
    /// are thrown are not passed to it, nor are violations inside of the handler.
    ///
    /// ```swift
    /// Realm.confinementHandler = { report in
    ///     log.error("\(report.severity): \(report)")
    /// }
    /// ```
    ///
    /// Any thread may set it. Set it before realms are opened, so that no report is missed.
    public static var confinementHandler: (@Sendable (ConfinementViolation) -> Void)? {
        get { ConfinementReports.state.withLock { $0.handler } }
        set {
            // The old state leaves the lock before its handler is released: releasing may run the
            // program's code.
            _ = ConfinementReports.state.withLock { state in
                let old = state
                state.handler = newValue
                return old
            }
        }
    }
}

/// Delivers the reports.
enum ConfinementReports {
    struct State {
        var handler: (@Sendable (ConfinementViolation) -> Void)?
        /// The threads that are inside of the handler. A violation on one of them must not call
        /// it again.
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
