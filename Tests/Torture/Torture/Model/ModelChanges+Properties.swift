import Foundation
import Freehold

extension ModelChanges {
    func set(_ operation: ModelOperation) {
        guard let key = item(operation.a) else { return }
        var draw = Draw(operation.d)
        switch operation.name {
        case .setScalar:
            let column = ItemColumn.scalars[operation.b % ItemColumn.scalars.count]
            set(key, column, draw.scalar(column))
        case .setScalars:
            if operation.c % 4 == 0 { return setAllWithName(operation, &draw) }
            for column in ItemColumn.scalars where draw.below(3) > 0 {
                set(key, column, draw.scalar(column))
            }
        case .setDynamically:
            let column = ItemColumn.scalars[operation.b % ItemColumn.scalars.count]
            // Its Swift type is not what a literal has.
            if column == .kind || column == .mood { return }
            let value = draw.scalar(column)
            did("item \(key)[\"\(column)\"] = \(value)")
            model.items[key]![column] = value
            if let item = live(key) {
                let given: Any? = value == .null ? nil : literal(value)
                if operation.c % 2 == 0 {
                    item.setValue(given, forKey: "\(column)")
                } else {
                    item["\(column)"] = given
                }
            }
        default: setLink(key, operation)
        }
    }

    private func set(_ key: Int, _ column: ItemColumn, _ value: PlainValue) {
        did("item \(key).\(column) = \(value)")
        model.items[key]![column] = value
        live(key)?.set(column, value)
    }

    /// One value for all objects of a query, which changes while that is done.
    private func setAllWithName(_ operation: ModelOperation, _ draw: inout Draw) {
        let name = draw.text()
        let keys = model.itemKeys.filter { model.items[$0]![.name] == .text(name) }
        if keys.isEmpty { return }
        let new = draw.text()
        did(
            """
            objects(Item.self).where { $0.name == "\(name)" }.setValue("\(new)", forKey: \
            "name")  // items \(keys)
            """
        )
        for key in keys { model.items[key]![.name] = .text(new) }
        realm?.objects(Item.self).where { $0.name == name }.setValue(new, forKey: "name")
    }

    private func setLink(_ key: Int, _ operation: ModelOperation) {
        let kind = operation.b % 8
        if kind == 7 {
            let target =
                model.noteKeys.isEmpty || operation.d % 4 == 0
                ? nil : model.noteKeys[operation.c % model.noteKeys.count]
            did("item \(key).note = \(target.map { "note \($0)" } ?? "nil")")
            model.items[key]![.note] =
                target.map { .link(PlainLink(type: .note, key: $0)) } ?? .null
            live(key)?.note = target.flatMap { note(serial: $0) }
            return
        }
        let target = operation.d % 4 == 0 ? nil : item(operation.c)
        let column: ItemColumn = kind == 6 ? .needed : kind >= 4 ? .owned : .next
        did("item \(key).\(column) = \(target.map { "item \($0)" } ?? "nil")")
        model.items[key]![column] = target.map { .link(PlainLink(type: .item, key: $0)) } ?? .null
        guard let item = live(key) else { return }
        switch column {
        case .next: item.next = live(target)
        case .owned: item.owned = live(target)
        default: item.needed = live(target)
        }
    }

    // MARK: Embedded objects

    /// Where a part is.
    private enum Place {
        case property, element(Int), entry(String)
    }

    private func places(_ item: PlainItem) -> [Place] {
        (item[.part].part != nil ? [.property] : [])
            + item[.parts].elements.indices.map { .element($0) }
            + item[.rooms].entries.filter { $0.value.part != nil }.keys.sorted().map { .entry($0) }
    }

    private func part(_ place: Place, of item: PlainItem) -> PlainPart? {
        switch place {
        case .property: item[.part].part
        case .element(let index): item[.parts].elements[index].part
        case .entry(let key): item[.rooms].entries[key]?.part
        }
    }

    private func live(_ place: Place, of item: Item?) -> Part? {
        guard let item else { return nil }
        switch place {
        case .property: return item.part
        case .element(let index): return item.parts[index]
        case .entry(let key): return item.rooms[key].flatMap { $0 }
        }
    }

    private func put(_ part: PlainPart, at place: Place, of key: Int) {
        switch place {
        case .property: model.items[key]![.part] = .part(part)
        case .element(let index):
            var elements = model.items[key]![.parts].elements
            elements[index] = .part(part)
            model.items[key]![.parts] = .list(elements)
        case .entry(let name):
            var entries = model.items[key]![.rooms].entries
            entries[name] = .part(part)
            model.items[key]![.rooms] = .map(entries)
        }
    }

    func changeParts(_ operation: ModelOperation) {
        guard let key = item(operation.a), let item = model.items[key] else { return }
        var draw = Draw(operation.d)
        switch operation.name {
        case .setPart, .removePart:
            let old = item[.part].parts
            if operation.name == .removePart, old.isEmpty { return }
            guard let changed = model(without: item[.part].part.map { [$0] } ?? [], of: key) else {
                return
            }
            model = changed
            let new = operation.name == .removePart ? nil : part(&draw, items: model.itemKeys)
            did("item \(key).part = \(new.map { "\($0)" } ?? "nil")")
            model.items[key]![.part] = new.map { .part($0) } ?? .null
            live(key)?.part = new.map(made)
        case .deletePart:
            let all = places(item).filter { if case .entry = $0 { false } else { true } }
            guard !all.isEmpty, let old = part(all[operation.b % all.count], of: item),
                let changed = model(without: [old], of: key)
            else { return }
            let place = all[operation.b % all.count]
            did("realm.delete(part \(old.serial) of item \(key))")
            let doomed = live(place, of: live(key))
            model = changed
            switch place {
            case .property, .entry: model.items[key]![.part] = .null
            case .element(let index):
                var elements = model.items[key]![.parts].elements
                elements.remove(at: index)
                model.items[key]![.parts] = .list(elements)
            }
            if let doomed { realm?.delete(doomed) }
        default:
            let all = places(item)
            if all.isEmpty { return }
            changePart(all[operation.b % all.count], key, operation, &draw)
        }
    }

    private func changePart(
        _ place: Place, _ key: Int, _ operation: ModelOperation, _ draw: inout Draw
    ) {
        guard var part = part(place, of: model.items[key]!) else { return }
        let found = live(place, of: live(key))
        switch operation.c % 6 {
        case 0, 1:
            part.size = draw.below(20)
            did("part \(part.serial) of item \(key).size = \(part.size)")
            found?.size = part.size
        case 2:
            part.label = draw.text()
            did("part \(part.serial) of item \(key).label = \(PlainValue.text(part.label))")
            found?.label = part.label
        case 3:
            part.target = draw.below(3) == 0 ? nil : item(draw.below(1000))
            did(
                """
                part \(part.serial) of item \(key).target = \
                \(part.target.map { "item \($0)" } ?? "nil")
                """
            )
            found?.target = live(part.target)
        case 4:
            let size = draw.below(9)
            did("part \(part.serial) of item \(key).sizes.append(\(size))")
            part.sizes.append(size)
            found?.sizes.append(size)
        default:
            guard let changed = model(without: part.inner, of: key) else { return }
            // What went along may have been linked to, or have been an owner of this part.
            model = changed
            guard let left = self.part(place, of: model.items[key]!) else { return }
            part = left
            let inner = draw.below(3) == 0 ? nil : self.part(&draw, depth: 1, items: model.itemKeys)
            did("part \(part.serial) of item \(key).inner = \(inner.map { "\($0)" } ?? "nil")")
            part.inner = inner.map { [$0] } ?? []
            found?.inner = inner.map(made)
        }
        put(part, at: place, of: key)
    }
}
