import CPostgres
import Foundation

extension ServerConnection {
    /// Runs statements in one round trip and one transaction, and returns their results.
    ///
    /// - Parameter after: A statement in a transaction of its own, whose result nobody waits for.
    func run(_ statements: Statement..., after last: Statement? = nil) throws(ServerError)
        -> [StatementResult]
    {
        try run(statements, after: last)
    }

    /// As ``run(_:after:)-(Statement...,_)``.
    func run(_ statements: [Statement], after last: Statement? = nil) throws(ServerError)
        -> [StatementResult]
    {
        // Before any is sent: the connection goes on.
        for statement in statements { try statement.checkSizes() }
        allowSilence(for: statements.contains(where: \.mayTakeLong) ? silence.long : silence.usual)
        var sent: [Sent] = []
        for statement in statements { try send(statement, &sent) }
        try sync()
        let unread = unreadGroupCount
        if let last { try send(last) }
        try discardUnreadGroups(unread)
        let results = try readGroup(sent)
        try checkReplication()
        return results
    }

    /// Sends a statement whose result nobody waits for.
    func send(_ statement: Statement) throws(ServerError) {
        var ignored: [Sent] = []
        try send(statement, &ignored)
        try sync()
        unreadGroupCount += 1
    }

    /// Runs statements without parameters in one round trip and one transaction.
    func runScript(_ statements: [String], mayTakeLong: Bool = false) throws(ServerError) {
        allowSilence(for: mayTakeLong ? silence.long : silence.usual)
        for statement in statements {
            guard PQsendQueryParams(pointer, statement, 0, nil, nil, nil, nil, 1) == 1 else {
                throw connectionFailure()
            }
        }
        try sync()
        try discardUnreadGroups(unreadGroupCount)
        _ = try readGroup(statements.map { _ in .run })
    }

    /// What was sent, in whose order results come.
    enum Sent {
        case prepared(String)
        case run
    }

    private func send(_ statement: Statement, _ sent: inout [Sent]) throws(ServerError) {
        let parameters = statement.parameters
        if prepared.insert(statement.name).inserted {
            let types = parameters.map { Oid($0.type.rawValue) }
            guard
                PQsendPrepare(
                    pointer, statement.name, statement.text, Int32(types.count), types) == 1
            else { throw connectionFailure() }
            sent.append(.prepared(statement.name))
        }
        let isSent = withPointers(parameters.map(\.bytes)) { values, lengths in
            PQsendQueryPrepared(
                pointer, statement.name, Int32(parameters.count), values, lengths,
                parameters.map { _ in 1 }, 1) == 1
        }
        guard isSent else { throw connectionFailure() }
        sent.append(.run)
    }

    private func sync() throws(ServerError) {
        guard PQpipelineSync(pointer) == 1 else { throw connectionFailure() }
    }

    /// Reads the results of one group, to its end even where one is an error.
    private func readGroup(_ sent: [Sent]) throws(ServerError) -> [StatementResult] {
        var results: [StatementResult] = []
        var failure: ServerError?
        for item in sent {
            guard let result = try nextResult() else { throw connectionFailure() }
            switch PQresultStatus(result) {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
                switch item {
                case .prepared: PQclear(result)
                case .run: results.append(StatementResult(result))
                }
            case PGRES_PIPELINE_ABORTED:
                if case .prepared(let name) = item { prepared.remove(name) }
                PQclear(result)
            default:
                if case .prepared(let name) = item { prepared.remove(name) }
                let error = ServerError(result)
                failure =
                    failure
                    ?? ServerError(
                        error.kind, state: error.state, message: address.redacted(error.message))
                PQclear(result)
                // Nothing follows on a connection that ended.
                if error.kind == .connection { throw failure ?? error }
            }
            try expectEndOfResult()
        }
        try readSync()
        if let failure { throw failure }
        return results
    }

    /// Reads the results of the first groups that nobody waits for.
    ///
    /// - Parameter onlyReceived: Stop where the thread would have to wait.
    func discardUnreadGroups(_ count: Int, onlyReceived: Bool = false) throws(ServerError) {
        let rest = unreadGroupCount - count
        while unreadGroupCount > rest {
            if onlyReceived, PQisBusy(pointer) != 0 { return }
            guard let result = try nextResult() else { continue }
            if PQresultStatus(result) == PGRES_PIPELINE_SYNC { unreadGroupCount -= 1 }
            PQclear(result)
        }
    }

    private func nextResult() throws(ServerError) -> OpaquePointer? {
        while PQisBusy(pointer) != 0 { try waitForInput() }
        if let result = PQgetResult(pointer) { return result }
        if PQstatus(pointer) == CONNECTION_BAD { throw connectionFailure() }
        return nil
    }

    private func expectEndOfResult() throws(ServerError) {
        guard let result = try nextResult() else { return }
        let error = ServerError(result)
        PQclear(result)
        throw ServerError(.connection, state: error.state, message: error.message)
    }

    private func readSync() throws(ServerError) {
        guard let result = try nextResult() else { throw connectionFailure() }
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_PIPELINE_SYNC else {
            let error = ServerError(result)
            throw ServerError(.connection, state: error.state, message: error.message)
        }
    }
}

/// Calls `body` with the addresses and lengths of values, which ``Statement/checkSizes()`` has
/// checked; a null is a null pointer.
private func withPointers<Result>(
    _ values: [Data?],
    _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?) -> Result
) -> Result {
    var pointers: [UnsafePointer<CChar>?] = []
    let lengths = values.map { Int32(clamping: $0?.count ?? 0) }
    func go(_ index: Int) -> Result {
        guard index < values.count else { return body(pointers, lengths) }
        guard let value = values[index] else {
            pointers.append(nil)
            return go(index + 1)
        }
        return value.withUnsafeBytes { bytes in
            // A null pointer would be a null, and empty data may have none.
            guard let start = bytes.baseAddress, !bytes.isEmpty else {
                return withUnsafeBytes(of: UInt8(0)) { empty in
                    pointers.append(empty.baseAddress?.assumingMemoryBound(to: CChar.self))
                    return go(index + 1)
                }
            }
            pointers.append(start.assumingMemoryBound(to: CChar.self))
            return go(index + 1)
        }
    }
    return go(0)
}
