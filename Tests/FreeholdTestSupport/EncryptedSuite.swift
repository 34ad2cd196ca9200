import FreeholdStorage
import Glibc

/// Whole suites with encrypted files, by `FREEHOLD_ENCRYPTED=1`: each file that a test opens without a key gets the same one.
package enum EncryptedSuite {
    /// Whether files are encrypted in this run.
    package static let isOn = getenv("FREEHOLD_ENCRYPTED").map { String(cString: $0) == "1" } ?? false

    /// The key that the run's files have.
    package static let key: [UInt8] = (0..<64).map { UInt8($0) &* 37 &+ 11 }

    private static let hasBegun: Bool = {
        if isOn { SuiteEncryptionKey.set(EncryptionKey(key)) }
        return true
    }()

    /// Called by whatever a test gets its files from. Cheap after the first time.
    package static func begin() { _ = hasBegun }
}
