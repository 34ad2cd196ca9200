/// The tables and functions of version 1, as statements that make them.
///
/// Row-level security decides what a role sees, by the rows of `grants`; the owner and superusers
/// bypass it. All roles have the privileges on the tables, so that one row grants a realm.
///
/// Invariants, which ``Statements`` and the functions keep:
/// - A realm's `head` changes only under the lock of its row, in the transaction that adds the
///   commits. Numbers have no gaps, and a reader never sees one without all smaller ones.
/// - Commits are those of the realm's epoch.
/// - All pieces of a snapshot and its row appear in one transaction.
enum SchemaVersion1 {
    /// - Parameter schema: In double quotes; it takes the place of "@", and of "#" in strings.
    static func statements(in schema: String) -> [String] {
        // What encloses the bodies of functions must not be in them, byte by byte.
        var enclosing = "$$"
        while schema.utf8.contains(enclosing.utf8) { enclosing = "$f" + enclosing.dropFirst() }
        return (tables + security + functions + execution).map {
            Statements.fill($0.replacing("$$", with: enclosing), schema: schema)
        }
    }

    private static let tables = [
        "CREATE TABLE @.version (number integer NOT NULL)",
        "INSERT INTO @.version VALUES (1)",
        // Updated by each push: room in the page keeps the new versions of a row there.
        """
        CREATE TABLE @.realm (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            name text NOT NULL UNIQUE,
            head bigint NOT NULL DEFAULT 0,
            epoch bigint NOT NULL DEFAULT 1,
            floor bigint NOT NULL DEFAULT 0
        ) WITH (fillfactor = 25)
        """,
        """
        CREATE TABLE @.client (
            realm bigint NOT NULL,
            id uuid NOT NULL,
            token uuid,
            last_sequence bigint NOT NULL DEFAULT 0,
            name text NOT NULL,
            seen timestamptz NOT NULL DEFAULT now(),
            PRIMARY KEY (realm, id)
        ) WITH (fillfactor = 25)
        """,
        """
        CREATE TABLE @.commit (
            realm bigint NOT NULL,
            seq bigint NOT NULL,
            client uuid NOT NULL,
            client_seq bigint NOT NULL,
            format integer NOT NULL,
            payload bytea NOT NULL,
            at timestamptz NOT NULL DEFAULT now(),
            PRIMARY KEY (realm, seq),
            UNIQUE (realm, client, client_seq)
        )
        """,
        """
        CREATE TABLE @.snapshot (
            id uuid PRIMARY KEY,
            realm bigint NOT NULL,
            epoch bigint NOT NULL,
            seq bigint NOT NULL,
            byte_count bigint NOT NULL,
            is_encrypted boolean NOT NULL,
            schema_version bigint NOT NULL,
            at timestamptz NOT NULL DEFAULT now()
        )
        """,
        "CREATE INDEX ON @.snapshot (realm, epoch, seq)",
        """
        CREATE TABLE @.piece (
            snapshot uuid NOT NULL,
            number bigint NOT NULL,
            realm bigint NOT NULL,
            data bytea NOT NULL,
            PRIMARY KEY (snapshot, number)
        )
        """,
        // Compression costs more time than the disk.
        "ALTER TABLE @.piece ALTER data SET STORAGE EXTERNAL",
        // Realm 0 stands for all realms, and for adding some.
        """
        CREATE TABLE @.grants (
            realm bigint NOT NULL,
            role name NOT NULL,
            can_write boolean NOT NULL,
            PRIMARY KEY (realm, role)
        )
        """,
    ]

    private static let security =
        ["realm", "client", "commit", "snapshot", "piece", "grants"].map {
            "ALTER TABLE @.\($0) ENABLE ROW LEVEL SECURITY"
        } + [
            """
            CREATE POLICY own ON @.grants FOR SELECT USING (
                role IN (current_user, 'public')
                OR EXISTS (
                    SELECT FROM pg_catalog.pg_roles r
                    WHERE r.rolname = role AND pg_has_role(current_user, r.oid, 'MEMBER')))
            """,
            policy("realm", "SELECT", using: allows("realm.id")),
            policy("realm", "UPDATE", using: allows("realm.id", toWrite: true)),
            policy("realm", "INSERT", check: allows("0", toWrite: true)),
            policy("client", "ALL", using: allows("client.realm", toWrite: true)),
            policy("client", "SELECT", using: allows("client.realm")),
        ]
        + ["commit", "snapshot", "piece"].flatMap { table in
            [
                policy(table, "SELECT", using: allows("\(table).realm")),
                policy(table, "INSERT", check: allows("\(table).realm", toWrite: true)),
                policy(table, "DELETE", using: allows("\(table).realm", toWrite: true)),
            ]
        } + [
            "GRANT USAGE ON SCHEMA @ TO PUBLIC",
            "GRANT SELECT ON @.version, @.grants TO PUBLIC",
            "GRANT SELECT, INSERT, UPDATE ON @.realm, @.client TO PUBLIC",
            "GRANT SELECT, INSERT, DELETE ON @.commit, @.snapshot, @.piece TO PUBLIC",
        ]

    /// Whether the current user's grants, all that the policy of `grants` lets it see, allow a
    /// realm.
    private static func allows(_ realm: String, toWrite: Bool = false) -> String {
        """
        EXISTS (SELECT FROM @.grants g WHERE g.realm IN (0, \(realm))\
        \(toWrite ? " AND g.can_write" : ""))
        """
    }

    private static func policy(
        _ table: String, _ command: String, using: String? = nil, check: String? = nil
    ) -> String {
        "CREATE POLICY freehold_\(command.lowercased()) ON @.\(table) FOR \(command)"
            + (using.map { " USING (\($0))" } ?? "") + (check.map { " WITH CHECK (\($0))" } ?? "")
    }

    private static let functions = [find, enter, push, trim, begin]

    /// Everybody may execute functions unless the owner's default privileges say otherwise.
    private static let execution = [
        "find(text)", "enter(text, uuid, uuid, uuid, text, bigint, bigint)",
        "push(bigint, uuid, uuid, bigint, bigint, bigint, bigint[], integer[], bytea[])",
        "trim(bigint, double precision)",
        "begin_epoch(bigint, bigint, bigint, bigint, bigint, boolean)",
    ].map { "GRANT EXECUTE ON FUNCTION @.\($0) TO PUBLIC" }

    /// The id of a realm that the user may not see, so that a refusal can be told from a name
    /// that is not there.
    private static let find = """
        CREATE FUNCTION @.find(realm_name text) RETURNS bigint
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
        AS $$ SELECT id FROM @.realm WHERE name = realm_name $$
        """

    /// Makes a client known. Outcomes: 0 welcome, 1 no realm, 2 not allowed, 3 a copy.
    ///
    /// Who may only read has no row: it pushes nothing, so a copy does no harm.
    private static let enter = """
        CREATE FUNCTION @.enter(
            realm_name text, client uuid, previous uuid, next uuid, client_name text,
            client_epoch bigint, client_applied bigint,
            OUT outcome integer, OUT realm bigint, OUT epoch bigint, OUT head bigint)
        LANGUAGE plpgsql AS $$
        DECLARE
            writes boolean := true;
        BEGIN
            outcome := 0;
            realm := @.find(realm_name);
            IF realm IS NULL THEN outcome := 1; RETURN; END IF;
            SELECT r.epoch, r.head INTO epoch, head FROM @.realm r WHERE r.id = realm;
            IF NOT FOUND THEN outcome := 2; RETURN; END IF;
            IF row_security_active('#.realm') THEN
                SELECT count(*) > 0 INTO writes FROM @.grants g
                WHERE g.realm IN (0, enter.realm) AND g.can_write;
            END IF;
            IF NOT writes THEN RETURN; END IF;
            INSERT INTO @.client AS c (realm, id, token, name)
            VALUES (enter.realm, client, next, client_name)
            ON CONFLICT ON CONSTRAINT client_pkey
            DO UPDATE SET token = next, name = client_name, seen = now()
            WHERE c.token IS NULL OR c.token IN (previous, next)
                OR (client_epoch, client_applied) > (enter.epoch, enter.head);
            IF NOT FOUND THEN outcome := 3; END IF;
        END $$
        """

    /// Appends commits. Outcomes: 0 appended (number: the last one's, or the head), 1 another
    /// epoch (number: it), 2 conflict (number: the head), 3 no realm, or not allowed, 4 the client
    /// has connected again, 5 commits of the client that it was told are here are not.
    ///
    /// All pushes of a realm wait for the lock of its row, which is held until the commit is
    /// durable. Each statement sees what was committed before it, thus after the lock. The lock
    /// of the client's row keeps `enter` waiting, after which no older push can succeed.
    private static let push = """
        CREATE FUNCTION @.push(
            to_realm bigint, by_client uuid, by_token uuid, in_epoch bigint, expected bigint,
            following bigint, numbers bigint[], formats integer[], payloads bytea[],
            OUT outcome integer, OUT number bigint)
        LANGUAGE plpgsql AS $$
        DECLARE
            now_epoch bigint;
            now_head bigint;
            pushed bigint;
            now_token uuid;
            known integer;
            total integer := cardinality(numbers);
        BEGIN
            SELECT r.epoch, r.head INTO now_epoch, now_head FROM @.realm r
            WHERE r.id = to_realm FOR NO KEY UPDATE;
            IF NOT FOUND THEN outcome := 3; RETURN; END IF;
            IF now_epoch <> in_epoch THEN outcome := 1; number := now_epoch; RETURN; END IF;
            SELECT c.last_sequence, c.token INTO pushed, now_token FROM @.client c
            WHERE c.realm = to_realm AND c.id = by_client FOR NO KEY UPDATE;
            IF now_token <> by_token THEN outcome := 4; RETURN; END IF;
            IF coalesce(pushed, 0) < following THEN outcome := 5; RETURN; END IF;
            number := now_head;
            outcome := 0;
            IF pushed >= numbers[total] THEN RETURN; END IF;
            IF expected <> now_head THEN outcome := 2; RETURN; END IF;
            known := 0;
            WHILE numbers[known + 1] <= pushed LOOP known := known + 1; END LOOP;
            number := now_head + total - known;
            INSERT INTO @.commit (realm, seq, client, client_seq, format, payload)
            SELECT to_realm, now_head + n.ordinality - known, by_client, n.number, n.format,
                n.payload
            FROM unnest(numbers, formats, payloads)
                WITH ORDINALITY AS n(number, format, payload, ordinality)
            WHERE n.ordinality > known;
            UPDATE @.realm SET head = push.number WHERE id = to_realm;
            UPDATE @.client SET last_sequence = numbers[total], seen = now()
            WHERE realm = to_realm AND id = by_client;
            IF NOT FOUND THEN
                INSERT INTO @.client (realm, id, last_sequence, name)
                VALUES (to_realm, by_client, numbers[total], '');
            END IF;
        END $$
        """

    /// Drops commits that the newest snapshot has and that are older than a time, and older
    /// snapshots. A commit stays if one with a smaller number does. That of the floor stays, too:
    /// it tells clients at the floor whether the log is theirs.
    private static let trim = """
        CREATE FUNCTION @.trim(of_realm bigint, age double precision) RETURNS void
        LANGUAGE plpgsql AS $$
        DECLARE
            before timestamptz := now() - make_interval(secs => age);
            now_epoch bigint;
            now_floor bigint;
            newest bigint;
            newest_id uuid;
            kept bigint;
        BEGIN
            SELECT r.epoch, r.floor INTO now_epoch, now_floor FROM @.realm r
            WHERE r.id = of_realm FOR NO KEY UPDATE;
            IF NOT FOUND THEN
                RAISE insufficient_privilege USING MESSAGE = 'The user may not trim the realm.';
            END IF;
            SELECT s.seq, s.id INTO newest, newest_id FROM @.snapshot s
            WHERE s.realm = of_realm AND s.epoch = now_epoch ORDER BY s.seq DESC, s.at DESC LIMIT 1;
            IF NOT FOUND THEN RETURN; END IF;
            SELECT c.seq INTO kept FROM @.commit c
            WHERE c.realm = of_realm AND c.seq <= newest AND c.at > before
            ORDER BY c.seq LIMIT 1;
            IF FOUND THEN kept := kept - 1; ELSE kept := newest; END IF;
            IF kept > now_floor THEN
                UPDATE @.realm SET floor = kept WHERE id = of_realm;
                DELETE FROM @.commit c WHERE c.realm = of_realm AND c.seq < kept;
            END IF;
            WITH gone AS (
                DELETE FROM @.snapshot s
                WHERE s.realm = of_realm AND s.id <> newest_id AND s.at <= before
                RETURNING s.id)
            DELETE FROM @.piece p USING gone WHERE p.snapshot = gone.id;
        END $$
        """

    /// Begins an epoch, and returns true, unless another client was first, the log has another
    /// head, or, for callers who had to wait for its snapshot, the epoch has one by now. Tokens are
    /// forgotten: after a restored backup every client would else look like a copy. So are the
    /// numbers of clients, because the snapshot may lack commits of the log.
    private static let begin = """
        CREATE FUNCTION @.begin_epoch(
            of_realm bigint, ended bigint, known_head bigint, new_epoch bigint, new_head bigint,
            if_unseeded boolean)
        RETURNS boolean
        LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM FROM @.realm r WHERE r.id = of_realm FOR NO KEY UPDATE;
            IF NOT FOUND THEN
                RAISE insufficient_privilege
                    USING MESSAGE = 'The user may not begin an epoch of the realm.';
            END IF;
            UPDATE @.realm SET epoch = new_epoch, head = new_head, floor = new_head
            WHERE id = of_realm AND epoch = ended AND head = known_head
                AND NOT (if_unseeded AND EXISTS (
                    SELECT FROM @.snapshot s WHERE s.realm = of_realm AND s.epoch = ended));
            IF NOT FOUND THEN RETURN false; END IF;
            DELETE FROM @.commit c WHERE c.realm = of_realm;
            UPDATE @.client SET token = NULL, last_sequence = 0 WHERE realm = of_realm;
            WITH gone AS (
                DELETE FROM @.snapshot s WHERE s.realm = of_realm RETURNING s.id)
            DELETE FROM @.piece p USING gone WHERE p.snapshot = gone.id;
            RETURN true;
        END $$
        """
}
