import FreeholdStorage
import FreeholdTestStart
import Glibc

/// Whole suites with encrypted files, by `FREEHOLD_ENCRYPTED=1`: each file that a test opens
/// without a key gets the same one, in the processes of exit tests, too. Debug builds only.
package enum EncryptedSuite {
    /// Whether files are encrypted in this run.
    package static let isOn: Bool = {
        #if DEBUG
        getenv("FREEHOLD_ENCRYPTED").map { String(cString: $0) == "1" } ?? false
        #else
        false
        #endif
    }()

    /// What diagnoses of plain realms say and those of encrypted ones leave out.
    package static func inPlain(_ text: String) -> String { isOn ? "" : text }

    /// The key that the run's files have.
    package static let key: [UInt8] = (0..<64).map { UInt8($0) &* 37 &+ 11 }
}

/// Called when the program is loaded, by FreeholdTestStart.
@_cdecl("freehold_begin_encrypted_suite")
package func beginEncryptedSuite() {
    #if DEBUG
    if EncryptedSuite.isOn { SuiteEncryptionKey.set(EncryptionKey(EncryptedSuite.key)) }
    #endif
}
