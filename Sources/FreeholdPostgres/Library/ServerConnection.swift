import CPostgres
import Foundation

/// A connection to a server, used by the one thread that may wait for it.
///
/// libpq never blocks here: the thread waits for the socket and for the wake signal at once, so
/// that other threads can end any call.
final class ServerConnection {
    let pointer: OpaquePointer
    let address: ServerAddress
    private let wake: WakeSignal
    /// Whether the server has committed something that its standby may lack. On the heap for
    /// libpq, which sets it.
    private let doubt: UnsafeMutablePointer<Bool>
    private let isInterrupted: () -> Bool
    /// Names of the statements that the server has.
    var prepared: Set<String> = []
    /// Groups whose results nobody wants, which come before those of the next group.
    var unreadGroupCount = 0
    /// Tells listeners of pushes; nil if the connection is not for one realm.
    var announcer: Announcer?
    let silence: SilenceLimits
    private var isConnected = false
    /// How long the server may be silent in the call that waits, and when that is over.
    private var silenceLimit = Duration.zero
    private var silenceEnd = ContinuousClock.now

    /// Connects to a host.
    ///
    /// - Parameters:
    ///   - wake: Ends waits.
    ///   - isInterrupted: Asked after the signal; true ends the call with `interrupted`.
    init(
        to address: ServerAddress, at host: ServerHost, wake: WakeSignal, silence: SilenceLimits,
        isInterrupted: @escaping () -> Bool
    ) throws(ServerError) {
        self.address = address
        self.wake = wake
        self.silence = silence
        self.isInterrupted = isInterrupted
        let keywords = address.keywords(for: host)
        let names = keywords.map { strdup($0.name) }
        let values = keywords.map { strdup($0.value) }
        defer { (names + values).forEach { free($0) } }
        let started = PQconnectStartParams(
            (names + [nil]).map { UnsafePointer($0) }, (values + [nil]).map { UnsafePointer($0) }, 0
        )
        guard let started else {
            throw ServerError(.noResources, message: "There is no memory for a connection.")
        }
        pointer = started
        doubt = .allocate(capacity: 1)
        doubt.initialize(to: false)
        // With the state, which failures to connect tell in no other way.
        PQsetErrorVerbosity(pointer, PQERRORS_VERBOSE)
        // The default one prints to the error output.
        PQsetNoticeReceiver(
            pointer,
            { doubt, notice in
                // The warning of a wait for the standby that somebody cancelled. It has no state
                // of its own, and its text may be translated.
                guard let origin = PQresultErrorField(notice, Int32(UInt8(ascii: "R"))),
                    String(cString: origin) == "SyncRepWaitForLSN"
                else { return }
                doubt?.assumingMemoryBound(to: Bool.self).pointee = true
            }, doubt)
        // Where it throws, all properties are there and `deinit` follows.
        try finishConnecting(to: host)
        isConnected = true
    }

    deinit {
        PQfinish(pointer)
        doubt.deallocate()
    }

    /// Throws if the server has committed without its standby: that is no acknowledgement.
    func checkReplication() throws(ServerError) {
        guard doubt.pointee else { return }
        throw ServerError(
            .connection, state: "57014",
            message: "The commit was not confirmed by the synchronous standby.")
    }

    private func finishConnecting(to host: ServerHost) throws(ServerError) {
        let clock = ContinuousClock()
        let deadline = clock.now + address.timeout
        var next = PGRES_POLLING_WRITING
        if PQstatus(pointer) == CONNECTION_BAD { next = PGRES_POLLING_FAILED }
        while next != PGRES_POLLING_OK {
            guard next != PGRES_POLLING_FAILED else { throw connectionFailure() }
            let left = deadline - clock.now
            guard left > .zero else {
                throw ServerError(
                    .connecting,
                    message: """
                        \(host.description): no answer in \(address.timeout.components.seconds) s.
                        """)
            }
            let found = wake.wait(
                for: PQsocket(pointer), toRead: next == PGRES_POLLING_READING,
                toWrite: next == PGRES_POLLING_WRITING, timeout: left)
            try clearSignal(found)
            // Polled only if the socket is ready: it would block otherwise.
            if !found.intersection([.readable, .writable]).isEmpty {
                next = PQconnectPoll(pointer)
            }
        }
        PQsetnonblocking(pointer, 1)
        guard PQenterPipelineMode(pointer) == 1 else { throw connectionFailure() }
    }

    /// Waits until the server has sent something, another thread signals, or a time is over.
    ///
    /// For a connection without an open call. Reads what came.
    func waitWhileIdle(timeout: Duration?) throws(ServerError) {
        let isUnsent = PQflush(pointer) == 1
        let found = wake.wait(for: PQsocket(pointer), toWrite: isUnsent, timeout: timeout)
        try clearSignal(found)
        if found.contains(.readable) { try consume() }
        try discardUnreadGroups(unreadGroupCount, onlyReceived: true)
    }

    /// Begins a call: the server may be silent for so long before it has answered.
    func allowSilence(for limit: Duration) {
        silenceLimit = limit
        silenceEnd = ContinuousClock.now + limit
    }

    /// Waits until libpq has read more.
    ///
    /// A process of the server that is stopped, or a network that takes everything and brings
    /// nothing, ends no connection: the limit of silence does.
    func waitForInput() throws(ServerError) {
        let unsent = PQflush(pointer)
        guard unsent >= 0 else { throw connectionFailure() }
        let found = wake.wait(
            for: PQsocket(pointer), toWrite: unsent == 1,
            timeout: max(.zero, silenceEnd - ContinuousClock.now))
        try clearSignal(found)
        if !found.isDisjoint(with: [.readable, .writable]) {
            silenceEnd = ContinuousClock.now + silenceLimit
        } else if silenceEnd <= ContinuousClock.now {
            throw ServerError(
                .connection, message: "No answer in \(silenceLimit.components.seconds) s.")
        }
        if found.contains(.readable) { try consume() }
    }

    private func consume() throws(ServerError) {
        guard PQconsumeInput(pointer) == 1 else { throw connectionFailure() }
    }

    private func clearSignal(_ found: Wakening) throws(ServerError) {
        guard found.contains(.signalled) else { return }
        wake.clear()
        if isInterrupted() {
            throw ServerError(.interrupted, message: "The connection was closed.")
        }
    }

    /// The payloads of notifications that have come.
    func takeNotifications() -> [String] {
        var payloads: [String] = []
        while let notification = PQnotifies(pointer) {
            payloads.append(notification.pointee.extra.map { String(cString: $0) } ?? "")
            PQfreemem(notification)
        }
        return payloads
    }

    /// Why the connection failed, by libpq's message, which has the state in it.
    func connectionFailure() -> ServerError {
        let text = String(cString: PQerrorMessage(pointer))
        let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("LOCATION:") }
        let message = lines.joined(separator: "\n")
        // "FATAL:  28P01: password authentication failed"; the first word may be translated, and
        // every state has a digit.
        let states = message.matches(of: /:\s+([0-9A-Z]{5})(?=:)/).map { String($0.1) }
        let state = states.first { $0.contains(where: \.isNumber) } ?? ""
        return ServerError(
            isConnected ? .connection : .connecting, state: state,
            message: address.redacted(message.trimmed()))
    }
}
