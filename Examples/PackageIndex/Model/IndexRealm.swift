import Foundation
import Freehold

/// Where the realm is, and how it is opened.
enum IndexRealm {
    /// The classes in the realm.
    static let classes: [ObjectBase.Type] = [Package.self, Maintainer.self, Section.self]

    /// Where the realm of the user who runs this is.
    static var defaultPath: String { defaultPath(environment: ProcessInfo.processInfo.environment) }

    /// `package-index.realm` in the directory for caches: `$XDG_CACHE_HOME/freehold-examples`,
    /// or `$HOME/.cache/freehold-examples`, or that in the home that the system has on record.
    /// A variable counts if it is an absolute path.
    static func defaultPath(environment: [String: String]) -> String {
        func directory(_ variable: String) -> String? {
            environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let caches =
            directory("XDG_CACHE_HOME") ?? (directory("HOME") ?? NSHomeDirectory()) + "/.cache"
        return caches + "/freehold-examples/package-index.realm"
    }

    /// How a realm at a path is opened.
    static func configuration(path: String) -> Realm.Configuration {
        Realm.Configuration(fileURL: URL(fileURLWithPath: path), objectTypes: classes)
    }

    /// Opens the realm that an update fills, for the main actor, and creates it, with its
    /// directory, where it is missing.
    @MainActor
    static func openForUpdate(path: String) async throws -> Realm {
        try makeDirectory(for: path)
        return try await Realm.open(configuration: configuration(path: path))
    }

    /// Makes the directory that a realm will be in.
    static func makeDirectory(for path: String) throws {
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    /// Opens the realm that a question is put to. Throws `QuestionError.noIndex` where no
    /// update was made yet.
    static func openForQuestions(path: String) throws -> Realm {
        let configuration = configuration(path: path)
        guard Realm.fileExists(for: configuration) else { throw QuestionError.noIndex(path: path) }
        return try Realm(configuration: configuration)
    }
}
