/// How long a server may be silent while a call waits for it.
struct SilenceLimits: Sendable {
    /// Above the `lock_timeout` of the session, with which the server answers.
    var usual = Duration.seconds(60)
    /// Of statements with which the server may be busy for long.
    var long = Duration.seconds(600)
}
