import Dispatch
import FlyingFox
import FlyingSocks
package import Foundation
import FreeholdInspection
import FreeholdStorage
import Synchronization

/// Serves the page of `freehold studio` on the loopback interface until the process is ended.
package struct Studio: Sendable {
    package struct Options: Sendable {
        package var paths: [String]
        /// The 64 bytes of the key of encrypted files.
        package var key: Data?
        /// Whether edits can be saved.
        package var isWritable = false
        /// The port; 0 for a free one.
        package var port: UInt16 = 0
        /// Where the page is read from, while it is being worked on; nil for the executable.
        package var pageDirectory: String?

        package init(paths: [String]) { self.paths = paths }
    }

    private let server: HTTPServer
    private let files: [StudioEntry]
    /// The address with the token. It gives access to the files.
    package let address: String

    /// Opens the files, and takes the port.
    ///
    /// - Throws: If no file can be opened, and if the port is in use.
    package init(_ options: Options) throws {
        files = options.paths.enumerated().map { index, path in
            StudioEntry(
                id: index, path: path, key: options.key, isWritable: options.isWritable)
        }
        if files.allSatisfy({ $0.file == nil }) {
            throw InspectionError(
                files.compactMap(\.error).joined(separator: "\n"))
        }
        let port = try Studio.freePort(options.port)
        let gate = Gate(port: port)
        address = "http://127.0.0.1:\(port)/?token=\(gate.token)"
        let handler = StudioHandler(
            gate: gate, files: files, pageDirectory: options.pageDirectory)
        server = HTTPServer(
            config: HTTPServer.Configuration(
                address: try sockaddr_in.inet(ip4: "127.0.0.1", port: port),
                // A sort of many rows takes its time; events take for ever, but begin at once.
                timeout: 600, sharedRequestReplaySize: StudioHandler.largestBody,
                pool: PromptSockets(logger: .disabled), logger: .disabled),
            handler: handler)
    }

    /// The files that could not be opened, each with the reason.
    package var failures: [(path: String, reason: String)] {
        files.compactMap { entry in entry.error.map { (entry.path, $0) } }
    }

    /// A port of the loopback interface that is free now.
    private static func freePort(_ wanted: UInt16) throws -> UInt16 {
        do {
            let socket = try Socket(domain: AF_INET)
            defer { try? socket.close() }
            try socket.setValue(true, for: .localAddressReuse)
            try socket.bind(to: try sockaddr_in.inet(ip4: "127.0.0.1", port: wanted))
            guard case .ip4(_, let port) = try socket.sockname() else {
                throw InspectionError("The loopback interface has no address.")
            }
            return port
        } catch let error as SocketError {
            throw InspectionError(
                "Port \(wanted) of 127.0.0.1 cannot be used: \(error.localizedDescription)",
                remedy: "Leave --port out, and a free one is chosen.")
        }
    }

    /// Serves until the process is told to end: by SIGINT, SIGTERM or SIGHUP, or because its
    /// terminal is gone.
    ///
    /// - Parameter ready: Called when the page can be opened.
    package func run(ready: @escaping @Sendable () -> Void) -> Never {
        let sources = ProcessEnding.sources {
            Task {
                for file in self.files.compactMap(\.file) { await file.close() }
                exit(0)
            }
        }
        Task {
            do {
                try await self.server.run()
            } catch {
                FileHandle.standardError.write(Data("\(error.localizedDescription)\n".utf8))
                exit(2)
            }
        }
        Task {
            try? await self.server.waitUntilListening()
            ready()
            while true {
                try? await Task.sleep(for: .seconds(15))
                for file in self.files.compactMap(\.file) { await file.beat() }
            }
        }
        withExtendedLifetime(sources) { dispatchMain() }
    }
}
