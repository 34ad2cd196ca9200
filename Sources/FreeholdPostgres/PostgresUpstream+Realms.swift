import Foundation
public import FreeholdSharing

extension PostgresUpstream {
    public func create(_ realm: String) async throws {
        try RealmName.check(realm)
        try await withSession { session in
            _ = try await openTables(session, realm: realm)
            do {
                try await session.run { [statements] connection throws(ServerError) in
                    _ = try connection.run(statements.create.with(.text(realm)))
                }
            } catch let error as SharingError where error.cause.hasSuffix("[23505]") {
                throw SharingError(
                    .nameTaken, "The server has a realm \"\(realm)\".",
                    remedy: "Take another name, or join the realm.")
            }
        }
    }

    public func connect(to realm: String, as client: UpstreamClient) async throws
        -> any UpstreamConnection
    {
        try RealmName.check(realm)
        let session = try await openSession()
        do {
            let channel = try await openTables(session, realm: realm)
            return try await enter(realm, as: client, session, channel: channel)
        } catch {
            await session.close()
            throw error
        }
    }

    /// Sees that the tables are there and of a known version, and returns the channel on which
    /// pushes to a realm are announced.
    private func openTables(_ session: Session, realm: String) async throws -> String {
        let found: (version: Int32, channel: String)? = try await session.run {
            [statements] connection throws(ServerError) in
            let result = try connection.run(statements.version.with(.text(realm)))[0]
            guard result.rowCount > 0 else { return nil }
            return (try result.int32(0, 0), result.text(0, 1))
        }
        guard let found else {
            throw SharingError(
                .notPrepared, "The tables for sharing have no version.",
                remedy: "Restore them from a backup, or drop the schema and prepare it again.")
        }
        try Self.check(version: found.version)
        return found.channel
    }

    static func check(version: Int32) throws(SharingError) {
        guard version != Schema.version else { return }
        let remedy =
            switch version {
            case ..<1: "The table of the version was changed: restore it from a backup."
            case ..<Schema.version:
                "Have the tables' owner bring them to this version: freehold share init."
            default: "Build the program with a newer Freehold."
            }
        throw SharingError(
            .unsupportedVersion,
            """
            The server's tables are of version \(version), this program knows version \
            \(Schema.version).
            """, remedy: remedy)
    }

    static let unknownRealmRemedy = """
        See to the name, or create it: freehold share init URL NAME, or PostgresUpstream.create(_:).
        """

    private func enter(
        _ realm: String, as client: UpstreamClient, _ session: Session, channel: String
    ) async throws -> PostgresConnection {
        let answer = try await session.run { [statements] connection throws(ServerError) in
            // Before the head is read: pushes after it are announced to this connection.
            try connection.runScript(["LISTEN \"\(channel)\""])
            let result = try connection.run(
                statements.enter.with(
                    .text(realm), .uuid(client.id), .uuid(client.previousToken),
                    .uuid(client.nextToken), .text(client.name), .int64(client.epoch),
                    .int64(client.applied)))[0]
            let outcome = try result.int32(0, 0)
            guard outcome == 0 else { return EnterAnswer(outcome: outcome) }
            let id = try result.int64(0, 1)
            connection.announcer = Announcer(statements.announce.with(.text(channel), .int64(id)))
            return EnterAnswer(
                outcome: 0, realm: id, epoch: try result.int64(0, 2), head: try result.int64(0, 3))
        }
        switch answer.outcome {
        case 0: break
        case 1:
            throw SharingError(
                .unknownRealm, "The server has no realm \"\(realm)\".",
                remedy: Self.unknownRealmRemedy)
        case 2:
            throw SharingError(
                .permissionDenied, "The user may not read the realm \"\(realm)\".",
                remedy: "Have the owner grant it: PostgresUpstream.grant(_:to:canWrite:).")
        default:
            throw SharingError(
                .copiedClient, "Another file with the id of this one has connected since.",
                remedy: SharingError.copiedClientRemedy,
                cause: "client \(client.id)")
        }
        session.note(KnownHead(epoch: answer.epoch, head: answer.head))
        return PostgresConnection(
            session, realm: answer.realm, name: realm, client: client, statements)
    }

    /// Runs `body` with a session that is closed afterwards.
    func withSession<Value: Sendable>(_ body: (Session) async throws -> Value) async throws -> Value
    {
        let session = try await openSession()
        do {
            let value = try await body(session)
            await session.close()
            return value
        } catch {
            await session.close()
            throw error
        }
    }
}

private struct EnterAnswer: Sendable {
    var outcome: Int32
    var realm: Int64 = 0
    var epoch: Int64 = 0
    var head: Int64 = 0
}
