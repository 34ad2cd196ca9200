import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// What is said of files that do not open: Realm's text, and what to do.
@Suite struct OpeningErrorTests {
    private func error(_ configuration: Realm.Configuration) -> Realm.Error? {
        do {
            _ = try Realm(configuration: configuration)
            return nil
        } catch {
            return error as? Realm.Error
        }
    }

    private func expect(
        _ error: Realm.Error?, _ code: Realm.Error.Code, _ file: URL, _ text: String
    ) throws {
        let error = try #require(error)
        #expect(error.code == code && error.fileURL == file)
        #expect(error.localizedDescription == text)
        let suggestion = try #require(error.recoverySuggestion)
        #expect(error.message == text + "\n" + suggestion && suggestion.contains(file.path))
        #expect(error.description == "\(code): \(error.message)")
        #expect(error.userInfo[NSLocalizedDescriptionKey] as? String == text)
        #expect(error.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String == suggestion)
        #expect((error as NSError).localizedRecoverySuggestion == suggestion)
    }

    @Test func aReadOnlyFileThatIsNotThere() throws {
        try withTemporaryDirectory { directory in
            let file = directory.file()
            try expect(
                error(Realm.Configuration(fileURL: file, readOnly: true, objectTypes: Fixture.all)),
                .fileNotFound, file,
                "Failed to open Realm file at path '\(file.path)': No such file or directory")
        }
    }

    @Test func filesThatAreNoRealms() throws {
        try withTemporaryDirectory { directory in
            let file = directory.file()
            let configuration = Realm.Configuration(fileURL: file, objectTypes: Fixture.all)
            try Data("a".utf8).write(to: file)
            try expect(
                error(configuration), .invalidDatabase, file,
                "Failed to open Realm file at path '\(file.path)': "
                    + "file is non-empty but too small (1 bytes) to be a valid Realm.")
            try Data(repeating: 7, count: 100_000).write(to: file)
            try expect(
                error(configuration), .invalidDatabase, file,
                """
                Failed to open Realm file at path '\(file.path)': header has invalid \
                mnemonic. The file is either not a Realm file, is an encrypted Realm file \
                but no encryption key was supplied, or is corrupted.
                """)
        }
    }

    @Test func aFileInThePlaceOfADirectory() throws {
        let file = URL(fileURLWithPath: "/dev/null/foo")
        try expect(
            error(Realm.Configuration(fileURL: file, objectTypes: Fixture.all)),
            .fileOperationFailed, file,
            "Failed to open file at path '/dev/null/foo': parent path is not a directory")
    }
}
