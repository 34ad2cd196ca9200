import Foundation
import Glibc

/// Listens at a port of 127.0.0.1 and says nothing unless a test does: a host that a firewall hides
/// looks like it to a client, whose connection the kernel makes.
package final class SilentServer: Sendable {
    package let port: Int
    private let listener: Int32

    package init() throws {
        (listener, port) = try ServerFiles.boundSocket()
        guard listen(listener, 64) == 0 else {
            throw ServerFailure("Nobody can listen at \(port).")
        }
    }

    deinit { close(listener) }

    /// A URL of the server alone.
    package var url: String { "postgresql://\(PostgresServer.owner)@127.0.0.1:\(port)/postgres" }

    /// Whether a client has connected that was not accepted.
    package var hasClient: Bool {
        var polled = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) > 0
    }

    /// Waits for the next client.
    package func accept() async throws -> Client {
        try await onThread { [self] in
            let descriptor = Glibc.accept(listener, nil, nil)
            guard descriptor >= 0 else { throw ServerFailure("No client was accepted.") }
            return Client(descriptor)
        }
    }

    package final class Client: Sendable {
        private let descriptor: Int32

        fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

        deinit { close(descriptor) }

        /// Waits for some bytes, and answers.
        package func answer(_ text: String) async {
            await onThread { [self] in
                var buffer = [UInt8](repeating: 0, count: 1024)
                guard recv(descriptor, &buffer, buffer.count, 0) > 0 else { return }
                _ = send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL))
            }
        }

        /// Waits until the client has closed its end.
        package func waitForEnd() async {
            await onThread { [self] in
                var buffer = [UInt8](repeating: 0, count: 1024)
                while recv(descriptor, &buffer, buffer.count, 0) > 0 {}
            }
        }

        /// Ends the connection.
        package func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
}
