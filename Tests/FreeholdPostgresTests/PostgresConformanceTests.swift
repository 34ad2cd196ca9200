import FreeholdPostgres
import Testing
import UpstreamConformance

@Suite(.needsPostgres)
struct PostgresConformanceTests {
    @Test(arguments: UpstreamCheck.allCases)
    func conforms(_ check: UpstreamCheck) async throws {
        try await check(try await PostgresSchema.shared().upstream)
    }

    /// Row-level security is on for it.
    @Test(arguments: UpstreamCheck.allCases)
    func conformsForAnOrdinaryRole(_ check: UpstreamCheck) async throws {
        let schema = try await PostgresSchema.shared()
        let role = try await schema.makeRole()
        try await schema.upstream.grant(nil, to: role, canWrite: true)
        try await check(schema.upstream(user: role))
    }
}
