import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Random transactions of every kind, whose history must lead from nothing to the contents.
@Suite struct RandomRealmHistoryTests {
    @MainActor @Test(arguments: [nil, Data(repeating: 7, count: 64)])
    func replayingTheHistoryGivesTheContents(key: Data?) async throws {
        var random = Seed.random(for: "RandomRealmHistoryTests/replay\(key == nil ? "" : "-key")")
        for _ in 0..<(3 * Stress.factor) {
            let directory = try TemporaryDirectory()
            defer { directory.delete() }
            let realm = try await Realm.open(
                configuration: history(of: directory, .kept(for: .forever, values: true), key))
            let draft = try realm.draft()
            for number in 0..<40 {
                switch random.int(0...3) {
                case 0: try realm.write(author: "\(number)") { edit(realm, &random) }
                case 1:
                    try await realm.asyncWrite(author: "\(number)") { edit(realm, &random) }
                case 2:
                    try draft.rebase()
                    edit(draft.realm, &random)
                    try await draft.save()
                default:
                    // Several writes that may share a commit.
                    let count = random.int(1...4)
                    for _ in 0..<count { realm.writeAsync { self.note(realm) } }
                    try await realm.asyncWrite { edit(realm, &random) }
                }
            }
            try await realm.asyncWrite { edit(realm, &random) }
            realm.refresh()
            try expectReplay(realm)
            #expect(try realm.check().isEmpty)
        }
    }

    private func note(_ realm: Realm) { realm.create(Memo.self, value: ["text": "async"]) }

    private func edit(_ realm: Realm, _ random: inout SeededGenerator) {
        for _ in 0..<random.int(1...6) {
            let id = random.int(0...15)
            let order = realm.object(ofType: Order.self, forPrimaryKey: id)
            switch (random.int(0...6), order) {
            case (0, let order?): realm.delete(order)
            case (1, let order?): order.total += Double(random.int(0...1))
            case (2, let order?):
                order.number = String(repeating: "n", count: random.pick([0, 1, 40, 800]))
            case (3, let order?):
                order.customer = realm.create(
                    Customer.self, value: ["name": random.pick(["a", "b", "c"])],
                    update: .modified)
            case (4, let order?):
                if random.once(in: 3), !order.lines.isEmpty {
                    order.lines.removeLast()
                } else {
                    order.lines.append(Line(value: ["text": "l", "count": random.int(0...3)]))
                }
            case (5, let order?): order.tags.insert(random.pick(["x", "y", "z"]))
            case (_, nil): realm.create(Order.self, value: ["id": id])
            default:
                if let customer = realm.objects(Customer.self).first, random.once(in: 4) {
                    realm.delete(customer)
                }
            }
        }
    }

    /// Repeats the history and compares the result with the contents.
    private func expectReplay(_ realm: Realm) throws {
        var model: [HistoryObject: [String: HistoryValue]] = [:]
        var last: HistoryToken?
        for transaction in try realm.history() {
            if let last { #expect(last < transaction.token) }
            last = transaction.token
            for change in transaction.changes {
                switch change.kind {
                case .inserted:
                    #expect(model[change.object] == nil)
                    model[change.object] = change.newValues
                case .deleted(let tombstone):
                    #expect(model.removeValue(forKey: change.object) == tombstone)
                case .updated(let properties):
                    #expect(Set(change.newValues.keys) == Set(properties))
                    for (name, value) in change.oldValues {
                        #expect(model[change.object]?[name] == value)
                    }
                    model[change.object]?.merge(change.newValues) { $1 }
                }
            }
        }
        #expect(try realm.historyToken == last)
        for order in realm.objects(Order.self) {
            let values = try #require(model.first { $0.key.description == "Order \(order.id)" })
            #expect(values.value["number"] == .string(order.number))
            #expect(values.value["total"] == .double(order.total))
            #expect(values.value["tags"] == .set(order.tags.map { .string($0) }))
            guard case .list(let lines)? = values.value["lines"] else {
                Issue.record("no lines")
                return
            }
            #expect(lines.count == order.lines.count)
            switch values.value["customer"] {
            case .object(let customer)?:
                #expect(customer.primaryKey == order.customer.map { .string($0.name) })
            default: #expect(order.customer == nil)
            }
        }
        let counts = Dictionary(grouping: model.keys, by: \.className).mapValues(\.count)
        #expect(counts["Order"] ?? 0 == realm.objects(Order.self).count)
        #expect(counts["Customer"] ?? 0 == realm.objects(Customer.self).count)
        #expect(counts["Memo"] ?? 0 == realm.objects(Memo.self).count)
        #expect(
            counts["Line"] ?? 0 == realm.objects(Order.self).reduce(0) { $0 + $1.lines.count })
    }
}
