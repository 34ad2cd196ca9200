import Foundation
import Freehold

/// The realm's path, and functions that open it.
enum IndexRealm {
    /// The classes in the realm.
    static let classes: [ObjectBase.Type] = [Package.self, Maintainer.self, Section.self]

    /// The path of the current user's realm.
    static var defaultPath: String { defaultPath(environment: ProcessInfo.processInfo.environment) }

    /// `package-index.realm` in the cache directory: `$XDG_CACHE_HOME/freehold-examples`, else
    /// `$HOME/.cache/freehold-examples`, else the same in the home directory on record. A variable
    /// counts if it is an absolute path.
    static func defaultPath(environment: [String: String]) -> String {
        func directory(_ variable: String) -> String? {
            environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let caches =
            directory("XDG_CACHE_HOME") ?? (directory("HOME") ?? NSHomeDirectory()) + "/.cache"
        return caches + "/freehold-examples/package-index.realm"
    }

    /// The configuration of a realm at a path.
    static func configuration(path: String) -> Realm.Configuration {
        Realm.Configuration(fileURL: URL(fileURLWithPath: path), objectTypes: classes)
    }

    /// Opens the realm that an update fills, for the main actor. Creates it and its directory if
    /// they are missing.
    @MainActor
    static func openForUpdate(path: String) async throws -> Realm {
        try makeDirectory(for: path)
        return try await Realm.open(configuration: configuration(path: path))
    }

    /// Creates the directory of a realm.
    static func makeDirectory(for path: String) throws {
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    /// Opens the realm for queries. Throws `QuestionError.noIndex` if no update has run.
    static func openForQuestions(path: String) throws -> Realm {
        let configuration = configuration(path: path)
        guard Realm.fileExists(for: configuration) else { throw QuestionError.noIndex(path: path) }
        return try Realm(configuration: configuration)
    }
}
