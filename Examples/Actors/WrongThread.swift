import Foundation
import Freehold

/// Uses a live object on a wrong thread: what the compiler prevents, and what happens without its
/// check.
enum WrongThread {
    /// Turns off the compiler's check of its contents.
    private struct Smuggled: @unchecked Sendable { let book: Book }

    /// Reads an object of the main thread on another thread, which ends the process.
    @MainActor static func commit(_ configuration: Realm.Configuration) async throws {
        let realm = try await Realm(configuration: configuration)
        let book = try await realm.asyncWrite {
            realm.create(Book.self, value: ["isbn": "1", "title": "Kokoro"])
        }
        let smuggled = Smuggled(book: book)
        // Without the box: "sending 'book' risks causing data races".
        await Task.detached { print(smuggled.book.title) }.value
    }

    /// Does so in another process, and returns the report.
    static func report(in directory: URL) throws -> [String] {
        let child = Process()
        child.executableURL = URL(
            fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/exe"))
        child.arguments = ["wrong-thread", directory.appendingPathComponent("wrong.realm").path]
        // Only the report matters here.
        child.environment = ProcessInfo.processInfo.environment.merging([
            "SWIFT_BACKTRACE": "enable=no"
        ]) { $1 }
        let errors = Pipe()
        child.standardError = errors
        try child.run()
        let text = String(
            decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        child.waitUntilExit()
        let lines = text.split(separator: "\n").map(String.init)
        return Array(lines.drop { !$0.contains("Realm accessed from incorrect thread.") }.prefix(5))
    }
}
