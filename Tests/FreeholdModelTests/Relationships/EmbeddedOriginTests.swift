import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// `LinkingObjects` of embedded classes: by links, lists, sets and maps, of embedded and of
/// other objects.
@Suite struct EmbeddedOriginTests {
    typealias Root = EmbeddedOrigins.Root
    typealias Mid = EmbeddedOrigins.Mid
    typealias Child = EmbeddedOrigins.Child
    typealias Tag = EmbeddedOrigins.Tag

    /// Two roots: the first one's embedded object has everything, the others share its tags.
    private func fill(_ realm: Realm) {
        let tags = [Tag(id: 1), Tag(id: 2)]
        realm.add(tags)
        let first = Mid("first", rank: 3)
        first.child = Child(1)
        first.children.append(objectsIn: [Child(2), Child(3)])
        first.named["a"] = .some(Child(4))
        first.tag = tags[0]
        first.tags.append(objectsIn: [tags[0], tags[1], tags[0]])
        first.tagSet.insert(objectsIn: tags)
        first.tagMap["x"] = .some(tags[0])
        first.tagMap["y"] = .some(tags[0])
        let root = Root(id: 1, mid: first)
        let second = Mid("second", rank: 2)
        second.tag = tags[0]
        second.tags.append(tags[1])
        let third = Mid("third", rank: 1)
        third.tag = tags[1]
        third.tagMap["z"] = .some(tags[1])
        let other = Root(id: 2)
        realm.add([root, other])
        // In this order, which is that of the keys.
        root.mids.append(second)
        other.keyed["k"] = .some(third)
    }

    private func expectFilled(_ realm: Realm, sourceLocation: SourceLocation = #_sourceLocation)
        throws
    {
        func names(_ mids: LinkingObjects<Mid>) -> [String] { mids.map(\.name) }
        let root = try #require(realm.object(ofType: Root.self, forPrimaryKey: 1))
        let mid = try #require(root.mid)
        let child = try #require(mid.child)
        #expect(names(child.parents) == ["first"], sourceLocation: sourceLocation)
        #expect(child.parents.first?.isSameObject(as: mid) == true, sourceLocation: sourceLocation)
        #expect(
            child.parents.count == 1 && child.listParents.isEmpty && child.mapParents.isEmpty,
            sourceLocation: sourceLocation)
        #expect(
            mid.children.map { names($0.listParents) } == [["first"], ["first"]],
            sourceLocation: sourceLocation)
        #expect(
            mid.children.allSatisfy { $0.parents.isEmpty && $0.mapParents.count == 0 },
            sourceLocation: sourceLocation)
        #expect(
            (mid.named["a"] ?? nil).map { names($0.mapParents) } == ["first"],
            sourceLocation: sourceLocation)
        #expect(mid.roots.map(\.id) == [1] && mid.listRoots.isEmpty, sourceLocation: sourceLocation)
        #expect(root.mids.first?.listRoots.map(\.id) == [1], sourceLocation: sourceLocation)
        let tags = Array(realm.objects(Tag.self))
        #expect(
            names(tags[0].uses) == ["first", "second"] && names(tags[1].uses) == ["third"],
            sourceLocation: sourceLocation)
        // As often as they link.
        #expect(names(tags[0].listUses) == ["first", "first"], sourceLocation: sourceLocation)
        #expect(names(tags[1].listUses) == ["first", "second"], sourceLocation: sourceLocation)
        #expect(
            tags.map { names($0.setUses) } == [["first"], ["first"]], sourceLocation: sourceLocation
        )
        #expect(
            names(tags[0].mapUses) == ["first", "first"] && names(tags[1].mapUses) == ["third"],
            sourceLocation: sourceLocation)
        #expect(
            tags[0].mapUses.count == 2 && tags[0].listUses.count == 2,
            sourceLocation: sourceLocation)
    }

    private func withFilledRealm(_ body: (Realm, [Tag]) throws -> Void) throws {
        try withTemporaryRealm(EmbeddedOrigins.all) { realm in
            try realm.write { fill(realm) }
            try body(realm, Array(realm.objects(Tag.self)))
        }
    }

    @Test func inAndAfterTheTransactionAndReopened() throws {
        try withTemporaryDirectory { directory in
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: EmbeddedOrigins.all)
            try autoreleased {
                let realm = try Realm(configuration: configuration)
                try realm.write {
                    fill(realm)
                    try expectFilled(realm)
                }
                try expectFilled(realm)
                try expectFilled(realm.freeze())
            }
            let realm = try Realm(configuration: configuration)
            try expectFilled(realm)
            #expect(try realm.check().isEmpty)
        }
    }

    private func autoreleased(_ body: () throws -> Void) rethrows { try body() }

    @Test func addedToAnOldFile() throws {
        try withTemporaryDirectory { directory in
            try autoreleased {
                let realm = try Realm(
                    configuration: Realm.Configuration(
                        fileURL: directory.file(), objectTypes: EarlierEmbeddedOrigins.all))
                try realm.write {
                    realm.create(
                        EarlierEmbeddedOrigins.Root.self,
                        value: [
                            "id": 1,
                            "mid": [
                                "name": "first", "child": ["number": 1],
                                "children": [["number": 2]], "tag": ["id": 1], "tags": [["id": 2]],
                            ],
                        ] as [String: Any])
                }
            }
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: directory.file(), objectTypes: EmbeddedOrigins.all))
            let mid = try #require(realm.objects(Root.self).first?.mid)
            #expect(
                mid.child?.parents.map(\.name) == ["first"]
                    && mid.children.first?.listParents.map(\.name) == ["first"])
            #expect(
                mid.tag?.uses.map(\.name) == ["first"]
                    && mid.tags.first?.listUses.map(\.name) == ["first"])
            #expect(realm.objects(Tag.self).where { $0.uses.name == "first" }.map(\.id) == [1])
            #expect(try realm.check().isEmpty)
        }
    }

    @Test func queriesOverThem() throws {
        try withFilledRealm { realm, tags in
            let all = realm.objects(Tag.self)
            #expect(all.where { $0.uses.count > 1 }.map(\.id) == [1])
            #expect(all.where { $0.uses.name == "third" }.map(\.id) == [2])
            #expect(all.where { $0.listUses.rank == 2 }.map(\.id) == [2])
            #expect(all.where { $0.setUses.child.number == 1 }.map(\.id) == [1, 2])
            #expect(all.where { $0.mapUses.count == 2 }.map(\.id) == [1])
            #expect(all.where { $0.uses.rank.sum == 5 }.map(\.id) == [1])
            #expect(
                all.where { ($0.uses.rank > 1 && $0.uses.name == "second").count == 1 }.map(\.id)
                    == [1])
            #expect(all.filter("uses.@count == 1").map(\.id) == [2])
            #expect(all.filter("ANY uses.name BEGINSWITH 's'").map(\.id) == [1])
            #expect(all.filter("ANY mapUses.mapRoots.id == 2").map(\.id) == [2])
            #expect(all.filter("SUBQUERY(listUses, $m, $m.rank == 3).@count == 2").map(\.id) == [1])
            #expect(all.filter("@links.EmbeddedOrigins_Mid.tag.@count == 2").map(\.id) == [1])
            let roots = realm.objects(Root.self)
            #expect(roots.where { $0.mid.child.parents.name == "first" }.map(\.id) == [1])
            #expect(roots.where { $0.mid.children.listParents.count > 0 }.map(\.id) == [1])
            #expect(
                roots.filter(
                    "mid.child.parents.@count == 1 AND NONE mid.child.listParents.rank > 0"
                ).map(\.id) == [1])
            #expect(roots.where { $0.mid.roots.count == 1 }.map(\.id) == [1])
        }
    }

    @Test func collectionsOfThem() throws {
        try withFilledRealm { realm, tags in
            let uses = tags[0].uses
            #expect(uses.where { $0.rank > 2 }.map(\.name) == ["first"])
            #expect(uses.filter("child.number == 1").map(\.name) == ["first"])
            #expect(uses.sorted(byKeyPath: "rank").map(\.name) == ["second", "first"])
            #expect(tags[0].listUses.distinct(by: ["name"]).map(\.name) == ["first"])
            #expect(uses.sum(of: \.rank) == 5)
            #expect(
                uses.index(matching: { $0.name == "second" }) == 1 && uses.index(of: uses[1]) == 1)
            #expect(uses.value(forKey: "rank") as? [Int] == [3, 2])
            #expect(uses.sectioned(by: \.rank, ascending: true).allKeys == [2, 3])
            #expect(
                uses.realm == realm && !uses.isFrozen && uses.explain().description.isEmpty == false
            )
            let frozen = uses.freeze()
            try realm.write { uses[1].tag = tags[1] }
            #expect(frozen.map(\.name) == ["first", "second"] && uses.map(\.name) == ["first"])
            #expect(frozen.thaw()?.map(\.name) == ["first"])
            let reference = ThreadSafeReference(to: uses)
            #expect(realm.resolve(reference)?.map(\.name) == ["first"])
        }
    }

    @Test func dynamic() throws {
        try withFilledRealm { realm, _ in
            let tag = try #require(realm.dynamicObjects("EmbeddedOrigins_Tag").first)
            let uses = try #require(tag["uses"] as? LinkingObjects<DynamicObject>)
            #expect(uses.map { $0["name"] as? String } == ["first", "second"])
            let list = try #require(tag["listUses"] as? LinkingObjects<DynamicObject>)
            #expect(list.count == 2)
            // A link leads to an object of its class.
            let mid = try #require(
                realm.dynamicObjects("EmbeddedOrigins_Root").first?["mid"] as? EmbeddedOrigins.Mid)
            let child = try #require(mid["child"] as? EmbeddedOrigins.Child)
            let parents = try #require(child["parents"] as? LinkingObjects<EmbeddedOrigins.Mid>)
            #expect(parents.first?.isSameObject(as: mid) == true)
            #expect(
                realm.dynamicObjects("EmbeddedOrigins_Tag").filter("ANY uses.rank == 1").map {
                    $0["id"] as? Int
                } == [2])
        }
    }

    @Test func observed() throws {
        try withObservatory(EmbeddedOrigins.all) { place in
            try place.writer.write { fill(place.writer) }
            place.realm.refresh()
            let log = ChangeLog(), objects = ChangeLog()
            let tag = try #require(place.realm.objects(Tag.self).first)
            let tokens = [
                tag.uses.observe { log.add($0) },
                place.realm.objects(Tag.self).observe(keyPaths: ["uses.rank"]) { objects.add($0) },
            ]
            place.deliver()
            #expect(log.take() == ["initial 2"] && objects.take() == ["initial 2"])
            let root = try #require(place.writer.objects(Root.self).first)
            try place.writer.write { root.mid?.rank = 9 }
            place.deliver()
            #expect(log.take() == ["-[] +[] *[0]"] && objects.take() == ["-[] +[] *[0]"])
            try place.writer.write { root.mid?.tag = nil }
            place.deliver()
            #expect(log.take() == ["-[0] +[] *[]"])
            try place.writer.write {
                let new = Mid("new")
                new.tag = place.writer.objects(Tag.self).first
                root.mid = new
            }
            place.deliver()
            #expect(log.take() == ["-[] +[1] *[]"])
            withExtendedLifetime(tokens) {}
        }
    }

    @Test func schema() throws {
        try withTemporaryRealm(EmbeddedOrigins.all) { realm in
            let property = try #require(realm.schema["EmbeddedOrigins_Child"]?["parents"])
            #expect(
                property.type == .linkingObjects
                    && property.objectClassName == "EmbeddedOrigins_Mid" && property.isArray)
        }
    }

    /// Random changes of embedded objects against what their owners have, inside of
    /// transactions and after them.
    @Test func randomTransactions() throws {
        var random = Seed.random()
        try withTemporaryRealm(EmbeddedOrigins.all) { realm in
            let tags = (0..<3).map { Tag(id: $0) }
            try realm.write {
                realm.add(tags)
                realm.add((0..<4).map { Root(id: $0) })
            }
            var number = 0
            func mid() -> Mid {
                number += 1
                let mid = Mid("mid \(number)", rank: random.int(0...3))
                mid.tag = random.once(in: 3) ? nil : random.pick(tags)
                for _ in 0..<random.int(0...3) { mid.tags.append(random.pick(tags)) }
                mid.tagSet.insert(random.pick(tags))
                mid.tagMap[random.pick(["a", "b"])] = .some(
                    random.once(in: 3) ? nil : random.pick(tags))
                if random.once(in: 2) { mid.child = Child(number) }
                for index in 0..<random.int(0...2) {
                    mid.children.append(Child(number * 10 + index))
                }
                return mid
            }
            func mids(_ root: Root) -> [Mid] {
                [root.mid].compactMap { $0 } + Array(root.mids)
                    + root.keyed.values.compactMap { $0 }
            }
            func check(_ comment: String) {
                let all = realm.objects(Root.self).flatMap(mids)
                for tag in tags {
                    func expect(_ uses: LinkingObjects<Mid>, _ links: (Mid) -> Int) {
                        var expected: [String] = []
                        for mid in all { expected += Array(repeating: mid.name, count: links(mid)) }
                        expected.sort()
                        random.expect(
                            uses.map(\.name).sorted() == expected && uses.count == expected.count,
                            comment)
                    }
                    expect(tag.uses) { $0.tag == tag ? 1 : 0 }
                    expect(tag.listUses) { $0.tags.count { $0 == tag } }
                    expect(tag.setUses) { $0.tagSet.contains(tag) ? 1 : 0 }
                    expect(tag.mapUses) { $0.tagMap.values.count { $0 == tag } }
                }
                for mid in all {
                    if let child = mid.child {
                        random.expect(
                            child.parents.map(\.name) == [mid.name] && child.listParents.isEmpty,
                            comment)
                    }
                    for child in mid.children {
                        random.expect(
                            child.listParents.map(\.name) == [mid.name] && child.parents.isEmpty,
                            comment)
                    }
                }
                let used = tags.filter { tag in all.contains { $0.tag == tag && $0.rank > 1 } }.map(
                    \.id)
                random.expect(
                    realm.objects(Tag.self).where { $0.uses.rank > 1 }.map(\.id) == used, comment)
            }
            for round in 0..<40 {
                realm.beginWrite()
                for _ in 0..<random.int(1...4) {
                    let root = random.pick(Array(realm.objects(Root.self)))
                    switch random.int(0...6) {
                    case 0: root.mid = random.once(in: 3) ? nil : mid()
                    case 1: root.mids.append(mid())
                    case 2:
                        if !root.mids.isEmpty {
                            root.mids.remove(at: random.int(0...(root.mids.count - 1)))
                        }
                    case 3:
                        root.keyed[random.pick(["a", "b"])] = .some(
                            random.once(in: 3) ? nil : mid())
                    case 4: mids(root).first?.tag = random.pick(tags)
                    case 5: mids(root).last?.child = random.once(in: 2) ? nil : Child(1000 + round)
                    default: mids(root).last?.tags.append(random.pick(tags))
                    }
                    check("in \(round)")
                }
                if random.once(in: 4) { realm.cancelWrite() } else { try realm.commitWrite() }
                check("after \(round)")
            }
        }
    }
}
