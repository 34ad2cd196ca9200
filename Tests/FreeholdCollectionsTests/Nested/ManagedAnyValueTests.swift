import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Any values that realms store: properties and elements.
@Suite struct ManagedAnyValueTests {
    typealias Thing = AnyValueModels.Thing
    typealias Holder = AnyValueModels.Holder

    private static func nested() -> [AnyRealmValue] {
        [
            .fromArray([]), .fromDictionary([:]), .fromArray(AnyValueModels.scalars),
            .object(Thing("t")),
            .fromDictionary([
                "a": .fromArray([.int(1), .fromDictionary(["b": .none])]), "ö": .object(Thing("u")),
                "": .double(1),
            ]),
        ]
    }

    private func exactly(_ holder: Holder) -> [String] {
        [holder.value, holder.other].map(AnyValueModels.exactly)
            + holder.list.map(AnyValueModels.exactly)
            + holder.map.map { "\($0.key): \(AnyValueModels.exactly($0.value))" }
    }

    /// In the transaction, after it, in another realm of the file, and frozen.
    @Test func everyCaseEverywhere() throws {
        try withTemporaryRealm(AnyValueModels.all) { realm in
            let values = AnyValueModels.scalars + Self.nested()
            let objects = try realm.write {
                let objects = values.enumerated().map { index, value in
                    let holder = Holder()
                    holder.id = index
                    holder.value = value
                    if index.isMultiple(of: 2) { realm.add(holder) }
                    holder.other = value
                    holder.list.append(objectsIn: [value, .none, value])
                    holder.map["k"] = value
                    realm.add(holder)
                    return holder
                }
                for (holder, value) in zip(objects, values) {
                    let text = AnyValueModels.exactly(value)
                    #expect(exactly(holder) == [text, text, text, "none", text, "k: \(text)"])
                }
                return objects
            }
            let texts = values.map(AnyValueModels.exactly)
            for (holder, text) in zip(objects, texts) {
                #expect(exactly(holder) == [text, text, text, "none", text, "k: \(text)"])
                #expect(exactly(holder.freeze()) == exactly(holder))
            }
            let configuration = realm.configuration
            let read = try onNewThread {
                try Realm(configuration: configuration).objects(Holder.self).map {
                    AnyValueModels.exactly($0.value)
                }
            }
            #expect(read == texts)
        }
    }

    @Test func setsAreInTheOrderOfAllValues() throws {
        try withTemporaryRealm(AnyValueModels.all) { realm in
            let ascending = AnyValueModels.ascending()
            let holder = try realm.makeHolder()
            var random = Seed.random()
            let shuffled = ascending.flatMap { $0 }.shuffled(using: &random)
            try realm.write { holder.set.insert(objectsIn: shuffled) }
            #expect(Array(holder.set) == ascending.map { $0[0] })
            for row in ascending {
                for value in row { #expect(holder.set.contains(value), "\(value)") }
            }
            #expect(
                !holder.set.contains(.string("none of them"))
                    && !holder.set.contains(.object(Thing())))
            try realm.write {
                for row in ascending.shuffled(using: &random) {
                    holder.set.remove(random.pick(row))
                }
                #expect(holder.set.isEmpty)
                holder.set.insert(.object(Thing("a")))
                holder.set.insert(holder.set[0])
            }
            #expect(holder.set.count == 1 && realm.objects(Thing.self).count == 1)
        }
    }

    /// Collections in sets are read live; what holds them is the set's business.
    @Test func collectionsInSets() throws {
        try withTemporaryRealm(AnyValueModels.all) { realm in
            let holder = try realm.makeHolder()
            try realm.write {
                holder.set.insert(objectsIn: [
                    .fromArray([.int(2)]), .int(5), .fromArray([.int(1)]), .fromArray([.double(2)]),
                ])
            }
            #expect(holder.set.count == 3)
            let list = try #require(holder.set[1].listValue)
            #expect(Array(list) == [.int(1)] && list.realm == realm)
            try realm.write { holder.set.remove(.int(5)) }
            #expect(Array(list) == [.int(1)])
            try realm.write { holder.set.remove(.fromArray([.int(1)])) }
            #expect(list.isInvalidated && holder.set.count == 1)
        }
    }

    @Test func listsFindElements() throws {
        try withTemporaryRealm(AnyValueModels.all) { realm in
            let holder = try realm.makeHolder()
            let thing = Thing("a")
            try realm.write {
                holder.list.append(objectsIn: [
                    .none, .int(1), .string("x"), .object(thing), .fromArray([.int(1)]),
                ])
            }
            #expect(
                holder.list.index(of: .double(1)) == 1 && holder.list.index(of: .none) == 0
                    && holder.list.index(of: .object(thing)) == 3)
            #expect(
                holder.list.index(of: .fromArray([.float(1)])) == 4
                    && holder.list.index(of: .object(Thing("a"))) == nil)
            #expect(
                holder.list.sum() == .decimal128(1) && holder.list.max() == .fromArray([.int(1)]))
            try realm.write { holder.list.remove(at: 0) }
            #expect(
                holder.list.min() == .int(1) && holder.list.description.contains("[3] List<mixed>"))
        }
    }

    /// Objects of several classes, added with their owner or when they are assigned, wherever
    /// they are in the value.
    @Test func objectsAreAdded() throws {
        try withTemporaryRealm(AnyValueModels.all) { realm in
            let holder = Holder()
            let (a, b, c, d) = (Thing("a"), Thing("b"), Thing("c"), Holder())
            d.id = 1
            holder.value = .fromDictionary([
                "x": .fromArray([.object(a), .fromDictionary(["y": .object(d)])])
            ])
            a.next = .object(b)
            b.next = .fromArray([.object(a), .object(holder)])
            holder.list.append(.fromArray([.object(c)]))
            try realm.write { realm.add(holder) }
            #expect(realm.objects(Thing.self).count == 3 && realm.objects(Holder.self).count == 2)
            #expect(
                a.realm == realm && a.next.object(Thing.self)?.name == "b"
                    && b.next.listValue?[1].object(Holder.self) == holder)
            #expect(
                holder.value.dictionaryValue?["x"]?.listValue?[1].dictionaryValue?["y"]?.object(
                    Holder.self) == d)
            try realm.write {
                holder.value = .object(Thing("e"))
                holder.other = .fromArray([.object(Thing("f"))])
                holder.other.listValue?.append(.object(Thing("g")))
                holder.map["m"] = .fromDictionary(["n": .object(Thing("h"))])
                holder.map["m"]?.dictionaryValue?["o"] = .object(Thing("i"))
                holder.set.insert(.object(Thing("j")))
                holder.list[0] = .object(Thing("k"))
            }
            #expect(Set(realm.objects(Thing.self).map(\.name)) == Set("abcefghijk".map { "\($0)" }))
        }
    }

    /// Deleting an object makes the values that hold it none; sets lose the elements.
    @Test func linksAreCleared() throws {
        try withTemporaryRealm(AnyValueModels.all) { realm in
            let holder = try realm.makeHolder()
            let (a, b) = (Thing("a"), Thing("b"))
            try realm.write {
                holder.value = .object(a)
                holder.other = .fromArray([
                    .object(a), .fromDictionary(["k": .object(a), "l": .object(b)]), .int(1),
                ])
                holder.list.append(objectsIn: [.object(a), .object(b), .fromArray([.object(a)])])
                holder.set.insert(objectsIn: [.object(a), .object(b), .int(1)])
                holder.map["a"] = .object(a)
                a.next = .object(a)
            }
            let inner = try #require(holder.other.listValue?[1].dictionaryValue)
            try realm.write { realm.delete(a) }
            #expect(
                holder.value == .none && holder.list[0] == .none
                    && holder.list[2] == .fromArray([.none])
                    && holder.map["a"] == AnyRealmValue.none)
            #expect(
                inner["k"] == AnyRealmValue.none && inner["l"]?.object(Thing.self)?.name == "b"
                    && holder.other.listValue?[0] == AnyRealmValue.none)
            #expect(holder.set.count == 2)
            try realm.write { realm.delete(realm.objects(Thing.self)) }
            #expect(Array(holder.set) == [.int(1)] && inner["l"] == AnyRealmValue.none)
            try realm.write { realm.delete(holder) }
            #expect(inner.isInvalidated)
        }
    }

    @Test func updatePolicies() throws {
        try withTemporaryRealm(AnyValueModels.all) { realm in
            let holder = try realm.makeHolder(1, .fromArray([.int(1)]))
            let list = try #require(holder.value.listValue)
            // What is the same stays what it is.
            try realm.write {
                realm.create(Holder.self, value: ["id": 1, "value": [1]], update: .modified)
            }
            #expect(!list.isInvalidated)
            let same = Holder()
            same.id = 1
            same.value = .fromArray([.int(1)])
            try realm.write { realm.add(same, update: .modified) }
            #expect(!list.isInvalidated && same.value.listValue == list)
            // One is not one point zero.
            try realm.write {
                realm.create(Holder.self, value: ["id": 1, "value": [1.0]], update: .modified)
            }
            #expect(
                list.isInvalidated && AnyValueModels.exactly(holder.value) == "list [double(1.0)]")
            try realm.write {
                realm.create(
                    Holder.self, value: ["id": 1, "other": ["k": [Thing("t")]]], update: .modified)
            }
            #expect(
                holder.other.dictionaryValue?["k"]?.listValue?[0].object(Thing.self)?.name == "t"
                    && holder.value.listValue?.count == 1)
            let replaced = try #require(holder.other.dictionaryValue)
            try realm.write {
                realm.create(Holder.self, value: ["id": 1, "other": ["k": []]], update: .all)
            }
            #expect(
                replaced.isInvalidated && holder.other == .fromDictionary(["k": .fromArray([])]))
            try realm.write {
                realm.create(Holder.self, value: ["id": 1, "value": NSNull()], update: .modified)
            }
            #expect(holder.value == .none)
        }
    }

    /// One is not one point zero in collections of any values either.
    @Test(arguments: [false, true])
    func updatePoliciesOfCollections(byAdding: Bool) throws {
        try withTemporaryRealm(AnyValueModels.all) { realm in
            func update(_ value: AnyRealmValue) throws {
                let holder = Holder()
                holder.id = 1
                holder.list.append(objectsIn: [
                    value, .fromArray([value]), .fromDictionary(["k": value]),
                ])
                holder.set.insert(value)
                holder.map["k"] = value
                let literal =
                    [
                        "id": 1,
                        "list": [value, .fromArray([value]), .fromDictionary(["k": value])],
                        "set": [value], "map": ["k": value],
                    ] as [String: Any]
                try realm.write {
                    if byAdding {
                        realm.add(holder, update: .modified)
                    } else {
                        realm.create(Holder.self, value: literal, update: .modified)
                    }
                }
            }
            try update(.int(1))
            let holder = try #require(realm.object(ofType: Holder.self, forPrimaryKey: 1))
            let inner = try #require(holder.list[1].listValue)
            try update(.int(1))
            #expect(!inner.isInvalidated, "the same values: nothing was written")
            for value in [
                AnyRealmValue.double(1), .decimal128("1.0"), .decimal128("1.00"), .float(1),
                .int(1),
            ] {
                try update(value)
                let text = AnyValueModels.exactly(value)
                #expect(
                    holder.list.map(AnyValueModels.exactly) == [
                        text, "list [\(text)]", "dictionary [k: \(text)]",
                    ])
                #expect(
                    holder.set.map(AnyValueModels.exactly) == [text]
                        && holder.map["k"].map(AnyValueModels.exactly) == text)
            }
            #expect(inner.isInvalidated)
        }
    }

    @Test func byName() throws {
        try withTemporaryRealm(AnyValueModels.all) { realm in
            let holder = try realm.makeHolder()
            try realm.write {
                holder["value"] = ["a": [1, nil, Thing("t")] as [Any?]] as [String: Any]
                holder["list"] = [1, "x", [2.5]] as [Any]
                holder["map"] = ["k": ["l": true]] as [String: Any]
                holder["set"] = [1, 1.0, "x"] as [Any]
            }
            #expect(
                AnyValueModels.exactly(holder.value)
                    == "dictionary [a: list [int(1), none, object t]]")
            #expect((holder["value"] as? Map<String, AnyRealmValue>)?["a"]?.listValue?.count == 3)
            #expect(
                Array(holder.list) == [.int(1), .string("x"), .fromArray([.double(2.5)])]
                    && holder.set.count == 2)
            #expect(holder.map["k"]?.dictionaryValue?["l"] == .bool(true))
            try realm.write { holder["value"] = 7 as Int8 }
            #expect(holder.value == .int(7) && holder["value"] as? Int == 7)
            // Elements that are collections of the same property.
            try realm.write {
                holder.list.replaceSubrange(0..<3, with: [holder.list[2], holder.list[2]])
                holder["map"] = ["m": holder.map["k"]!]
            }
            #expect(
                holder.list.count == 2 && holder.list[0] == .fromArray([.double(2.5)])
                    && holder.map["m"] == .fromDictionary(["l": .bool(true)]))
            #expect(holder.description.contains("m"))
        }
    }

    /// Objects of other realms are copied, each once.
    @Test func copiesOfObjectsOfOtherRealms() throws {
        try withTemporaryRealm(AnyValueModels.all) { realm in
            let holder = try realm.makeHolder(3)
            try realm.write {
                let thing = Thing("a")
                thing.next = .object(holder)
                holder.value = .fromArray([.object(thing), .object(thing), .int(1)])
                holder.list.append(objectsIn: [
                    .object(thing), .fromDictionary(["k": .object(holder)]),
                ])
            }
            try withTemporaryRealm(AnyValueModels.all) { other in
                let copy = try other.write { other.create(Holder.self, value: holder) }
                #expect(
                    other.objects(Thing.self).count == 1 && other.objects(Holder.self).count == 1)
                #expect(
                    copy.value.listValue?[1].object(Thing.self)?.next.object(Holder.self) == copy
                        && copy.value.listValue?[2] == .int(1))
                #expect(
                    copy.list[0].object(Thing.self)?.name == "a"
                        && copy.list[1].dictionaryValue?["k"]?.object(Holder.self) == copy)
                let lone = try realm.write { realm.create(Thing.self, value: ["name": "b"]) }
                    .freeze()
                try other.write { other.create(Holder.self, value: ["id": 4, "value": [lone]]) }
                #expect(
                    other.objects(Holder.self).count == 2
                        && other.objects(Thing.self).map(\.name) == ["a", "b"])
            }
        }
    }

    @Test func longValuesAreRefusedByTheCommit() throws {
        try withTemporaryRealm(AnyValueModels.all) { realm in
            let holder = try realm.makeHolder()
            let long = AnyRealmValue.data(Data(count: 17_000_000))
            let error = #expect(throws: Realm.Error.self) {
                try realm.write { holder.value = .fromArray([long]) }
            }
            #expect(
                error?.code == .valueTooLarge
                    && error?.message.contains("AnyValueModels_Holder.value") == true)
            #expect(holder.value == .none)
        }
    }
}
