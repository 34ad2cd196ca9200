import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

private typealias Order = Relationships.Order

@Suite struct AutoIncrementTests {
    private func withRealm(_ body: (Realm) throws -> Void) throws {
        try withTemporaryRealm(Relationships.rules, body)
    }

    @Test func keysAreGivenWhenObjectsAreAdded() throws {
        try withRealm { realm in
            let orders = (0..<3).map { _ in Order() }
            #expect(orders.map(\.id) == [0, 0, 0])
            // Looking at it assigns nothing.
            _ = (
                orders[0].hashValue, orders[0].description, orders[0]["id"], Order(value: orders[0])
            )
            try realm.write {
                realm.add(orders)
                #expect(realm.create(Order.self).id == 4)
                #expect(realm.create(Order.self, value: Order()).id == 5)
                #expect(
                    realm.create(Order.self, value: ["note": ["text": "a"]], update: .modified).id
                        == 6)
                let invoice = realm.create(
                    Relationships.Invoice.self, value: ["order": ["note": ["text": "b"]]])
                #expect(invoice.order?.id == 7)
                realm.add(Order(), update: .all)
            }
            #expect(orders.map(\.id) == [1, 2, 3])
            #expect(
                realm.object(ofType: Order.self, forPrimaryKey: 2)?.isSameObject(as: orders[1])
                    == true)
            #expect(realm.objects(Order.self).map(\.id) == Array(1...8))
        }
    }

    @Test func assignedKeysMoveTheCounter() throws {
        try withRealm { realm in
            try realm.write {
                realm.create(Order.self, value: ["id": 10])
                #expect(realm.create(Order.self).id == 11)
                realm.create(Order.self, value: ["id": 5])
                realm.create(Order.self, value: ["id": -7])
                realm.create(Order.self, value: ["id": 0])
                let zero = Order()
                zero.id = 12
                realm.add(zero)
                #expect(realm.create(Order.self).id == 13)
                realm.create(Order.self, value: ["id": 13], update: .modified)
                #expect(realm.create(Order.self).id == 14)
            }
            #expect(realm.objects(Order.self).map(\.id) == [-7, 0, 5, 10, 11, 12, 13, 14])
        }
    }

    @Test func keysOfDeletedObjectsStayUnused() throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: Relationships.rules)
        for round in 0..<4 {
            // Another realm each time: the thread's ends with the block.
            try onNewThread {
                let realm = try Realm(configuration: configuration)
                try realm.write {
                    #expect(realm.create(Order.self).id == round * 2 + 1)
                    #expect(realm.create(Order.self).id == round * 2 + 2)
                }
                try realm.write {
                    if round % 2 == 0 {
                        realm.delete(realm.objects(Order.self))
                    } else {
                        realm.deleteAll()
                    }
                }
            }
        }
        try expectSound(configuration)
    }

    @Test func cancelledKeysAreNotGivenAgainByTheSameRealm() throws {
        try withRealm { realm in
            realm.beginWrite()
            let lost = realm.create(Order.self)
            #expect(lost.id == 1)
            realm.cancelWrite()
            try realm.write { #expect(realm.create(Order.self).id == 2) }
            #expect(lost.isInvalidated)
            #expect(throws: CancellationError.self) {
                try realm.write {
                    realm.create(Order.self)
                    throw CancellationError()
                }
            }
            try realm.write { #expect(realm.create(Order.self).id == 4) }
        }
    }

    @Test func threadsNeverGetTheSameKey() throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: Relationships.rules)
        for _ in 0..<4 {
            try onNewThread {
                let realm = try Realm(configuration: configuration)
                for _ in 0..<5 { try realm.write { _ = realm.create(Order.self) } }
            }
        }
        let realm = try Realm(configuration: configuration)
        #expect(realm.objects(Order.self).map(\.id) == Array(1...20))
        try expectSound(configuration)
    }

    @Test func otherProcessesContinue() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let path = directory.file().path
        try onNewThread {
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: URL(fileURLWithPath: path), objectTypes: Relationships.rules))
            try realm.write { _ = realm.create(Order.self) }
        }
        await #expect(processExitsWith: .success) { [path = path as String] in
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: URL(fileURLWithPath: path), objectTypes: Relationships.rules))
            try realm.write { #expect(realm.create(Relationships.Order.self).id == 2) }
            try realm.write { realm.deleteAll() }
        }
        try onNewThread {
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: URL(fileURLWithPath: path), objectTypes: Relationships.rules))
            try realm.write { #expect(realm.create(Order.self).id == 3) }
            #expect(try realm.check().isEmpty)
        }
    }

    /// The declaration as it was before, and as it is now.
    private enum Ticket {
        class Plain: Object {
            @Persisted(primaryKey: true) var id = 0
            override class func className() -> String { "Ticket" }
            override class func shouldIncludeInDefaultSchema() -> Bool { false }
        }

        class Counted: Object {
            @Persisted(primaryKey: true, autoIncrement: true) var id: Int64
            override class func className() -> String { "Ticket" }
            override class func shouldIncludeInDefaultSchema() -> Bool { false }
        }
    }

    @Test func aClassMayBeginToCountLater() throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let file = directory.file()
        try onNewThread {
            let realm = try Realm(
                configuration: Realm.Configuration(fileURL: file, objectTypes: [Ticket.Plain.self]))
            try realm.write {
                for id in [3, 70, 5] { realm.create(Ticket.Plain.self, value: [id]) }
            }
            try realm.write { realm.delete(realm.objects(Ticket.Plain.self).where { $0.id == 70 }) }
        }
        try onNewThread {
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: file, objectTypes: [Ticket.Counted.self]))
            try realm.write { #expect(realm.create(Ticket.Counted.self).id == 71) }
            #expect(try realm.check().isEmpty)
        }
    }

    // MARK: Misuse

    class NoKey: Object {
        @Persisted(primaryKey: false, autoIncrement: true) var id: Int
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test func onlyPrimaryKeysCount() throws {
        let error = try #require(throws: Realm.Error.self) {
            _ = try Realm(
                configuration: Realm.Configuration(
                    inMemoryIdentifier: UUID().uuidString, objectTypes: [NoKey.self]))
        }
        #expect(
            error.message.contains(
                """
                Property 'AutoIncrementTests_NoKey.id' is declared with autoIncrement: \
                true, which only a primary key can be.
                """
            ))
    }

    @Test func greatKeysAreStoredAndEndTheCount() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(Relationships.rules) { realm in
                try realm.write { realm.create(Relationships.Order.self, value: ["id": Int.max]) }
                #expect(try realm.check().isEmpty)
                try realm.write { _ = realm.create(Relationships.Order.self) }
            }
        }
        expectMessage(
            result, "No auto-incremented value is left for 'Relationships_Order.id'.", "Remedy")
    }

    @Test func duplicatesOfAssignedKeys() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(Relationships.rules) { realm in
                try realm.write {
                    realm.create(Relationships.Order.self)
                    realm.create(Relationships.Order.self, value: ["id": 1])
                }
            }
        }
        expectMessage(
            result,
            """
            Attempting to create an object of type 'Relationships_Order' with an existing \
            primary key value\(EncryptedSuite.inPlain(" '1'")).
            """
        )
    }
}
