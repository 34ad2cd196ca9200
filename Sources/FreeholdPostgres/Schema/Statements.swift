import FreeholdSharing

/// The statements of connections. Their values are parameters; only the schema is in the text.
struct Statements: Sendable {
    /// In double quotes.
    let schema: String

    init(schema: String) {
        self.schema = "\"" + schema.doubling(UInt8(ascii: "\"")) + "\""
    }

    /// The version of the tables, and the channel of a realm's notifications.
    var version: Statement {
        statement(
            "version",
            """
            SELECT number, 'freehold_' || '#'::regnamespace::oid || '_'
                || left(encode(sha256(convert_to($1, 'UTF8')), 'hex'), 32)
            FROM @.version
            """)
    }

    var enter: Statement { statement("enter", "SELECT * FROM @.enter($1, $2, $3, $4, $5, $6, $7)") }

    var create: Statement { statement("create", "INSERT INTO @.realm (name) VALUES ($1)") }

    var state: Statement {
        statement(
            "state",
            """
            SELECT r.epoch, r.head, r.floor, coalesce(c.last_sequence, 0), s.seq, f.client,
                f.client_seq, f.at
            FROM @.realm r
            LEFT JOIN @.client c ON c.realm = r.id AND c.id = $2
            LEFT JOIN @.commit f ON f.realm = r.id AND f.seq = r.floor
            LEFT JOIN LATERAL (
                SELECT seq FROM @.snapshot WHERE realm = r.id AND epoch = r.epoch
                ORDER BY seq DESC LIMIT 1) s ON true
            WHERE r.id = $1
            """)
    }

    var push: Statement {
        statement("push", "SELECT * FROM @.push($1, $2, $3, $4, $5, $6, $7, $8, $9)")
    }

    var announce: Statement {
        statement(
            "announce",
            "SELECT pg_notify($1, r.epoch || ' ' || r.head) FROM @.realm r WHERE r.id = $2")
    }

    /// Commits in order while the bytes before them are fewer than `$3`, and the realm beside
    /// each: one statement sees one version of both.
    var commits: Statement {
        statement(
            "commits",
            """
            SELECT r.epoch, r.head, r.floor, c.seq, c.client, c.client_seq, c.format, c.payload,
                c.at
            FROM @.realm r
            LEFT JOIN LATERAL (
                SELECT * FROM (
                    SELECT k.*, sum(octet_length(k.payload)) OVER (
                        ORDER BY k.seq ROWS UNBOUNDED PRECEDING
                    ) - octet_length(k.payload) AS before
                    FROM (
                        SELECT seq, client, client_seq, format, payload, at FROM @.commit
                        WHERE realm = $1 AND seq > $2 ORDER BY seq LIMIT $4
                    ) k
                ) w WHERE w.before < $3
            ) c ON true
            WHERE r.id = $1 ORDER BY c.seq
            """)
    }

    var trim: Statement { statement("trim", "SELECT @.trim($1, $2)").takingLong() }

    func beginEpoch(_ request: UpstreamEpochRequest, of realm: Int64) -> Statement {
        statement("begin_epoch", "SELECT @.begin_epoch($1, $2, $3, $4, $5, $6)").with(
            .int64(realm), .int64(request.endedEpoch), .int64(request.expectedHead),
            .int64(request.epoch), .int64(request.head), .bool(request.onlyIfUnseeded)
        ).takingLong()
    }

    var newestSnapshot: Statement {
        statement(
            "newest_snapshot",
            """
            SELECT s.epoch, s.seq, s.byte_count, s.is_encrypted, s.schema_version
            FROM @.snapshot s JOIN @.realm r ON r.id = s.realm AND r.epoch = s.epoch
            WHERE r.id = $1 ORDER BY s.seq DESC, s.at DESC LIMIT 1
            """)
    }

    var findSnapshot: Statement {
        statement(
            "find_snapshot",
            """
            SELECT id FROM @.snapshot
            WHERE realm = $1 AND epoch = $2 AND seq = $3 AND byte_count = $4
            ORDER BY at DESC LIMIT 1
            """)
    }

    var pieces: Statement {
        statement(
            "pieces",
            """
            SELECT data FROM @.piece
            WHERE snapshot = $1 AND number >= $2 AND number < $3 ORDER BY number
            """)
    }

    var addPiece: Statement {
        statement(
            "add_piece",
            "INSERT INTO @.piece (snapshot, number, realm, data) VALUES ($1, $2, $3, $4)")
    }

    /// Adds the row of a snapshot unless the realm has another epoch, or lost its commits.
    /// Locks the realm's row until the commit: an epoch begins before or after it, so that no
    /// snapshot of an epoch that is over counts as written.
    var addSnapshot: Statement {
        statement(
            "add_snapshot",
            """
            INSERT INTO @.snapshot
                (id, realm, epoch, seq, byte_count, is_encrypted, schema_version)
            SELECT $1, r.id, $3, $4, $5, $6, $7 FROM @.realm r
            WHERE r.id = $2 AND r.epoch = $3 AND r.head >= $4
            FOR SHARE
            RETURNING id
            """)
    }

    var begin: Statement { statement("begin", "BEGIN") }

    /// Before the transaction locks the realm: a client that is gone keeps others waiting no
    /// longer than this.
    var limitLocks: Statement {
        statement(
            "limit_locks",
            "SELECT set_config('idle_in_transaction_session_timeout', '20s', true)")
    }

    /// Of a snapshot, which the standby must have got.
    var commit: Statement { statement("commit", "COMMIT").takingLong() }
    var rollback: Statement { statement("rollback", "ROLLBACK") }

    /// Answers with a row if the realm is there; 0 is all realms.
    var grant: Statement {
        statement(
            "grant",
            """
            INSERT INTO @.grants (realm, role, can_write)
            SELECT realm, $2, $3 FROM (
                SELECT id AS realm FROM @.realm WHERE name = $1 UNION ALL SELECT 0 WHERE $1 IS NULL
            ) found
            ON CONFLICT (realm, role) DO UPDATE SET can_write = $3 RETURNING realm
            """)
    }

    var revoke: Statement {
        statement(
            "revoke",
            """
            DELETE FROM @.grants WHERE role = $2 AND realm IN (
                SELECT id FROM @.realm WHERE name = $1 UNION ALL SELECT 0 WHERE $1 IS NULL)
            """)
    }

    func statement(_ name: String, _ text: String) -> Statement {
        Statement(name: "freehold_" + name, text: Self.fill(text, schema: schema))
    }

    /// Puts the schema in the place of each "@", and of each "#" in a string.
    ///
    /// In one pass: the name may have these characters, too.
    ///
    /// - Parameter schema: In double quotes.
    static func fill(_ text: String, schema: String) -> String {
        let inString = schema.doubling(UInt8(ascii: "'"))
        let bytes = text.utf8.reduce(into: [UInt8]()) { filled, byte in
            switch byte {
            case UInt8(ascii: "@"): filled += schema.utf8
            case UInt8(ascii: "#"): filled += inString.utf8
            default: filled.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension String {
    /// The text with each of the bytes twice. By bytes, as the server reads it: a quotation mark
    /// and an accent behind it are one Character, which is no quotation mark.
    fileprivate func doubling(_ byte: UInt8) -> String {
        String(
            decoding: utf8.flatMap { $0 == byte ? [$0, $0] : [$0] }, as: UTF8.self)
    }
}
