import Foundation
import Freehold

/// A list of a realm, whatever its elements are.
struct LiveList {
    let insert: (PlainValue, Int) -> Void
    let remove: (Int) -> Void
    let set: (Int, PlainValue) -> Void
    let move: (Int, Int) -> Void
    let swap: (Int, Int) -> Void
    let replace: (Range<Int>, [PlainValue]) -> Void
    let append: ([PlainValue]) -> Void
    let removeAll: () -> Void

    init<Element>(_ list: List<Element>, _ make: @escaping (PlainValue) -> Element) {
        insert = { $1 == list.count ? list.append(make($0)) : list.insert(make($0), at: $1) }
        remove = { list.remove(at: $0) }
        set = { list[$0] = make($1) }
        move = { list.move(from: $0, to: $1) }
        swap = { list.swapAt($0, $1) }
        replace = { list.replaceSubrange($0, with: $1.map(make)) }
        append = { list.append(objectsIn: $0.map(make)) }
        removeAll = { list.removeAll() }
    }
}

extension ModelChanges {
    private static let lists: [ItemColumn] = [.numbers, .texts, .children, .parts, .things]

    private func liveList(_ key: Int, _ column: ItemColumn) -> LiveList? {
        guard let item = live(key) else { return nil }
        return switch column {
        case .numbers: LiveList(item.numbers) { $0.int ?? 0 }
        case .texts: LiveList(item.texts) { $0.string }
        // Only items that are there are drawn.
        case .children: LiveList(item.children) { [self] in live($0.item)! }
        case .parts: LiveList(item.parts) { [self] in $0.part.map(made) ?? Part() }
        default: LiveList(item.things) { [self] in mixed($0) }
        }
    }

    private func element(_ column: ItemColumn, _ draw: inout Draw) -> PlainValue? {
        switch column {
        case .numbers: return .int(draw.below(30))
        case .texts: return draw.optional(.text(draw.text()))
        case .children: return item(draw.below(1000)).map { .link(PlainLink(type: .item, key: $0)) }
        case .parts: return .part(part(&draw, items: model.itemKeys))
        default: return draw.mixed(depth: 2, model.links)
        }
    }

    func changeList(_ operation: ModelOperation) {
        guard let key = item(operation.a) else { return }
        let column = Self.lists[operation.b % Self.lists.count]
        var draw = Draw(operation.d)
        let old = model.items[key]![column].elements
        let count = old.count
        // Which elements go. What they own must be allowed to go along.
        let range: Range<Int>
        switch operation.name {
        case .removeElement, .setElement:
            if count == 0 { return }
            let index = operation.c % count
            range = index..<index + 1
        case .replaceElements:
            let lower = operation.c % (count + 1)
            range = lower..<lower + min(count - lower, draw.below(5))
        case .removeAllElements: range = 0..<count
        case .assignList: return assign(key, column, operation)
        case .moveElement, .swapElements:
            if count < 2 { return }
            range = 0..<0
        default:
            if count > 40 { return }
            range = 0..<0
        }
        guard let changed = model(without: old[range].flatMap(\.parts), of: key) else { return }
        model = changed
        var elements = model.items[key]![column].elements
        let index = operation.c % (count + 1)
        let name = "item \(key).\(column)"
        switch operation.name {
        case .insert:
            guard let new = element(column, &draw) else { return }
            did("\(name).insert(\(new), at: \(index))")
            liveList(key, column)?.insert(new, index)
            elements.insert(new, at: index)
        case .removeElement:
            did("\(name).remove(at: \(range.lowerBound))")
            liveList(key, column)?.remove(range.lowerBound)
            elements.remove(at: range.lowerBound)
        case .setElement:
            guard let new = element(column, &draw) else { return }
            did("\(name)[\(range.lowerBound)] = \(new)")
            liveList(key, column)?.set(range.lowerBound, new)
            elements[range.lowerBound] = new
        case .moveElement:
            let (from, to) = (operation.c % count, draw.below(count))
            did("\(name).move(from: \(from), to: \(to))")
            liveList(key, column)?.move(from, to)
            elements.insert(elements.remove(at: from), at: to)
        case .swapElements:
            let (first, second) = (operation.c % count, draw.below(count))
            did("\(name).swapAt(\(first), \(second))")
            liveList(key, column)?.swap(first, second)
            elements.swapAt(first, second)
        case .replaceElements:
            let new = (0..<draw.below(4)).compactMap { _ in element(column, &draw) }
            did("\(name).replaceSubrange(\(range), with: \(new))")
            liveList(key, column)?.replace(range, new)
            elements.replaceSubrange(range, with: new)
        case .appendElements:
            if column == .children, draw.below(2) == 1 {
                // Of a query, which is evaluated meanwhile.
                let limit = draw.below(24)
                let keys = model.itemKeys.filter { model.items[$0]![.rank].int! > limit }
                if keys.isEmpty { return }
                did(
                    """
                    \(name).append(objectsIn: objects(Item.self).where { $0.rank > \
                    \(limit) }.sorted(by: \\.id))
                    """
                )
                if let item = live(key), let realm {
                    item.children.append(
                        objectsIn: realm.objects(Item.self).where { $0.rank > limit }.sorted(
                            by: \.id))
                }
                elements += keys.map { .link(PlainLink(type: .item, key: $0)) }
            } else {
                let many = column == .numbers || column == .texts ? 24 : 5
                let new = (0...draw.below(many)).compactMap { _ in element(column, &draw) }
                did("\(name).append(objectsIn: \(new))")
                liveList(key, column)?.append(new)
                elements += new
            }
        default:
            did("\(name).removeAll()")
            liveList(key, column)?.removeAll()
            elements.removeAll()
        }
        if column == .things { model.affected[key] = model.time + 1 }
        model.items[key]![column] = .list(elements)
    }

    /// The list of another item, or its own.
    private func assign(_ key: Int, _ column: ItemColumn, _ operation: ModelOperation) {
        guard column != .parts, let other = item(operation.c) else { return }
        did("item \(key).\(column) = item \(other).\(column)")
        model.items[key]![column] = model.items[other]![column]
        if column == .things { model.affected[key] = model.time + 1 }
        guard let target = live(key), let source = live(other) else { return }
        switch column {
        case .numbers: target.numbers = source.numbers
        case .texts: target.texts = source.texts
        case .children: target.children = source.children
        default: target.things = source.things
        }
    }

    // MARK: Sets

    func changeSet(_ operation: ModelOperation) {
        guard let key = item(operation.a) else { return }
        var draw = Draw(operation.d)
        let column: ItemColumn = operation.b % 2 == 0 ? .tags : .friends
        var members = model.items[key]![column].members
        let name = "item \(key).\(column)"
        let item = live(key)
        switch operation.name {
        case .insertMember:
            guard
                let new = column == .tags ? PlainValue.text(draw.text()) : element(.children, &draw)
            else { return }
            did("\(name).insert(\(new))")
            members.insert(new)
            if let item {
                if let text = new.string {
                    item.tags.insert(text)
                } else if let other = live(new.item) {
                    item.friends.insert(other)
                }
            }
        case .removeMember:
            let sorted = members.sorted { "\($0)" < "\($1)" }
            if sorted.isEmpty { return }
            let old = sorted[operation.c % sorted.count]
            did("\(name).remove(\(old))")
            members.remove(old)
            if let item {
                if let text = old.string {
                    item.tags.remove(text)
                } else if let other = live(old.item) {
                    item.friends.remove(other)
                }
            }
        default:
            guard let other = self.item(operation.c) else { return }
            let others = model.items[other]![column].members
            let way = ["formUnion", "formIntersection", "subtract", "=", "removeAll"][draw.below(5)]
            did("\(name).\(way) item \(other).\(column)")
            switch way {
            case "formUnion": members.formUnion(others)
            case "formIntersection": members.formIntersection(others)
            case "subtract": members.subtract(others)
            case "=": members = others
            default: members = []
            }
            if let item, let source = live(other) {
                switch (way, column) {
                case ("formUnion", .tags): item.tags.formUnion(source.tags)
                case ("formUnion", _): item.friends.formUnion(source.friends)
                case ("formIntersection", .tags): item.tags.formIntersection(source.tags)
                case ("formIntersection", _): item.friends.formIntersection(source.friends)
                case ("subtract", .tags): item.tags.subtract(source.tags)
                case ("subtract", _): item.friends.subtract(source.friends)
                case ("=", .tags): item.tags = source.tags
                case ("=", _): item.friends = source.friends
                case (_, .tags): item.tags.removeAll()
                default: item.friends.removeAll()
                }
            }
        }
        model.items[key]![column] = .set(members)
    }

    // MARK: Maps

    func changeMap(_ operation: ModelOperation) {
        guard let key = item(operation.a) else { return }
        var draw = Draw(operation.d)
        let column: ItemColumn = [.marks, .related, .rooms][operation.b % 3]
        let old = model.items[key]![column].entries
        let entry = draw.key()
        // What goes with parts that lose their place.
        let going: [PlainPart]
        switch operation.name {
        case .setEntry, .removeEntry: going = old[entry]?.part.map { [$0] } ?? []
        case .removeAllEntries: going = old.values.compactMap(\.part)
        default: going = []
        }
        guard let changed = model(without: going, of: key) else { return }
        model = changed
        var entries = model.items[key]![column].entries
        let name = "item \(key).\(column)"
        let item = live(key)
        switch operation.name {
        case .setEntry:
            let isNull = draw.below(4) == 0
            let new: PlainValue =
                switch column {
                case .marks: .int(draw.below(30))
                case .related: isNull ? .null : element(.children, &draw) ?? .null
                default: isNull ? .null : .part(part(&draw, items: model.itemKeys))
                }
            did("\(name)[\"\(entry)\"] = \(new)")
            entries[entry] = new
            if let item {
                switch column {
                case .marks: item.marks[entry] = new.int
                case .related: item.related[entry] = .some(live(new.item))
                default: item.rooms[entry] = .some(new.part.map(made))
                }
            }
        case .removeEntry:
            if entries[entry] == nil { return }
            did("\(name).removeObject(for: \"\(entry)\")")
            entries[entry] = nil
            if let item {
                switch column {
                case .marks: item.marks.removeObject(for: entry)
                case .related: item.related[entry] = nil
                default: item.rooms.removeObject(for: entry)
                }
            }
        case .mergeEntries:
            guard column != .rooms, let other = self.item(operation.c) else { return }
            let others = model.items[other]![column].entries
            if draw.below(2) == 0 {
                did("\(name) = item \(other).\(column)")
                entries = others
                if let item, let source = live(other) {
                    if column == .marks {
                        item.marks = source.marks
                    } else {
                        item.related = source.related
                    }
                }
            } else {
                did("\(name).merge(item \(other).\(column))")
                entries.merge(others) { $1 }
                if let item, let source = live(other) {
                    if column == .marks {
                        item.marks.merge(source.marks) { $1 }
                    } else {
                        item.related.merge(source.related) { $1 }
                    }
                }
            }
        default:
            did("\(name).removeAll()")
            entries = [:]
            if let item {
                switch column {
                case .marks: item.marks.removeAll()
                case .related: item.related.removeAll()
                default: item.rooms.removeAll()
                }
            }
        }
        model.items[key]![column] = .map(entries)
    }
}
