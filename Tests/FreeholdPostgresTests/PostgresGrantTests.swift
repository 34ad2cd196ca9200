import Foundation
import FreeholdPostgres
import FreeholdSharing
import PostgresServer
import Testing
import UpstreamConformance

/// Who may do what with which realm.
@Suite(.needsPostgres)
struct PostgresGrantTests {
    @Test func grantsByRealm() async throws {
        let schema = try await PostgresSchema()
        try await schema.upstream.create("orders")
        try await schema.upstream.create("wages")
        let role = try await schema.makeRole()
        let upstream = schema.upstream(user: role)
        await expectError(.permissionDenied) {
            _ = try await upstream.connect(to: "orders", as: .random())
        }
        await expectError(.permissionDenied) { try await upstream.create("mine") }
        await expectError(.permissionDenied) {
            try await upstream.grant("orders", to: role, canWrite: true)
        }
        await expectError(.unknownRealm) {
            try await schema.upstream.grant("nothing", to: role, canWrite: true)
        }
        try await schema.upstream.grant("orders", to: role, canWrite: true)
        let connection = try await upstream.connect(to: "orders", as: .random())
        _ = try await connection.push([.numbered(1)], in: 1, expecting: nil)
        #expect(try await connection.allCommits().count == 1)
        await expectError(.permissionDenied) {
            _ = try await upstream.connect(to: "wages", as: .random())
        }
        await expectError(.unknownRealm) {
            _ = try await upstream.connect(to: "nothing", as: .random())
        }
        // Taken back while it is connected.
        try await schema.upstream.revoke("orders", from: role)
        await expectError(.permissionDenied) {
            _ = try await connection.push([.numbered(2)], in: 1, expecting: nil)
        }
        await expectError(.permissionDenied) { _ = try await connection.state() }
        await expectError(.permissionDenied) { _ = try await connection.allCommits() }
        await connection.close()
    }

    @Test func readersCannotWrite() async throws {
        let schema = try await PostgresSchema()
        try await schema.upstream.create("orders")
        let owner = try await schema.upstream.connect(to: "orders", as: .random())
        _ = try await owner.push([.numbered(1), .numbered(2)], in: 1, expecting: nil)
        let role = try await schema.makeRole()
        try await schema.upstream.grant("orders", to: role, canWrite: false)
        let reader = try await schema.upstream(user: role).connect(to: "orders", as: .random())
        #expect(try await reader.allCommits().count == 2)
        await expectError(.permissionDenied) {
            _ = try await reader.push([.numbered(1)], in: 1, expecting: nil)
        }
        await expectError(.permissionDenied) {
            _ = try await reader.beginEpoch(1, expecting: 0, head: 0)
        }
        await expectError(.permissionDenied) { try await reader.trim(olderThan: .zero) }
        let snapshot = UpstreamSnapshot(epoch: 1, sequence: 2, byteCount: 3, isEncrypted: false)
        let pieces = OnePiece()
        await expectError(.permissionDenied) {
            try await reader.write(snapshot) { await pieces.next() }
        }
        #expect(try await reader.state().head == 2)
        // Statements of its own are refused as well.
        let url = schema.server.url(user: role)
        for statement in [
            "INSERT INTO \(schema.name).commit SELECT realm, 3, client, 3, format, payload "
                + "FROM \(schema.name).commit LIMIT 1",
            "UPDATE \(schema.name).grants SET can_write = true", "DROP TABLE \(schema.name).commit",
            "INSERT INTO \(schema.name).grants VALUES (0, '\(role)', true)",
        ] {
            await #expect(throws: ServerFailure.self) {
                try await schema.server.query(statement, at: url)
            }
        }
        for statement in [
            "UPDATE \(schema.name).realm SET head = 0 RETURNING 1",
            "DELETE FROM \(schema.name).commit RETURNING 1",
            "UPDATE \(schema.name).client SET last_sequence = 9 RETURNING 1",
        ] {
            #expect(try await schema.server.query(statement, at: url) == "")
        }
        await reader.close()
        await owner.close()
    }

    @Test func grantsToGroups() async throws {
        let schema = try await PostgresSchema()
        try await schema.upstream.create("orders")
        let group = try await schema.makeRole()
        let role = try await schema.makeRole("IN ROLE \(group)")
        try await schema.upstream.grant("orders", to: group, canWrite: true)
        let connection = try await schema.upstream(user: role).connect(to: "orders", as: .random())
        _ = try await connection.push([.numbered(1)], in: 1, expecting: 0)
        await connection.close()
        let everybody = try await schema.makeRole()
        try await schema.upstream.grant("orders", to: "public", canWrite: false)
        try await schema.upstream(user: everybody).connect(to: "orders", as: .random()).close()
    }
}

/// A snapshot of three bytes.
actor OnePiece {
    private var isGiven = false

    func next() -> Data? {
        defer { isGiven = true }
        return isGiven ? nil : Data(count: 3)
    }
}
