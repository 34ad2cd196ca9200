import ArgumentParser
import Foundation
import Freehold
import FreeholdInspection
import FreeholdSharing
import FreeholdStorage

/// The end of a command that failed.
enum Failure {
    /// The reader of the output is gone: `freehold query … | head`.
    struct BrokenPipe: Error {}

    /// Prints the error and what to do about it, and ends the process.
    static func exit(_ error: any Error) -> Never {
        if error is BrokenPipe { FreeholdCommand.exit() }
        if error is ExitCode || error is CleanExit || error is ValidationError {
            FreeholdCommand.exit(withError: error)
        }
        guard let text = text(of: error) else { FreeholdCommand.exit(withError: error) }
        printError(text)
        FreeholdCommand.exit(withError: ExitCode.failed)
    }

    /// The error in words; nil for those of the argument parser.
    static func text(of error: any Error) -> String? {
        switch error {
        case let error as StorageError:
            return with(remedy(for: error.code), "\(error.code): \(error.message)")
        case let error as Realm.Error:
            return "\(error)"
        case let error as RealmPredicateError:
            return error.description
        case let error as SharingError:
            return "\(error.code.rawValue): \(error)"
        case let error as InspectionError:
            return error.description
        case let error as CocoaError:
            return error.localizedDescription
        default:
            // The parser's own errors are not public.
            return "\(type(of: error))" == "CommandError" ? nil : "\(error)"
        }
    }

    private static func with(_ remedy: String?, _ text: String) -> String {
        remedy.map { "\(text)\n\($0)" } ?? text
    }

    static func remedy(for code: StorageError.Code) -> String? {
        switch code {
        case .encryptionKeyMissing:
            "Give the key: --key-file PATH, --key-descriptor NUMBER or --ask-key."
        case .encryptionKeyWrong:
            "Give the key that the file was encrypted with, or last changed to by rekey."
        case .notEncrypted: "Leave the key out."
        case .corrupted, .truncated:
            "See what is wrong with freehold check, save what can be read with freehold salvage."
        case .newerFormat: "Update freehold."
        default: nil
        }
    }
}

/// Prints to the standard error.
func printError(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
