import Foundation
import Freehold
import FreeholdSharing
import FreeholdTestSupport
import Testing
import UpstreamConformance

/// A simulated server behind a bad network, by seeds.
@Suite(.timeLimit(.minutes(10))) struct SimulatedFaultTests {
    /// What two clients that call in turn are told, and what the server then has.
    private func play(_ seed: UInt64, _ faults: SimulatedFaults) async throws -> [String] {
        let upstream = SimulatedUpstream(seed: seed, faults: faults)
        try await upstream.create("orders")
        var clients = [UpstreamClient.random(), UpstreamClient.random()]
        var connections: [(any UpstreamConnection)?] = [nil, nil]
        var heard: [String] = []
        for number in 1...200 {
            let index = number % 2
            do {
                if connections[index] == nil {
                    connections[index] = try await upstream.connect(
                        to: "orders", as: clients[index])
                    clients[index] = clients[index].again()
                }
                let answer = try await connections[index]?.push(
                    [.numbered(Int64(number))], in: 1, expecting: nil)
                heard.append("\(index): \(answer.map { "\($0)" } ?? "")")
            } catch let error as SharingError where error.code == .unreachable {
                connections[index] = nil
                heard.append("\(index): lost")
            }
        }
        let log = upstream.commits(of: "orders")
        #expect(log.map(\.sequence) == Array(1...Int64(log.count)))
        for client in clients {
            let own = log.filter { $0.client == client.id }.map(\.clientSequence)
            #expect(own == own.sorted() && Set(own).count == own.count)
        }
        return heard + log.map { "\($0.clientSequence)" }
    }

    @Test func aSeedRepeatsItself() async throws {
        var faults = SimulatedFaults.some
        faults.longestDelay = .zero
        let first = try await play(7, faults)
        #expect(try await play(7, faults) == first)
        #expect(try await play(8, faults) != first)
        let lost = first.count { $0.hasSuffix("lost") }
        #expect((4...60).contains(lost), "\(lost) of 200")
        #expect(try await !play(7, .none).contains { $0.hasSuffix("lost") })
    }

    /// Each fault on its own: whether the client hears the answer, and whether the call is done.
    @Test func whatBecomesOfACall() async throws {
        func expect(
            _ faults: SimulatedFaults, isHeard: Bool, isDone: Bool, _ comment: Comment
        ) async throws {
            let upstream = SimulatedUpstream()
            try await upstream.create("orders")
            let (one, two) = (UpstreamClient.random(), UpstreamClient.random())
            let connection = try await upstream.connect(to: "orders", as: one)
            let other = try await upstream.connect(to: "orders", as: two)
            upstream.setFaults(faults)
            let answer = try? await connection.push([.numbered(1)], in: 1, expecting: nil)
            upstream.setFaults(.none)
            #expect((answer != nil) == isHeard, comment)
            // What is late comes behind some calls of others.
            for _ in 0..<3 { _ = try? await other.state() }
            #expect(upstream.commits(of: "orders").count == (isDone ? 1 : 0), comment)
            // A call whose connection broke does not break that of the others, but for a restart.
            let isOtherOpen = (try? await other.state()) != nil
            #expect(isOtherOpen == (faults.restarts == 0), comment)
            #expect(((try? await connection.state()) != nil) == isHeard, comment)
            // Nothing is done twice.
            let again = try await upstream.connect(to: "orders", as: one.again())
            let last = try await again.push([.numbered(1)], in: 1, expecting: nil)
            #expect(last == .appended(last: 1), comment)
        }
        func faults(_ path: WritableKeyPath<SimulatedFaults, Double>) -> SimulatedFaults {
            var faults = SimulatedFaults()
            faults[keyPath: path] = 1
            return faults
        }
        try await expect(.none, isHeard: true, isDone: true, "none")
        try await expect(faults(\.lostRequests), isHeard: false, isDone: false, "lost request")
        try await expect(faults(\.lostAnswers), isHeard: false, isDone: true, "lost answer")
        try await expect(faults(\.lateRequests), isHeard: false, isDone: true, "late")
        try await expect(faults(\.repeatedRequests), isHeard: true, isDone: true, "repeated")
        try await expect(faults(\.restarts), isHeard: false, isDone: true, "restart")
    }

    /// A late request of a client that has connected again is not done.
    @Test func lateBehindAnotherConnection() async throws {
        let upstream = SimulatedUpstream()
        try await upstream.create("orders")
        var client = UpstreamClient.random()
        func connect() async throws -> any UpstreamConnection {
            defer { client = client.again() }
            return try await upstream.connect(to: "orders", as: client)
        }
        var late = SimulatedFaults()
        late.lateRequests = 1
        // One that comes behind the next call is done before the client has connected.
        var isDone: Set<Bool> = []
        for number in Int64(1)...40 {
            let connection = try await connect()
            let before = upstream.commits(of: "orders").count
            upstream.setFaults(late)
            _ = try? await connection.push([.numbered(number)], in: 1, expecting: nil)
            upstream.setFaults(.none)
            let again = try await connect()
            let after = upstream.commits(of: "orders").count
            for _ in 0..<4 { _ = try await again.state() }
            #expect(upstream.commits(of: "orders").count == after)
            isDone.insert(after > before)
        }
        #expect(isDone == [true, false])
    }

    /// Programs over such a network converge.
    @Test func programsOverABadNetwork() async throws {
        var random = Seed.random()
        let shop = try await Shop(faults: .some, seed: random.next())
        let machines = [try await shop.open("one"), try await shop.open("two")]
        let id = ObjectId.generate()
        try machines[0].write {
            $0.create(ShopItem.self, value: ["id": id, "stock": 0] as [String: Any])
        }
        try await machines[0].persist { try await $0.synchronize() }
        try await machines[1].persist { try await $0.synchronize() }
        var done = 0
        for round in 0..<40 {
            let machine = machines[round % 2]
            try machine.write { realm in
                realm.create(ShopSupplier.self, value: ["name": "\(round)"])
                realm.object(ofType: ShopItem.self, forPrimaryKey: id)?.increment(\.stock, by: 1)
            }
            if random.once(in: 3) {
                try await machine.persist { shared in
                    try await shared.writeShared(timeout: .seconds(600)) { realm in
                        realm.object(ofType: ShopItem.self, forPrimaryKey: id)?
                            .increment(\.stock, by: 100)
                    }
                }
                done += 1
            }
        }
        for machine in machines + machines {
            try await machine.persist { try await $0.synchronize() }
        }
        try expectEqual(machines[0], machines[1])
        let stock = try machines[0].read { $0.objects(ShopItem.self).first?.stock ?? 0 }
        // One whose outcome was not known may be done, and was done again.
        #expect(stock % 100 == 40 && stock / 100 >= done)
        for machine in machines { await machine.close() }
    }
}

extension SharedRealm {
    /// Does something until the network lets it through.
    fileprivate func persist<Value>(_ body: (SharedRealm) async throws -> Value) async throws
        -> Value
    {
        while true {
            do {
                return try await body(self)
            } catch let error as SharingError
                where error.code == .unreachable || error.code == .outcomeUnknown
            {}
        }
    }
}
