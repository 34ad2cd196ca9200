import Foundation
import Freehold
@testable import FreeholdSharing
@testable import FreeholdStorage
import Testing
import UpstreamConformance

/// Calls of the program that end though the upstream does not answer.
@Suite struct DeadlineTests {
    private static func code(_ result: Result<Int64, SharingError>?) -> SharingError.Code? {
        guard case .failure(let error) = result else { return nil }
        return error.code
    }

    // MARK: The core

    /// The time is over while a call is under way: what was not sent is known not to be done.
    @Test(arguments: [false, true]) func whileACallIsUnderWay(isSent: Bool) throws {
        let server = try SteppedServer()
        let (one, two) = (try server.client("one"), try server.client("two"))
        try one.run()
        one.block = { 7 }
        one.core.headMayHaveMoved()
        let (id, patient) = (one.core.request(deadline: 10), one.core.request(deadline: nil))
        var isEnded = false
        one.fate = { call in
            if call.isPush == isSent, !isEnded {
                isEnded = true
                one.core.endOverdueRequests(at: 9.9)
                #expect(one.core.requests.count == 2)
                one.core.endOverdueRequests(at: 10)
                #expect(one.core.requests.count == 1 && one.core.deadline == nil)
            }
            return .answered
        }
        try one.run()
        #expect(Self.code(one.ended[id]) == (isSent ? .outcomeUnknown : .unreachable))
        // The other one goes on, and what was sent is there.
        #expect(throws: Never.self) { try one.ended[patient]?.get() }
        #expect(one.ended[patient] != nil && one.core.isSettled)
        #expect(server.head == (isSent ? 2 : 1))
        try SteppedClient.settle(two)
        #expect(try two.number == .integer(7))
    }

    /// Why there is no connection is what a call is told whose time is over.
    @Test func withoutAConnection() throws {
        let server = try SteppedServer()
        let one = try server.client("one")
        let refused = SharingError(.authenticationFailed, "The password is wrong.", remedy: "")
        one.fate = { _ in .fails(refused) }
        one.block = { 7 }
        one.now = try #require(try one.run())
        let id = one.core.request(deadline: one.now + 5)
        var isLooked = false
        one.fate = { call in
            guard case .connect = call else { return .answered }
            isLooked = true
            one.core.endOverdueRequests(at: one.now + 5)
            return .fails(refused)
        }
        try one.run()
        #expect(isLooked && Self.code(one.ended[id]) == .authenticationFailed)
    }

    /// A full server is tried again until the time is over, and then is the reason.
    @Test func aFullServer() throws {
        let server = try SteppedServer()
        let one = try server.client("one")
        try one.run()
        one.block = { 7 }
        let full = SharingError(.serverFull, "The server is full.", remedy: "")
        one.fate = { call in call.isPush ? .fails(full) : .answered }
        let id = one.core.request(deadline: 10)
        while one.ended[id] == nil {
            try #require(one.now <= 10)
            one.now = try one.run() ?? one.now
        }
        #expect(Self.code(one.ended[id]) == .serverFull && server.head == 0)
    }

    /// Others commit each time, and the connection is fine.
    @Test func conflictsWithoutAnEnd() throws {
        let server = try SteppedServer()
        let (one, two) = (try server.client("one"), try server.client("two"))
        try one.run()
        var runs = 0
        one.block = {
            runs += 1
            one.now += 1
            try two.write(Int64(runs))
            try two.run()
            return 7
        }
        let id = one.core.request(deadline: 10)
        try one.run()
        #expect(Self.code(one.ended[id]) == .unreachable && runs == 10)
        #expect(server.head == 10)
    }

    // MARK: Programs

    /// An upstream whose pushes do not arrive and have no answer, and what tells of them.
    private func silent(_ shop: Shop) -> (upstream: HookedUpstream, pushes: AsyncStream<Void>) {
        let (pushes, continuation) = AsyncStream<Void>.makeStream()
        let upstream = HookedUpstream(
            shop.upstream,
            aroundPush: { push in
                continuation.yield()
                // Until the call is cancelled.
                for await _ in AsyncStream<Void>.makeStream().stream {}
                try Task.checkCancellation()
                return try await push()
            })
        return (upstream, pushes)
    }

    /// No answer comes to a look at the log.
    @Test(.timeLimit(.minutes(10))) func aLookWithoutAnAnswer() async throws {
        let shop = try await Shop()
        let one = try await shop.open("one")
        try await one.synchronize()
        shop.upstream.setDelay(.seconds(3600))
        await expectError(.unreachable) {
            try await one.writeShared(timeout: .milliseconds(1)) { $0.deleteAll() }
        }
        await one.close(patience: .zero)
    }

    /// No answer comes to a push.
    @Test(.timeLimit(.minutes(10))) func aPushWithoutAnAnswer() async throws {
        let shop = try await Shop()
        let upstream = silent(shop).upstream
        let one = try await SharedRealm(
            shop.configuration("one"), upstream: upstream, name: Shop.name)
        try await one.synchronize()
        do {
            try await one.writeShared(timeout: .milliseconds(100)) { realm in
                _ = realm.create(ShopSupplier.self, value: ["name": "Ada"])
            }
            Issue.record("It was written.")
        } catch let error as SharingError {
            // On a busy machine the time may be over before.
            #expect([.outcomeUnknown, .unreachable].contains(error.code), "\(error)")
        }
        #expect(try one.read { $0.objects(ShopSupplier.self).count } == 0)
        await one.close(patience: .zero)
    }

    /// Whoever does not wait for the end, as the release of a shared realm, also ends the call
    /// that is under way.
    @Test(.timeLimit(.minutes(10))) func closingEndsTheCall() async throws {
        let shop = try await Shop()
        let (upstream, pushes) = silent(shop)
        let one = try await SharedRealm(
            shop.configuration("one"), upstream: upstream, name: Shop.name)
        try await one.synchronize()
        try one.write { $0.create(ShopSupplier.self, value: ["name": "Ada"]) }
        for await _ in pushes { break }
        one.agent.close(patience: .zero)
        for await _ in one.statusChanges {}
        #expect(one.status.connection == .closed && one.status.pending == 1)
        // Its file is free.
        let again = try await shop.open("one")
        try await again.synchronize()
        #expect(shop.upstream.commits(of: Shop.name).count == 1)
        // Times that no clock has.
        await again.close(patience: .seconds(Int64.max))
    }
}
