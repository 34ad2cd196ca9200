import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

private typealias Order = Relationships.Order
private typealias Invoice = Relationships.Invoice
private typealias Shipment = Relationships.Shipment
private typealias Note = Relationships.Note
private typealias Parcel = Relationships.Parcel
private typealias Step = Relationships.Step

/// How a message names an order; it does not quote values of an encrypted realm.
private func orderText(_ key: Int) -> String {
    EncryptedSuite.isOn
        ? "an object of type 'Relationships_Order'"
        : "'Relationships_Order' with the primary key \(key)"
}

@Suite struct DeleteRuleTests {
    private func withRealm(_ body: (Realm) throws -> Void) throws {
        try withTemporaryRealm(Relationships.rules, body)
    }

    private func counts(_ realm: Realm) -> [Int] {
        [
            realm.objects(Order.self).count, realm.objects(Invoice.self).count,
            realm.objects(Shipment.self).count, realm.objects(Note.self).count,
        ]
    }

    @Test func cascadeTakesTheTargetAndNullifyLeavesIt() throws {
        try withRealm { realm in
            let order = Order(
                value: ["invoice": ["number": 1, "note": ["text": "a"]], "note": ["text": "b"]]
                    as [String: Any])
            let other = Order()
            try realm.write {
                realm.add([order, other])
                other.invoice = order.invoice
            }
            let invoice = try #require(order.invoice)
            try realm.write { realm.delete(order) }
            #expect(invoice.isInvalidated)
            #expect(other.invoice == nil)
            #expect(counts(realm) == [1, 0, 0, 1])
            #expect(realm.objects(Note.self).first?.text == "b")
        }
    }

    @Test func cyclesAndSelfLinks() throws {
        try withRealm { realm in
            try realm.write {
                let order = realm.create(Order.self), invoice = realm.create(Invoice.self)
                order.invoice = invoice
                invoice.order = order
                let step = realm.create(Step.self, value: [1])
                step.next = step
                realm.create(Step.self, value: [2])
            }
            try realm.write { realm.delete(try #require(realm.objects(Invoice.self).first)) }
            #expect(counts(realm) == [0, 0, 0, 0])
            try realm.write { realm.delete(realm.objects(Step.self).where { $0.id == 1 }) }
            #expect(realm.objects(Step.self).map(\.id) == [2])
        }
    }

    @Test func diamonds() throws {
        try withRealm { realm in
            try realm.write {
                let invoice = realm.create(Invoice.self)
                for _ in 0..<5 { realm.create(Order.self).invoice = invoice }
            }
            try realm.write { realm.delete(realm.objects(Order.self)) }
            #expect(counts(realm) == [0, 0, 0, 0])
        }
    }

    @Test func longChainsNeedNoStack() throws {
        try withRealm { realm in
            let count = 100_000
            try realm.write {
                var last: Step?
                for id in 0..<count {
                    let step = realm.create(Step.self, value: [id])
                    last?.next = step
                    last = step
                }
            }
            try realm.write { realm.delete(realm.objects(Step.self).where { $0.id == 10 }) }
            #expect(realm.objects(Step.self).count == 10)
        }
    }

    @Test func rulesInEmbeddedObjects() throws {
        try withRealm { realm in
            let order = Order(value: ["parcel": ["note": ["text": "fragile"]]])
            try realm.write { realm.add(order) }
            try realm.write { order.parcel = Parcel() }
            #expect(counts(realm) == [1, 0, 0, 0])
            try realm.write { order.parcel?.note = Note() }
            try realm.write { realm.delete(order) }
            #expect(counts(realm) == [0, 0, 0, 0])
        }
    }

    /// The replaced embedded object's rules reach the object that is being stored.
    @Test func aRuleThatReachesItsOwnOwner() throws {
        try withTemporaryRealm([Ring.self, Part.self]) { realm in
            let ring = Ring()
            try realm.write {
                realm.add(ring)
                ring.part = Part()
                ring.part?.ring = ring
            }
            try realm.write { realm.add(Ring(), update: .all) }
            #expect(ring.isInvalidated)
            #expect(realm.isEmpty)
        }
    }

    class Ring: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var part: Part?
    }

    class Part: EmbeddedObject {
        @Persisted(deleteRule: .cascade) var ring: Ring?
    }

    @Test func rulesOfCollections() throws {
        try withTemporaryRealm(Relationships.collections) { realm in
            let building = Relationships.Building(id: 1)
            building.notes.append(objectsIn: [Note(value: ["a"]), Note(value: ["b"])])
            building.labels["c"] = Note(value: ["c"])
            building.labels["none"] = .some(nil)
            building.shipments.insert(Shipment(value: ["s"]))
            try realm.write { realm.add(building) }
            #expect(realm.objects(Note.self).count == 3)
            try realm.write {
                let error = try #require(throws: Realm.Error.self) {
                    try realm.deleteChecked(building)
                }
                #expect(
                    error.message.contains("its property 'shipments' has the delete rule .deny"))
                building.notes.remove(at: 0)
                building.shipments.removeAll()
                try realm.deleteChecked(building)
            }
            #expect(realm.objects(Note.self).map(\.text) == ["a"])
            #expect(realm.objects(Shipment.self).count == 1)
        }
    }

    // MARK: Deny

    @Test func denyThrowsAndChangesNothing() throws {
        try withRealm { realm in
            let free = Order(),
                kept = Order(value: ["shipment": ["name": "s"], "invoice": ["number": 1]])
            try realm.write { realm.add([free, kept]) }
            try realm.write {
                for attempt in [
                    { try realm.deleteChecked(kept) }, { try realm.deleteChecked([free, kept]) },
                    { try realm.deleteChecked(realm.objects(Order.self)) },
                ] as [() throws -> Void] {
                    let error = try #require(throws: Realm.Error.self) { try attempt() }
                    #expect(error.code == .deletionDenied)
                    #expect(error.fileURL == realm.configuration.fileURL)
                    #expect(
                        error.message.hasPrefix(
                            """
                            Cannot delete \
                            \(orderText(2)): \
                            its property 'shipment' has the delete rule .deny, and leads to an \
                            object of type 'Relationships_Shipment' that is not deleted with \
                            it.
                            """))
                }
                #expect(counts(realm) == [2, 1, 1, 0])
                #expect(!free.isInvalidated && !kept.isInvalidated && kept.invoice != nil)
                try realm.deleteChecked(free)
            }
            #expect(counts(realm) == [1, 1, 1, 0])
            try realm.write { kept.shipment = nil }
            try realm.write { try realm.deleteChecked(kept) }
            #expect(counts(realm) == [0, 0, 1, 0])
        }
    }

    @Test func denyAllowsWhatGoesInTheSameCall() throws {
        try withRealm { realm in
            let order = Order(
                value: [
                    "shipment": ["name": "s"], "invoice": ["number": 1], "parcel": ["weight": 1],
                ] as [String: Any])
            try realm.write { realm.add(order) }
            let shipment = try #require(order.shipment)
            try realm.write { order.parcel?.shipment = shipment }
            try realm.write { realm.delete([order, shipment] as [ObjectBase]) }
            #expect(counts(realm) == [0, 0, 0, 0])
        }
    }

    @Test func denialsInWhatWouldGoAlong() throws {
        try withRealm { realm in
            try realm.write {
                let invoice = realm.create(
                    Invoice.self, value: ["order": ["shipment": ["name": "s"]]])
                #expect { try realm.deleteChecked(invoice) } throws: {
                    Realm.Error.deletionDenied ~= $0
                }
                let order = realm.create(Order.self, value: ["parcel": ["shipment": ["name": "t"]]])
                let error = try #require(throws: Realm.Error.self) {
                    try realm.deleteChecked([order])
                }
                #expect(
                    error.message.hasPrefix(
                        """
                        Cannot delete an object of type 'Relationships_Parcel': its \
                        property 'shipment'
                        """
                    ))
            }
            #expect(counts(realm) == [2, 1, 2, 0])
        }
    }

    @Test func deleteAllDeniesNothing() throws {
        try withRealm { realm in
            try realm.write {
                realm.create(
                    Order.self,
                    value: ["shipment": ["name": "s"], "parcel": ["weight": 2]] as [String: Any])
            }
            try realm.write { realm.deleteAll() }
            #expect(realm.isEmpty)
        }
    }

    // MARK: Misuse

    @Test func deleteThatIsDeniedEndsTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(Relationships.rules) { realm in
                try realm.write {
                    let order = realm.create(
                        Relationships.Order.self, value: ["shipment": ["name": "s"]])
                    realm.delete(order)
                }
            }
        }
        expectMessage(
            result,
            """
            Cannot delete \
            \(orderText(1)): \
            its property 'shipment' has the delete rule .deny
            """,
            "realm.deleteChecked(_:)")
    }

    @Test func replacingThatIsDeniedEndsTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(Relationships.rules) { realm in
                try realm.write {
                    let order = realm.create(
                        Relationships.Order.self, value: ["parcel": ["shipment": ["name": "s"]]])
                    order.parcel = nil
                }
            }
        }
        expectMessage(
            result, "Cannot delete an object of type 'Relationships_Parcel'",
            "Replacing an embedded object")
    }

    @Test func deleteCheckedOutsideOfATransaction() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(Relationships.rules) { realm in
                try realm.deleteChecked(realm.objects(Relationships.Order.self))
            }
        }
        expectMessage(
            result, "Can only add, remove, or create objects in a Realm in a write transaction",
            "Realm.deleteChecked")
    }
}
