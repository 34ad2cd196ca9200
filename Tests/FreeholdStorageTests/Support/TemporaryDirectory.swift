import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Testing

/// A directory of one test, removed with everything in it when released.
final class TemporaryDirectory: Sendable {
    let path: String

    init(in parent: String = NSTemporaryDirectory()) throws {
        path =
            URL(fileURLWithPath: parent, isDirectory: true)
            .appendingPathComponent("freehold-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { path + "/" + name }

    /// The names in the directory, sorted.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    /// Every file's bytes, to prove that nothing changed.
    var contents: [String: Data] {
        var contents: [String: Data] = [:]
        for name in names {
            contents[name] = FileManager.default.contents(atPath: file(name)) ?? Data()
        }
        return contents
    }
}
