import Foundation
import FreeholdTestProcesses

/// The compiler that built the tests, or at least one that reads their modules.
struct SwiftCompiler {
    let path: String

    /// The root of the package.
    static let packageRoot = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The first of the directories on the PATH, and then of the usual place, that has one.
    init?() {
        let directories =
            (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(
                String.init) + ["/opt/swift/usr/bin"]
        guard
            let found = directories.map({ $0 + "/swiftc" }).first(
                where: FileManager.default.isExecutableFile(atPath:))
        else { return nil }
        path = found
    }

    /// Type-checks files as one module. Returns the compiler's exit status and what it printed.
    ///
    /// - Parameter followsValues: Whether what the compiler finds by following values through
    ///   the code is found, too, as data races are.
    func check(_ files: [URL], followsValues: Bool = false) throws -> (
        status: Int32, output: String
    ) {
        // The test program lies beside the modules, in whichever directory and configuration it
        // was built.
        let modules = URL(
            fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/exe")
        )
        .deletingLastPathComponent().appendingPathComponent("Modules")
        let process = ChildProcess(URL(fileURLWithPath: path))
        let depth =
            followsValues
            ? ["-emit-sil", "-whole-module-optimization", "-o", "/dev/null"] : ["-typecheck"]
        let own = ["CLMDB", "CThread", "CPostgres", "CZstd"].map {
            SwiftCompiler.packageRoot.appendingPathComponent("Sources/\($0)/module.modulemap")
        }
        // Of FreeholdOpenCombine's dependency.
        let others = modules.deletingLastPathComponent().appendingPathComponent(
            "COpenCombineHelpers.build/module.modulemap")
        let headers = (own + [others]).flatMap { ["-Xcc", "-fmodule-map-file=" + $0.path] }
        process.arguments =
            depth + ["-swift-version", "6", "-module-name", "Snippets", "-I", modules.path]
            + headers + ["-Xcc", "-I/usr/include/postgresql"] + files.map(\.path)
        let pipe = Pipe()
        process.standardOutput = .pipe(pipe)
        process.standardError = .pipe(pipe)
        try process.run()
        // To its end before waiting: the compiler may have more to say than a pipe holds.
        let output = String(
            decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }
}
