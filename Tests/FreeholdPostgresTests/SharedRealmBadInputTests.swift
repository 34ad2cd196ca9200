import Foundation
import Freehold
import FreeholdPostgres
import FreeholdSharing
import FreeholdTestSupport
import PostgresServer
import Testing
import UpstreamConformance

/// What goes wrong between a machine and its server: an error that says what to do; the file is
/// intact and usable; what is pending is kept, and pushed afterwards.
@Suite(.needsPostgres, .timeLimit(.minutes(10)))
struct SharedRealmBadInputTests {
    @Test func noServer() async throws {
        let room = try await BadInputRoom()
        let nowhere = PostgresUpstream("postgresql://owner@127.0.0.1:1/postgres")
        try await room.expectRefusal(.unreachable, "address", at: nowhere)
        try await room.expectThatItGoesOn()
    }

    @Test func wrongPassword() async throws {
        let room = try await BadInputRoom()
        let role = try await SharedServer.securedRole()
        let upstream = room.schema.upstream(user: role, password: "wr0ng")
        try await room.expectRefusal(.authenticationFailed, "password", at: upstream)
        try await room.expectThatItGoesOn()
    }

    @Test func missingTables() async throws {
        let room = try await BadInputRoom()
        let upstream = PostgresUpstream(
            room.schema.server.url(), schema: room.schema.name + "_none")
        try await room.expectRefusal(.notPrepared, "freehold share init", at: upstream)
        try await room.expectThatItGoesOn()
    }

    @Test func laterTables() async throws {
        let room = try await BadInputRoom()
        let version = "UPDATE \(room.schema.name).version SET number ="
        try await room.schema.server.query("\(version) 2")
        try await room.expectRefusal(
            .unsupportedVersion, "newer Freehold", at: room.schema.upstream)
        try await room.schema.server.query("\(version) 1")
        try await room.expectThatItGoesOn()
    }

    @Test func unknownName() async throws {
        let room = try await BadInputRoom()
        let other = try await PostgresSchema()
        try await room.expectRefusal(.unknownRealm, "name", at: other.upstream)
        try await room.expectThatItGoesOn()
    }

    @Test func otherNames() async throws {
        let room = try await BadInputRoom()
        await expectError(.nameTaken) { try await room.schema.upstream.create("shop") }
        try await room.schema.upstream.create("other")
        await expectError(.alreadyShared) {
            _ = try await SharedRealm(
                room.configuration, upstream: room.schema.upstream, name: "other")
        }
        try room.expectUsable()
        try await room.expectThatItGoesOn()
    }

    @Test func grantsThatWereTakenBack() async throws {
        let room = try await BadInputRoom()
        let role = try await room.schema.makeRole()
        try await room.expectRefusal(
            .permissionDenied, "grant", at: room.schema.upstream(user: role))
        try await room.expectThatItGoesOn()
    }

    // MARK: A log that was cut

    @Test func logsThatWereCutWithoutASnapshot() async throws {
        let room = try await BadInputRoom()
        let far = try await room.openFar()
        try room.write("far", far.configuration)
        try await far.synchronize()
        await far.close()
        try await room.schema.server.query(
            """
            DELETE FROM \(room.schema.name).commit;
            UPDATE \(room.schema.name).realm SET floor = head
            """)
        var options = BadInputRoom.options
        // Calls wait as long. As it lacks commits, it goes on to wait, ten times as long.
        options.snapshotPatience = 6
        let near = try await room.open(room.configuration, options: options)
        await expectError(.logGone) { try await near.synchronize() }
        try room.expectUsable()
        // One that begins has nothing to begin with.
        let new = try await room.open(room.newConfiguration, options: options)
        await expectError(.logGone) { try await new.synchronize() }
        #expect(new.status.lastError?.remedy.contains("makeSnapshot()") == true)
        // A client that is further makes a snapshot, and they go on by themselves.
        let further = try await room.openFar()
        try await further.synchronize()
        for machine in [near, new] {
            for await status in machine.statusChanges where status.isCaughtUp { break }
            await machine.close()
        }
        await further.close()
        try await room.expectThatItGoesOn()
    }

    @Test func logsThatWereCutWithASnapshot() async throws {
        let room = try await BadInputRoom()
        var options = BadInputRoom.options
        options.retention = 0
        let far = try await room.open(room.farConfiguration, options: options)
        try room.write("far", far.configuration)
        try await far.synchronize()
        try await far.makeSnapshot()
        let floor = "SELECT floor FROM \(room.schema.name).realm"
        while try await room.schema.server.query(floor) == "0" {}
        await far.close()
        try room.expectUsable()
        try await room.expectThatItGoesOn()
    }

    // MARK: Cancellation

    @Test func cancelledOpening() async throws {
        let room = try await BadInputRoom()
        let blocker = Blocker(room.schema)
        try await blocker.lock(table: "client")
        let opening = Task { try await room.open(room.newConfiguration) }
        try await blocker.waitUntilSomebodyWaits(for: "enter")
        opening.cancel()
        await #expect(throws: CancellationError.self) { try await opening.value.close() }
        #expect(try room.rest(of: room.newConfiguration) == [])
        try await blocker.unlock()
        let again = try await room.open(room.newConfiguration)
        try await again.synchronize()
        await again.close()
        try await room.expectThatItGoesOn()
    }

    @Test func cancelledSynchronization() async throws {
        let room = try await BadInputRoom()
        let blocker = Blocker(room.schema)
        try await blocker.lock()
        let near = try await room.open(room.configuration)
        let wait = Task { try await near.synchronize() }
        try await blocker.waitUntilSomebodyWaits()
        wait.cancel()
        await #expect(throws: CancellationError.self) { try await wait.value }
        try room.expectUsable()
        try await blocker.unlock()
        // By itself.
        for await status in near.statusChanges where status.isCaughtUp { break }
        await near.close()
        try await room.expectThatItGoesOn()
    }

    @Test func cancelledSharedWrites() async throws {
        let room = try await BadInputRoom()
        let near = try await room.open(room.configuration)
        try await near.synchronize()
        let blocker = Blocker(room.schema)
        try await blocker.lock()
        let write = Task {
            try await near.writeShared { realm in
                let account = realm.create(Account.self, value: ["number": 7], update: .modified)
                account.balance += 1
            }
        }
        try await blocker.waitUntilSomebodyWaits()
        write.cancel()
        await expectError(.outcomeUnknown) { try await write.value }
        try await blocker.unlock()
        try await near.synchronize()
        // The push went on: it is done, once.
        let realm = try near.realm()
        realm.refresh()
        #expect(realm.object(ofType: Account.self, forPrimaryKey: 7)?.balance == 1)
        await near.close()
        try await room.expectThatItGoesOn()
    }

    @Test func cancelledSnapshots() async throws {
        let room = try await BadInputRoom()
        let near = try await room.open(room.configuration)
        try await near.synchronize()
        let rest = try room.rest(of: room.configuration)
        let blocker = Blocker(room.schema)
        try await blocker.lock(table: "piece")
        let snapshot = Task { try await near.makeSnapshot() }
        try await blocker.waitUntilSomebodyWaits(for: "piece")
        snapshot.cancel()
        await #expect(throws: CancellationError.self) { try await snapshot.value }
        try room.expectUsable(hasPending: false)
        try await blocker.unlock()
        try await near.synchronize()
        await near.close()
        #expect(try room.rest(of: room.configuration) == rest)
        try await room.expectThatItGoesOn()
    }
}
