package import Foundation
import FreeholdStorage
import Glibc

/// Stands between clients and a server's socket, and breaks connections in the middle of
/// messages.
///
/// Bytes pass unchanged until a connection's budget is used up; then both ends are closed.
package final class CuttingProxy: Sendable {
    private struct State {
        var budget: Int?
        var isRefusing = false
        var connections: [Int32: Int32] = [:]
        var isOver = false
    }

    /// The directory to give as the server's.
    package let sockets: URL
    private let target: String
    private let listener: Int32
    private let state = Locked(State())

    /// Listens in a directory of the server's.
    package init(for server: PostgresServer) throws {
        let number = UUID().uuidString.prefix(8)
        sockets = server.directory.appendingPathComponent("p\(number)")
        try FileManager.default.createDirectory(at: sockets, withIntermediateDirectories: true)
        let name = ".s.PGSQL.\(server.port ?? 5432)"
        target = server.sockets.appendingPathComponent(name).path
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let path = sockets.appendingPathComponent(name).path
        let isListening =
            withAddress(path) { bind(listener, $0, $1) == 0 } && listen(listener, 64) == 0
        guard isListening else { throw ServerFailure("A proxy cannot listen at \(path).") }
        Thread { [self] in accept() }.start()
    }

    /// Lets each connection that begins from now on pass so many bytes, in both directions
    /// together; nil for any number.
    package func cut(after budget: Int?) { state.withLock { $0.budget = budget } }

    /// Closes all connections; refuses new ones until ``restore()``.
    package func cutAll() {
        let open = state.withLock { state in
            state.isRefusing = true
            return state.connections.flatMap { [$0.key, $0.value] }
        }
        for descriptor in open { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    package func restore() { state.withLock { $0.isRefusing = false } }

    package func close() {
        state.withLock { $0.isOver = true }
        cutAll()
        shutdown(listener, Int32(SHUT_RDWR))
        Glibc.close(listener)
    }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            let (budget, isRefusing, isOver) = state.withLock {
                ($0.budget, $0.isRefusing, $0.isOver)
            }
            if isOver { return }
            guard client >= 0 else { continue }
            let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            guard !isRefusing, withAddress(target, { connect(server, $0, $1) == 0 }) else {
                Glibc.close(client)
                Glibc.close(server)
                continue
            }
            state.withLock { $0.connections[client] = server }
            Thread { [self] in relay(client, server, budget) }.start()
        }
    }

    private func relay(_ client: Int32, _ server: Int32, _ budget: Int?) {
        var left = budget ?? .max
        var buffer = [UInt8](repeating: 0, count: 8192)
        var polled = [
            pollfd(fd: client, events: Int16(POLLIN), revents: 0),
            pollfd(fd: server, events: Int16(POLLIN), revents: 0),
        ]
        relaying: while left > 0, poll(&polled, 2, -1) > 0 {
            for index in 0...1 where polled[index].revents != 0 {
                let count = recv(polled[index].fd, &buffer, min(buffer.count, left), 0)
                guard count > 0 else { break relaying }
                var sent = 0
                while sent < count {
                    let part = buffer[sent..<count].withUnsafeBytes {
                        send(polled[1 - index].fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                    guard part > 0 else { break relaying }
                    sent += part
                }
                left -= count
            }
        }
        _ = state.withLock { $0.connections.removeValue(forKey: client) }
        Glibc.close(client)
        Glibc.close(server)
    }
}

private func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool)
    -> Bool
{
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { bytes in
        bytes.copyBytes(from: path.utf8.prefix(bytes.count - 1))
    }
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}
