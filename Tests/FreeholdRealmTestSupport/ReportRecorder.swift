import Foundation
package import Freehold

/// The process's confinement handler while tests run: tests run in tasks, so most of them
/// would print a warning.
///
/// Installed with the first temporary directory.
package final class ReportRecorder: @unchecked Sendable {
    // Sendable: the reports are protected by `lock`.

    package static let shared = ReportRecorder()

    private let lock = NSLock()
    private var reports: [ConfinementViolation] = []

    private init() {
        // Damaged files and failing disks are what tests are about.
        Logger.shared.level = .off
        Realm.confinementHandler = { [unowned self] report in
            lock.withLock { reports.append(report) }
        }
    }

    package func contains(_ report: ConfinementViolation) -> Bool {
        lock.withLock { reports.contains(report) }
    }

    /// The warnings about a place in the source.
    package func warnings(file: String = #fileID, line: UInt) -> [ConfinementViolation] {
        lock.withLock {
            reports.filter {
                $0.severity == .warning && $0.opened.file == file && $0.opened.line == line
            }
        }
    }
}
