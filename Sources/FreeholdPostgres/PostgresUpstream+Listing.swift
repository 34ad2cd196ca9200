public import Foundation
public import FreeholdSharing

/// What people who look after a server want to know. None of it makes a client known.
extension PostgresUpstream {
    /// A realm of the server.
    public struct RealmEntry: Sendable, Hashable {
        /// Its name.
        public var name: String
        /// Its epoch, which counts from 1.
        public var epoch: Int64
        /// The number of the newest commit.
        public var head: Int64
        /// Commits up to this number were dropped.
        public var floor: Int64
        /// How many commits the log has.
        public var commitCount: Int64
        /// The bytes of the payloads of these commits.
        public var byteCount: Int64
        /// The newest snapshot of the epoch; nil without one.
        public var snapshot: UpstreamSnapshot?
    }

    /// A file that takes part in a realm.
    public struct ClientEntry: Sendable, Hashable {
        /// Identifies the file.
        public var id: UUID
        /// The program and the machine, as the client said.
        public var name: String
        /// The last number of a commit that it has pushed.
        public var lastSequence: Int64
        /// When it connected last.
        public var seen: Date
    }

    /// A commit, and who pushed it.
    public struct LogEntry: Sendable, Hashable {
        /// The commit.
        public var commit: LoggedCommit
        /// The name of the client; nil if the server knows none.
        public var clientName: String?
        /// When the commit was appended, by the server's clock.
        public var date: Date
    }

    /// The realms that the user may read, by name. Counts all commits: O(commits).
    ///
    /// - Throws: ``SharingError``.
    public func realms() async throws -> [RealmEntry] {
        try await listing { [statements] connection throws(ServerError) in
            let result = try connection.run(statements.realms)[0]
            var realms: [RealmEntry] = []
            for row in 0..<result.rowCount {
                var entry = RealmEntry(
                    name: result.text(row, 0), epoch: try result.int64(row, 1),
                    head: try result.int64(row, 2), floor: try result.int64(row, 3),
                    commitCount: try result.int64(row, 4), byteCount: try result.int64(row, 5))
                if let sequence = try result.optionalInt64(row, 6) {
                    entry.snapshot = UpstreamSnapshot(
                        epoch: entry.epoch, sequence: sequence,
                        byteCount: try result.int64(row, 7), isEncrypted: try result.bool(row, 8))
                }
                realms.append(entry)
            }
            return realms
        }
    }

    /// The clients of a realm, the last seen first. O(clients).
    ///
    /// - Throws: ``SharingError``.
    public func clients(of realm: String) async throws -> [ClientEntry] {
        try RealmName.check(realm)
        return try await listing { [statements] connection throws(ServerError) in
            let result = try connection.run(statements.clients.with(.text(realm)))[0]
            var clients: [ClientEntry] = []
            for row in 0..<result.rowCount {
                clients.append(
                    ClientEntry(
                        id: try result.uuid(row, 0), name: result.text(row, 1),
                        lastSequence: try result.int64(row, 2),
                        seen: Self.date(try result.int64(row, 3))))
            }
            return clients
        }
    }

    /// Commits of a realm's log, in order.
    ///
    /// - Parameters:
    ///   - realm: Its name.
    ///   - sequence: The number before the first one.
    ///   - count: At most how many.
    /// - Throws: ``SharingError``.
    public func log(of realm: String, after sequence: Int64, count: Int) async throws
        -> [LogEntry]
    {
        try RealmName.check(realm)
        return try await listing { [statements] connection throws(ServerError) in
            let result = try connection.run(
                statements.log.with(.text(realm), .int64(sequence), .int64(Int64(count))))[0]
            var entries: [LogEntry] = []
            for row in 0..<result.rowCount {
                entries.append(
                    LogEntry(
                        commit: LoggedCommit(
                            sequence: try result.int64(row, 0), client: try result.uuid(row, 1),
                            clientSequence: try result.int64(row, 2),
                            format: try result.int32(row, 3), payload: result.data(row, 4)),
                        clientName: result.isNull(row, 5) ? nil : result.text(row, 5),
                        date: Self.date(try result.int64(row, 6))))
            }
            return entries
        }
    }

    /// Drops a realm's commits and snapshots below its newest snapshot that are older than a time.
    ///
    /// - Throws: ``SharingError``.
    public func trim(_ realm: String, olderThan age: Duration) async throws {
        try RealmName.check(realm)
        let parts = age.components
        let seconds = Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
        try await listing { [statements] connection throws(ServerError) in
            _ = try connection.run(statements.trimNamed.with(.text(realm), .float64(seconds)))
        }
    }

    private func listing<Value: Sendable>(
        _ body: @escaping @Sendable (ServerConnection) throws(ServerError) -> Value
    ) async throws -> Value {
        try await withSession { session in
            let version = try await session.run {
                [statements] connection throws(ServerError) in
                try connection.run(statements.version.with(.text("")))[0].int32(0, 0)
            }
            try Self.check(version: version)
            return try await session.run { connection throws(ServerError) in
                try body(connection)
            }
        }
    }

    private static func date(_ milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}

extension Statements {
    fileprivate var realms: Statement {
        statement(
            "realms",
            """
            SELECT r.name, r.epoch, r.head, r.floor, c.count, c.bytes, s.seq, s.byte_count,
                s.is_encrypted
            FROM @.realm r
            CROSS JOIN LATERAL (
                SELECT count(*), coalesce(sum(octet_length(payload)), 0)::bigint AS bytes
                FROM @.commit WHERE realm = r.id AND seq > r.floor) c
            LEFT JOIN LATERAL (
                SELECT seq, byte_count, is_encrypted FROM @.snapshot
                WHERE realm = r.id AND epoch = r.epoch ORDER BY seq DESC LIMIT 1) s ON true
            ORDER BY r.name
            """
        ).takingLong()
    }

    fileprivate var clients: Statement {
        statement(
            "clients",
            """
            SELECT c.id, c.name, c.last_sequence, (extract(epoch FROM c.seen) * 1000)::bigint
            FROM @.client c JOIN @.realm r ON r.id = c.realm
            WHERE r.name = $1 ORDER BY c.seen DESC, c.id
            """)
    }

    fileprivate var trimNamed: Statement {
        statement("trim_named", "SELECT @.trim(r.id, $2) FROM @.realm r WHERE r.name = $1")
            .takingLong()
    }

    fileprivate var log: Statement {
        statement(
            "log",
            """
            SELECT c.seq, c.client, c.client_seq, c.format, c.payload, k.name,
                (extract(epoch FROM c.at) * 1000)::bigint
            FROM @.commit c JOIN @.realm r ON r.id = c.realm
            LEFT JOIN @.client k ON k.realm = c.realm AND k.id = c.client
            WHERE r.name = $1 AND c.seq > greatest($2, r.floor) ORDER BY c.seq LIMIT $3
            """)
    }
}
