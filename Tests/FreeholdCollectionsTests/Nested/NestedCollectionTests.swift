import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Lists and dictionaries inside of any values, live.
@Suite struct NestedCollectionTests {
    typealias Thing = AnyValueModels.Thing
    typealias Holder = AnyValueModels.Holder

    @Test func listsChange() throws {
        try withTemporaryRealm(AnyValueModels.all) { realm in
            let holder = try realm.makeHolder(0, .fromArray([.int(1), .string("b")]))
            let list = try #require(holder.value.listValue)
            #expect(
                list.realm == realm && !list.isFrozen && list.count == 2 && list[1] == .string("b"))
            try realm.write {
                list.append(.fromArray([.int(3)]))
                list.insert(.none, at: 0)
                list.append(objectsIn: [.int(4), .int(5)])
                list.move(from: 5, to: 0)
                list.swapAt(1, 2)
                list[4].listValue?.append(.int(9))
                list[2] = .double(0.5)
            }
            #expect(
                Array(list) == [
                    .int(5), .int(1), .double(0.5), .string("b"), .fromArray([.int(3), .int(9)]),
                    .int(4),
                ])
            #expect(
                holder.value == .list(list)
                    && list.index(of: .fromArray([.float(3), .int(9)])) == 4
                    && list.first == .int(5) && list.last == .int(4))
            try realm.write {
                list.removeSubrange(0..<2)
                list.removeLast()
                for value in list { list.append(value) }
                list.replaceSubrange(0..<1, with: [.none, .bool(true)])
            }
            #expect(
                Array(list) == [
                    .none, .bool(true), .string("b"), .fromArray([.int(3), .int(9)]), .double(0.5),
                    .string("b"), .fromArray([.int(3), .int(9)]),
                ])
            try realm.write { list.removeAll() }
            #expect(list.isEmpty && !list.isInvalidated && holder.value == .fromArray([]))
        }
    }

    @Test func mapsChange() throws {
        try withTemporaryRealm(AnyValueModels.all) { realm in
            let holder = try realm.makeHolder(0, .fromDictionary(["b": .int(1)]))
            let map = try #require(holder.value.dictionaryValue)
            try realm.write {
                map["a"] = .fromArray([.int(2)])
                map["c"] = AnyRealmValue.none
                map.updateValue(.fromDictionary([:]), forKey: "é")
                map["a"]?.listValue?.append(.int(3))
                map["é"]?.dictionaryValue?["x"] = .bool(true)
                map["b"] = .int(4)
            }
            #expect(
                map.keys == ["a", "b", "c", "é"] && map["b"] == .int(4)
                    && map["c"] == AnyRealmValue.none && map["d"] == nil && map.count == 4)
            #expect(
                map
                    == makeMap([
                        "a": .fromArray([.int(2), .int(3)]), "b": .int(4), "c": .none,
                        "é": .fromDictionary(["x": .bool(true)]),
                    ]))
            try realm.write {
                map["b"] = nil
                map.removeObject(for: "nothing")
                map.merge(makeMap(["c": .int(7), "z": .int(8)])) { _, new in new }
            }
            #expect(map.map(\.key) == ["a", "c", "z", "é"] && map.values[1] == .int(7))
            try realm.write { map.removeAll() }
            #expect(map.count == 0 && holder.value == .fromDictionary([:]) && map.realm == realm)
        }
    }

    /// A collection is itself wherever it moves, and gone when it, or what is around it, is
    /// removed or replaced.
    @Test func collectionsKeepTheirIdentity() throws {
        try withTemporaryRealm(AnyValueModels.all) { realm in
            let holder = try realm.makeHolder(
                0,
                .fromArray([.fromArray([.int(1)]), .fromDictionary(["k": .fromArray([.int(2)])])]))
            let outer = try #require(holder.value.listValue)
            let first = try #require(outer[0].listValue)
            let map = try #require(outer[1].dictionaryValue)
            let second = try #require(map["k"]?.listValue)
            try realm.write {
                outer.insert(.fromArray([.int(0)]), at: 0)
                outer.swapAt(1, 2)
                first.append(.int(10))
                second.append(.int(20))
            }
            #expect(
                holder.value
                    == .fromArray([
                        .fromArray([.int(0)]),
                        .fromDictionary(["k": .fromArray([.int(2), .int(20)])]),
                        .fromArray([.int(1), .int(10)]),
                    ]))
            #expect(first === first && first == outer[2].listValue && outer[2].listValue !== first)
            try realm.write {
                // To its own place.
                outer[2] = outer[2]
                map["k"] = map["k"]
                holder.value = holder.value
            }
            #expect(!first.isInvalidated && !second.isInvalidated && !outer.isInvalidated)
            try realm.write { outer.remove(at: 1) }
            #expect(map.isInvalidated && second.isInvalidated && !first.isInvalidated)
            try realm.write { outer[1] = .fromArray([.int(1), .int(10)]) }
            #expect(first.isInvalidated && !outer.isInvalidated)
            try realm.write { holder.value = .fromArray([.int(1)]) }
            #expect(outer.isInvalidated)
            let value = try #require(holder.value.listValue)
            try realm.write { holder.other = .list(value) }
            try realm.write { value.append(.int(2)) }
            #expect(holder.other.listValue?.count == 1)
        }
    }

    /// A transaction that is cancelled takes back what it did to nested collections, and what
    /// it made.
    @Test func cancelledTransactions() throws {
        try withTemporaryRealm(AnyValueModels.all) { realm in
            let holder = try realm.makeHolder(0, .fromArray([.fromArray([])]))
            let inner = try #require(holder.value.listValue?[0].listValue)
            realm.beginWrite()
            inner.append(.fromArray([]))
            let made = try #require(inner[0].listValue)
            holder.value.listValue?.append(.int(1))
            realm.cancelWrite()
            #expect(inner.isEmpty && made.isInvalidated && holder.value.listValue?.count == 1)
            realm.beginWrite()
            holder.value = .none
            #expect(inner.isInvalidated)
            realm.cancelWrite()
            #expect(!inner.isInvalidated && inner.isEmpty)
        }
    }

    /// In the elements of collections, whose places move.
    @Test func inElements() throws {
        try withTemporaryRealm(AnyValueModels.all) { realm in
            let holder = try realm.makeHolder()
            try realm.write {
                for number in 0..<2000 {
                    holder.list.append(
                        number.isMultiple(of: 50) ? .fromArray([.int(number)]) : .int(number))
                }
                holder.map["k"] = .fromDictionary(["l": .fromArray([])])
            }
            let list = try #require(holder.list[1000].listValue)
            let inMap = try #require(holder.map["k"]?.dictionaryValue?["l"]?.listValue)
            try realm.write {
                holder.list.removeSubrange(0..<777)
                list.append(.int(1))
                holder.list.insert(.none, at: 5)
                holder.map["a"] = .int(1)
                list.append(.fromArray([.int(2)]))
                list[2].listValue?.append(.int(3))
                inMap.append(.string("x"))
            }
            #expect(
                holder.list[224]
                    == .fromArray([.int(1000), .int(1), .fromArray([.int(2), .int(3)])])
                    && list == holder.list[224].listValue)
            #expect(holder.map["k"] == .fromDictionary(["l": .fromArray([.string("x")])]))
            try realm.write { holder.list.remove(at: 224) }
            #expect(list.isInvalidated && !inMap.isInvalidated)
            try realm.write { holder.map["k"] = .int(0) }
            #expect(inMap.isInvalidated)
        }
    }

    @Test func otherRealmsAndVersions() throws {
        try withTemporaryRealm(AnyValueModels.all) { realm in
            let holder = try realm.makeHolder(0, .fromArray([.fromDictionary(["k": .int(1)])]))
            try realm.write { holder.list.append(.fromArray([.int(1)])) }
            let map = try #require(holder.value.listValue?[0].dictionaryValue)
            let element = try #require(holder.list[0].listValue)
            let (frozen, frozenElement) = (map.freeze(), element.freeze())
            let reference = ThreadSafeReference(to: map)
            let elementReference = ThreadSafeReference(to: element)
            let lost = ThreadSafeReference(to: element)
            let configuration = realm.configuration
            try onNewThread {
                let realm = try Realm(configuration: configuration)
                let map = try #require(realm.resolve(reference))
                let element = try #require(realm.resolve(elementReference))
                try realm.write {
                    map["k"] = .int(2)
                    element.append(.int(2))
                    realm.objects(Holder.self).first?.value.listValue?.insert(.none, at: 0)
                    realm.objects(Holder.self).first?.list.insert(.none, at: 0)
                }
            }
            #expect(realm.refresh() && map["k"] == .int(2) && element.count == 2)
            #expect(
                frozen.isFrozen && frozen["k"] == .int(1) && frozenElement.count == 1
                    && frozen.freeze() === frozen && frozen != map)
            #expect(
                frozen.thaw()?["k"] == .int(2) && frozenElement.thaw() == element
                    && map.thaw() === map)
            #expect(holder.freeze().value.listValue?[1].dictionaryValue?["k"] == .int(2))
            let value = AnyRealmValue.list(holder.freeze().value.listValue!)
            try realm.write {
                holder.value = .none
                holder.list.removeAll()
                holder.other = value
            }
            #expect(
                map.isInvalidated && frozen["k"] == .int(1) && frozen.thaw() == nil
                    && frozenElement.thaw() == nil && realm.resolve(lost) == nil)
            #expect(holder.other.listValue?[1].dictionaryValue?["k"] == .int(2))
        }
    }

    @Test func frozenCollectionsAreReadByManyThreads() throws {
        try withTemporaryRealm(AnyValueModels.all) { realm in
            let holder = try realm.makeHolder(
                0, .fromArray((0..<100).map { .fromArray([.int($0), .object(Thing("\($0)"))]) }))
            let frozen = Frozen(try #require(holder.value.listValue))
            let sums = try runThreads(4) { _ in
                frozen.unsafeValue.reduce(0) {
                    $0 + ($1.listValue?[0].intValue ?? 0)
                        + (Int($1.listValue?[1].object(Thing.self)?.name ?? "") ?? 0)
                }
            }
            #expect(sums == [9900, 9900, 9900, 9900])
        }
    }

    @Test func nestedAHundredDeep() throws {
        try withTemporaryRealm(AnyValueModels.all) { realm in
            var deep = AnyRealmValue.int(1)
            for level in 0..<100 {
                deep = level.isMultiple(of: 2) ? .fromArray([deep]) : .fromDictionary(["k": deep])
            }
            let holder = try realm.makeHolder(0, deep)
            #expect(holder.value == deep)
            func innermost() -> List<AnyRealmValue>? {
                var value = holder.value
                for _ in 0..<99 {
                    value = value.listValue?[0] ?? value.dictionaryValue?["k"] ?? .none
                }
                return value.listValue
            }
            let list = try #require(innermost())
            try realm.write { list.append(.string("x")) }
            #expect(Array(list) == [.int(1), .string("x")] && Array(innermost()!) == Array(list))
        }
    }

    @Test func descriptionsEqualityAndHashes() throws {
        try withTemporaryRealm(AnyValueModels.all) { realm in
            let plain = AnyRealmValue.fromArray([
                .int(1), .fromDictionary(["k": .double(2)]), .fromArray([.none]),
            ])
            let holder = try realm.makeHolder(0, plain)
            #expect(
                holder.value == plain && plain == holder.value
                    && holder.value.hashValue == plain.hashValue)
            #expect(
                holder.value.listValue == plain.listValue
                    && holder.value.listValue.hashValue == plain.listValue.hashValue)
            #expect(holder.value < .fromArray([.int(2)]) && Set([holder.value, plain]).count == 1)
            func text(_ value: AnyRealmValue) -> String {
                value.listValue?.description.replacing(#/<0x[0-9a-f]+>/#, with: "<0x>") ?? ""
            }
            #expect(text(holder.value) == text(plain) && text(plain).contains("List<mixed>"))
        }
    }

    /// A list knows its identity from the first bytes of its value, and finds damage behind
    /// them when it is read.
    @Test(.disabled(if: EncryptedSuite.isOn, "damages plain bytes"), arguments: [false, true])
    func damagedOnesAreEmpty(isInTransaction: Bool) throws {
        try withTemporaryDirectory { directory in
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: directory.file(), objectTypes: AnyValueModels.all))
            let holder = try realm.makeHolder(
                0, .fromArray([.fromArray([.int(1)]), .string("a text to be found"), .int(2)]))
            let list = try #require(holder.value.listValue)
            let map = try #require(
                try realm.makeHolder(1, .fromDictionary(["a text to be found": .int(3)])).value
                    .dictionaryValue)
            if isInTransaction { realm.beginWrite() }

            let file = try FileHandle(forUpdating: directory.file())
            var bytes = try #require(try file.readToEnd())
            var end = bytes.startIndex
            while let place = bytes.range(
                of: Data("a text to be found".utf8), in: end..<bytes.endIndex)
            {
                try file.seek(toOffset: UInt64(place.lowerBound - 6))
                try file.write(contentsOf: Data(repeating: 0xFF, count: 6))
                end = place.upperBound
            }
            try file.close()
            bytes.removeAll()

            #expect(list.isEmpty && Array(list) == [] && !list.isInvalidated)
            #expect(map.count == 0 && map["a text to be found"] == nil && !map.isInvalidated)
            #expect(!holder.description.isEmpty)
            func change() {
                list.append(.int(4))
                list.removeAll()
                map["b"] = .int(5)
            }
            let error = #expect(throws: Realm.Error.self) {
                if !isInTransaction { return try realm.write(change) }
                change()
                try realm.commitWrite()
            }
            #expect(error?.code == .corrupted)
        }
    }
}
