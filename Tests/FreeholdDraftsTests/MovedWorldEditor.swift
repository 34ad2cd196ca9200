import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport

/// Makes random edits of the objects of a draft, and the same ones of their model.
final class MovedWorldEditor {
    let draft: Draft
    var state = MovedWorld.State()
    /// The objects that were added, gone ones included, as they were got when they were added.
    private(set) var objects: [String: MovedWorld.Item] = [:]
    private(set) var codes: [String: MovedWorld.Code] = [:]
    private(set) var parts: [String: MovedWorld.Part] = [:]
    private var count = 0
    /// The items that had nested collections. They do not get others: a merge keeps the ones of
    /// the base, and takes over their elements.
    private var nesting: Set<String> = []

    init(_ draft: Draft) { self.draft = draft }

    private func newName() -> String {
        count += 1
        return "mine\(count)"
    }

    /// An item that is there.
    func pick(_ random: inout SeededGenerator) -> String? {
        state.items.keys.sorted().randomElement(using: &random)
    }

    func edit(_ random: inout SeededGenerator) {
        let kind = random.int(0...11)
        if kind < 3 { return add(&random) }
        if kind == 3 { return editCode(&random) }
        guard let name = pick(&random), let item = objects[name], var now = state.items[name]
        else { return }
        defer { if state.items[name] != nil { state.items[name] = now } }
        switch kind {
        case 4:
            draft.delete(item)
            state.delete(name)
        case 5:
            item.number += 1
            now.number += 1
        case 6:
            let other = random.once(in: 4) ? nil : pick(&random)
            item.link = other.flatMap { objects[$0] }
            now.link = other
        case 7: editItems(item, &now, &random)
        case 8:
            let word = newName()
            let index = random.int(0...now.words.count)
            item.words.insert(word, at: index)
            now.words.insert(word, at: index)
        case 9: editParts(item, &now, &random)
        default: editAny(item, &now, &random)
        }
    }

    private func add(_ random: inout SeededGenerator) {
        let name = newName()
        let item = draft.create(MovedWorld.Item.self, value: ["name": name])
        objects[name] = item
        var now = MovedWorld.ItemState()
        if let other = pick(&random), let target = objects[other] {
            item.link = target
            item.items.append(target)
            (now.link, now.items) = (other, [other])
        }
        state.items[name] = now
    }

    private func editCode(_ random: inout SeededGenerator) {
        let name = pick(&random)
        guard let code = state.codes.keys.sorted().randomElement(using: &random),
            let object = codes[code], !random.once(in: 3)
        else {
            let code = newName()
            codes[code] = draft.create(MovedWorld.Code.self, value: ["code": code])
            codes[code]?.item = name.flatMap { objects[$0] }
            state.codes[code] = .some(name)
            return
        }
        if random.once(in: 3) {
            draft.delete(object)
            state.codes[code] = nil
        } else {
            object.item = name.flatMap { objects[$0] }
            state.codes[code] = .some(name)
        }
    }

    private func editItems(
        _ item: MovedWorld.Item, _ now: inout MovedWorld.ItemState,
        _ random: inout SeededGenerator
    ) {
        if !now.items.isEmpty, random.once(in: 2) {
            let index = random.int(0...now.items.count - 1)
            item.items.remove(at: index)
            now.items.remove(at: index)
        } else if let other = pick(&random), let target = objects[other] {
            let index = random.int(0...now.items.count)
            item.items.insert(target, at: index)
            now.items.insert(other, at: index)
        }
    }

    private func editParts(
        _ item: MovedWorld.Item, _ now: inout MovedWorld.ItemState,
        _ random: inout SeededGenerator
    ) {
        if !now.parts.isEmpty, random.once(in: 3) {
            let index = random.int(0...now.parts.count - 1)
            item.parts.remove(at: index)
            now.parts.remove(at: index)
            return
        }
        let name = newName()
        item.parts.append(MovedWorld.Part(value: ["name": name]))
        parts[name] = item.parts.last
        now.parts.append(name)
    }

    private func editAny(
        _ item: MovedWorld.Item, _ now: inout MovedWorld.ItemState,
        _ random: inout SeededGenerator
    ) {
        if case .nested(let id, let object, var numbers) = now.any, random.once(in: 2) {
            item.any.listValue?[1].listValue?.append(.int(numbers.count))
            numbers.append(numbers.count)
            now.any = .nested(id, object: object, numbers: numbers)
            return
        }
        guard let other = pick(&random), let target = objects[other] else { return }
        switch random.int(0...(nesting.insert(item.name).inserted ? 3 : 1)) {
        case 0:
            item.any = .none
            now.any = .none
        case 1:
            item.any = .object(target)
            now.any = .object(other)
        default:
            item.any = .fromArray([
                .fromDictionary(["object": .object(target)]), .fromArray([.int(0)]),
            ])
            count += 1
            now.any = .nested(count, object: other, numbers: [0])
        }
    }
}
