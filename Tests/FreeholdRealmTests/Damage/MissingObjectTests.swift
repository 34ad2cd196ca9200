import Foundation
@testable import Freehold
import FreeholdRealmTestSupport
import Testing

/// What can be done with an object whose row does not exist, because the file is damaged: all
/// of it, without a trap.
@Suite struct MissingObjectTests {
    @Test(arguments: [false, true]) func everyProperty(isFrozen: Bool) throws {
        try Damaged.withFile { file in
            let item = isFrozen ? file.box.freeze().items[1] : file.box.items[1]
            #expect(item.isInvalidated && item.realm != nil && item.isFrozen == isFrozen)
            #expect(
                item.text == "" && item.number == 0 && item.optional == nil && item.data.isEmpty
                    && item.level == .high)
            #expect(item.any == .none && item.friend == nil && item.part == nil)
            #expect(
                item.words.isEmpty && item.friends.count == 0 && item.marks.count == 0
                    && item.ids.count == 0)
            #expect(
                Array(item.words) == [] && item.words.first == nil && item.marks["a"] == nil
                    && !item.ids.contains(1))
            #expect(item.words.isInvalidated && item.boxes.count >= 0 && item.lists.count >= 0)
            for property in item.objectSchema.properties { _ = item[property.name] }
            #expect(item.description == "[invalid object]" && String(reflecting: item).count > 0)
            var text = ""
            dump(item, to: &text)
            #expect(!text.isEmpty && Mirror(reflecting: item).displayStyle == .class)
            #expect(item.words.sorted().isEmpty && item.friends.sorted(by: \.number).isEmpty)
            file.expectDamageKnown()
        }
    }

    @Test func identityAndReferences() throws {
        try Damaged.withFile { file in
            let (item, again) = (file.box.items[1], file.box.items[1])
            let (keyed, keyedAgain) = (file.box.keyeds[1], file.box.keyeds[1])
            #expect(
                item == item && item != again && item.isSameObject(as: again) && keyed == keyedAgain
                    && keyed.hashValue == keyedAgain.hashValue)
            #expect(Set([keyed, keyedAgain]).count == 1 && item != file.box.items[0])
            let frozen = item.freeze()
            #expect(
                frozen.isFrozen && frozen.isInvalidated && frozen.text == ""
                    && frozen.freeze() === frozen && frozen.thaw() == nil)
            #expect(Frozen(item).text == "" && Frozen(item).number == 0)
            let reference = ThreadSafeReference(to: item)
            #expect(file.realm.resolve(reference) == nil)
            let holder = ThreadSafe(wrappedValue: item)
            #expect(holder.wrappedValue == nil)
            let words = ThreadSafeReference(to: item.words)
            #expect(file.realm.resolve(words) == nil)
            file.expectDamageKnown()
        }
    }

    /// The store that writes does not know of the damage before the observers do.
    @Test func observers() throws {
        try Damaged.withFile { file in
            let observatory = try Observatory(file.realm.configuration)
            let box = try #require(
                observatory.realm.object(ofType: Damaged.Box.self, forPrimaryKey: "box"))
            var texts: [String] = []
            let tokens = [
                box.items.observe(keyPaths: ["text", "friend.text"]) { _ in
                    texts = box.items.map(\.text)
                },
                observatory.realm.objects(Damaged.Box.self).observe(keyPaths: [
                    "item.text", "items.text", "keyed.text",
                ]) { _ in },
                box.itemMap.observe { _ in },
                box.observe { (_: ObjectChange<Damaged.Box>) in },
            ]
            observatory.deliver()
            try? file.realm.write { file.box.items[0].text = "changed" }
            observatory.deliver()
            #expect(texts.count == 3)
            let item = box.items[1]
            let more = [
                item.observe { (_: ObjectChange<Damaged.Item>) in }, item.words.observe { _ in },
            ]
            observatory.deliver()
            for token in tokens + more { token.invalidate() }
            file.expectDamageKnown()
        }
    }

    @Test func writesGoNowhere() throws {
        try Damaged.withFile { file in
            let error = #expect(throws: Realm.Error.self) {
                try file.realm.write {
                    let (item, keyed, part) = (
                        file.box.items[1], file.box.keyeds[1], file.box.parts[1]
                    )
                    item.text = "written"
                    item.number += 1
                    item.number += 1
                    item.optional = nil
                    item.level = .low
                    item.any = .fromArray([.int(3)])
                    item.any.listValue?.append(.int(4))
                    item.friend = file.box.items[0]
                    item.part = Damaged.Part()
                    item.words.append("word")
                    item.friends.append(objectsIn: [item, file.box.items[2]])
                    item.marks["a"] = 1
                    item.ids.insert(3)
                    item.setValue("by name", forKey: "text")
                    keyed.text = "written"
                    part.name = "written"
                    part.inner = Damaged.Part()
                    #expect(item.text == "by name" && item.words.count == 1)
                }
            }
            #expect(error?.code == .corrupted)
            #expect(file.box.items[1].text == "" && file.box.items[1].isInvalidated)
            file.expectDamageKnown()
        }
    }

    @Test func givenToEverythingThatTakesObjects() throws {
        try Damaged.withFile { file in
            file.realm.beginWrite()
            let (item, other) = (file.box.items[1], file.other)
            other.item = item
            other.items.append(item)
            other.itemSet.insert(item)
            other.itemMap["x"] = item
            other.any = .object(item)
            other.anys.append(.object(item))
            other.nested = .fromArray([.object(item)])
            file.realm.add(item)
            let copy = Damaged.Box()
            copy.name = "new"
            copy.item = item
            copy.items.append(objectsIn: [item, Damaged.Item()])
            copy.any = .object(item)
            file.realm.add(copy, update: .all)
            file.realm.create(Damaged.Item.self, value: item)
            file.realm.create(Damaged.Box.self, value: file.box, update: .all)
            #expect(other.items.index(of: item) != nil)
            other.items.remove(at: other.items.count - 1)
            other.parts.removeAll()
            file.box.parts.removeAll()
            file.box.part = nil
            file.realm.delete(item)
            file.realm.delete(file.box.items)
            file.realm.delete(file.box)
            file.realm.delete(file.realm.objects(Damaged.Item.self))
            file.realm.deleteAll()
            file.expectDamageKnown()
        }
    }

    /// The first write moves rows, after which a missing row might be one that was deleted.
    @Test func loopsThatWrite() throws {
        for keyed in [false, true] {
            try Damaged.withFile { file in
                let error = #expect(throws: Realm.Error.self) {
                    try file.realm.write {
                        if keyed {
                            for item in file.box.keyeds { item.text += "!" }
                        } else {
                            for item in file.box.items { item.text += "!" }
                        }
                    }
                }
                #expect(error?.code == .corrupted)
            }
            try Damaged.withFile { file in
                // Each in a transaction of its own.
                let error = #expect(throws: Realm.Error.self) {
                    if keyed {
                        for item in file.box.keyeds { try file.realm.write { item.text += "!" } }
                    } else {
                        for item in file.box.items { try file.realm.write { item.text += "!" } }
                    }
                }
                #expect(error?.code == .corrupted)
            }
        }
    }

    /// What is deleted in a loop is no damage.
    @Test func deletionsInLoops() throws {
        try withTemporaryRealm(Damaged.types) { realm in
            func fill() throws -> Damaged.Box {
                try realm.write {
                    let box = realm.create(Damaged.Box.self, value: ["name": UUID().uuidString])
                    for number in 0..<4 {
                        let (item, keyed) = (Damaged.Item(), Damaged.Keyed())
                        keyed.id = (realm.objects(Damaged.Keyed.self).max(of: \.id) ?? 0) + 1
                        item.number = number
                        box.items.append(item)
                        box.keyeds.append(keyed)
                        box.anys.append(.object(item))
                    }
                    return box
                }
            }
            for isInside in [true, false] {
                let box = try fill()
                func change(_ body: () -> Void) throws {
                    if isInside { body() } else { try realm.write(body) }
                }
                func loops() throws {
                    var gone = 0
                    for item in box.items {
                        if item.isInvalidated {
                            gone += 1
                        } else {
                            try change { realm.delete(box.items.last!) }
                        }
                    }
                    for keyed in box.keyeds {
                        if keyed.isInvalidated {
                            gone += 1
                        } else {
                            try change { realm.delete(box.keyeds.last!) }
                        }
                    }
                    #expect(gone == 4)
                    // Of rows that the transaction made.
                    try change {
                        for number in 900..<904 {
                            box.keyeds.append(
                                realm.create(Damaged.Keyed.self, value: ["id": number]))
                        }
                        for _ in 0..<4 { box.items.append(Damaged.Item()) }
                    }
                    gone = 0
                    for keyed in box.keyeds {
                        if keyed.isInvalidated {
                            gone += 1
                        } else {
                            try change { realm.delete(box.keyeds.last!) }
                        }
                    }
                    for item in box.items {
                        if item.isInvalidated {
                            gone += 1
                        } else {
                            try change { realm.delete(box.items.last!) }
                        }
                    }
                    #expect(gone > 0)
                    for value in box.anys {
                        if value.object(Damaged.Item.self) != nil {
                            try change { realm.delete(realm.objects(Damaged.Item.self)) }
                        }
                    }
                    try change { realm.deleteAll() }
                }
                if isInside { try realm.write { try loops() } } else { try loops() }
            }
        }
    }
}
