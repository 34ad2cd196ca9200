/// What a session sets before anything else, because a role or a database may have other
/// defaults. What limits a user, such as `statement_timeout`, stays.
enum SessionSettings {
    /// - `push` and the others read what was committed before each of their statements.
    /// - Waits for locks end, and acknowledged commits survive a crash.
    /// - The server says in a warning that a commit does not have its standby.
    /// - Row-level security filters rows; where it is off, the server refuses the statement.
    /// - Functions without a schema are PostgreSQL's, and a backslash in a name is one.
    static let statement = """
        SELECT set_config('default_transaction_isolation', 'read committed', false),
            set_config('lock_timeout', '30s', false),
            set_config('synchronous_commit',
                CASE WHEN current_setting('synchronous_commit') IN ('off', 'local') THEN 'on'
                ELSE current_setting('synchronous_commit') END, false),
            set_config('client_min_messages', 'warning', false),
            set_config('row_security', 'on', false),
            set_config('search_path', 'pg_catalog, pg_temp', false),
            set_config('standard_conforming_strings', 'on', false)
        """
}
