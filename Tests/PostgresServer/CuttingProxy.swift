package import Foundation
import FreeholdStorage
import Glibc

/// Stands between clients and a server's socket, and breaks connections in the middle of
/// messages.
///
/// Bytes pass unchanged until a connection's budget is used up; then both ends are closed. Or they
/// pass until a push, and what follows is held back until the connection ends.
package final class CuttingProxy: Sendable {
    /// What does not pass from a connection's next push on.
    package enum Held: Sendable, CaseIterable {
        /// The push and what the client sends later. The server never gets it.
        case requests
        /// The answer and what the server sends later. The server has done the push.
        case answers
    }

    private struct State {
        var budget: Int?
        /// Called when a budget is used up, before the connection is closed.
        var action: (@Sendable () -> Void)?
        var held: Held?
        /// The name of a statement, as libpq sends it.
        var heldStatement = Data()
        var heldCount = 0
        var isRefusing = false
        var connections: [Int32: Int32] = [:]
        var isOver = false
    }

    /// The directory to give as the server's.
    package let sockets: URL
    private let target: String
    private let listener: Int32
    private let state = Locked(State())
    private let monitor = Monitor()

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
    ///
    /// - Parameter action: Called before such a connection is closed.
    package func cut(after budget: Int?, _ action: (@Sendable () -> Void)? = nil) {
        state.withLock { ($0.budget, $0.action) = (budget, action) }
    }

    /// Holds back from the next push of each connection on, also of those that are open; nil for
    /// nothing. What is held back once never passes.
    ///
    /// - Parameter statement: The name of another statement in place of the one that pushes.
    package func hold(_ held: Held?, at statement: String = "push") {
        state.withLock {
            ($0.held, $0.heldStatement) = (held, Data("\0freehold_\(statement)\0".utf8))
        }
    }

    /// Waits until something is held back that was not when so many were.
    package func waitForHold(after count: Int = 0) async {
        await onThread { [self] in
            monitor.withLock { while state.withLock({ $0.heldCount }) <= count { monitor.wait() } }
        }
    }

    /// How many connections were held back so far.
    package var heldCount: Int { state.withLock { $0.heldCount } }

    /// Closes all connections; refuses new ones until ``restore()``.
    package func cutAll() {
        state.withLock { state in
            state.isRefusing = true
            // Under the lock: a relay that has left it closes its descriptors, whose numbers then
            // are those of others.
            for descriptor in state.connections.flatMap({ [$0.key, $0.value] }) {
                shutdown(descriptor, Int32(SHUT_RDWR))
            }
        }
    }

    package func restore() { state.withLock { $0.isRefusing = false } }

    package func close() {
        state.withLock { $0.isOver = true }
        cutAll()
        // The thread that accepts closes it: it may be about to use it.
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            let (budget, action, isRefusing, isOver) = state.withLock {
                ($0.budget, $0.action, $0.isRefusing, $0.isOver)
            }
            if isOver {
                if client >= 0 { Glibc.close(client) }
                Glibc.close(listener)
                return
            }
            guard client >= 0 else { continue }
            let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            guard !isRefusing, withAddress(target, { connect(server, $0, $1) == 0 }) else {
                Glibc.close(client)
                Glibc.close(server)
                continue
            }
            state.withLock { $0.connections[client] = server }
            Thread { [self] in
                if relay(client, server, budget) { action?() }
                _ = state.withLock { $0.connections.removeValue(forKey: client) }
                Glibc.close(client)
                Glibc.close(server)
            }.start()
        }
    }

    /// Returns at a connection's end; true if its budget is used up.
    private func relay(_ client: Int32, _ server: Int32, _ budget: Int?) -> Bool {
        var left = budget ?? .max
        var buffer = [UInt8](repeating: 0, count: 8192)
        var polled = [
            pollfd(fd: client, events: Int16(POLLIN), revents: 0),
            pollfd(fd: server, events: Int16(POLLIN), revents: 0),
        ]
        while left > 0, poll(&polled, 2, -1) > 0 {
            for index in 0...1 where polled[index].revents != 0 {
                if polled[index].events == 0 {
                    // It had sent something when it was held back; or it is gone.
                    if polled[index].revents & Int16(POLLIN) != 0 { continue }
                    return false
                }
                let count = recv(polled[index].fd, &buffer, min(buffer.count, left), 0)
                guard count > 0 else { return false }
                let held = index == 0 ? heldBack(buffer[..<count]) : nil
                if held == .requests {
                    polled[0].events = 0
                } else if !send(buffer[..<count], to: polled[1 - index].fd) {
                    return false
                }
                if held == .answers { polled[1].events = 0 }
                if held != nil { noteHold() }
                left -= count
            }
        }
        return left <= 0
    }

    private func heldBack(_ bytes: ArraySlice<UInt8>) -> Held? {
        let (held, statement) = state.withLock { ($0.held, $0.heldStatement) }
        guard let held, bytes.firstRange(of: statement) != nil else { return nil }
        return held
    }

    private func noteHold() {
        monitor.withLock {
            state.withLock { $0.heldCount += 1 }
            monitor.wakeAll()
        }
    }

    private func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let part = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard part > 0 else { return false }
            rest = rest.dropFirst(part)
        }
        return true
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
