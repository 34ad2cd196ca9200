import Foundation
import Freehold

extension ModelChanges {
    // MARK: Any values

    func changeMixed(_ operation: ModelOperation) {
        guard let key = item(operation.a) else { return }
        var draw = Draw(operation.d)
        model.affected[key] = model.time + 1
        if operation.name == .setAny {
            let new = draw.mixed(depth: 3, model.links)
            did("item \(key).anything = \(new)")
            model.items[key]![.anything] = new
            live(key)?.anything = mixed(new)
            return
        }
        let things = model.items[key]![.things].elements
        if operation.b % 2 == 1, !things.isEmpty {
            let index = operation.c % things.count
            guard
                let new = change(
                    things[index], live(key).map { $0.things[index] },
                    "item \(key).things[\(index)]", &draw)
            else { return }
            var changed = things
            changed[index] = new
            model.items[key]![.things] = .list(changed)
        } else if let new = change(
            model.items[key]![.anything], live(key)?.anything, "item \(key).anything", &draw)
        {
            model.items[key]![.anything] = new
        }
    }

    /// Changes a collection somewhere inside of an any value, in place; nil if it is none.
    private func change(
        _ value: PlainValue, _ found: AnyRealmValue?, _ name: String, _ draw: inout Draw
    ) -> PlainValue? {
        switch value {
        case .list(var elements):
            let list = found?.listValue
            if !elements.isEmpty, draw.below(3) > 0 {
                let index = draw.below(elements.count)
                if let changed = change(
                    elements[index], list.map { $0[index] }, "\(name)[\(index)]", &draw)
                {
                    elements[index] = changed
                    return .list(elements)
                }
            }
            let new = draw.mixed(depth: 2, model.links)
            let index = draw.below(elements.count + 1)
            switch draw.below(5) {
            case 0, 1:
                did("\(name).insert(\(new), at: \(index))")
                list?.insert(mixed(new), at: index)
                elements.insert(new, at: index)
            case 2 where index < elements.count:
                did("\(name)[\(index)] = \(new)")
                list?[index] = mixed(new)
                elements[index] = new
            case 3 where index < elements.count:
                did("\(name).remove(at: \(index))")
                list?.remove(at: index)
                elements.remove(at: index)
            case 4 where elements.count > 1 && index < elements.count:
                did("\(name).swapAt(0, \(index))")
                list?.swapAt(0, index)
                elements.swapAt(0, index)
            default:
                did("\(name).append(\(new))")
                list?.append(mixed(new))
                elements.append(new)
            }
            return .list(elements)
        case .map(var entries):
            let map = found?.dictionaryValue
            if !entries.isEmpty, draw.below(3) > 0 {
                let key = draw.pick(entries.keys.sorted())
                if let changed = change(
                    entries[key]!, map.flatMap { $0[key] }, "\(name)[\"\(key)\"]", &draw)
                {
                    entries[key] = changed
                    return .map(entries)
                }
            }
            let key = draw.key()
            if draw.below(3) == 2 {
                did("\(name).removeObject(for: \"\(key)\")")
                map?.removeObject(for: key)
                entries[key] = nil
            } else {
                let new = draw.mixed(depth: 2, model.links)
                did("\(name)[\"\(key)\"] = \(new)")
                map?[key] = mixed(new)
                entries[key] = new
            }
            return .map(entries)
        default: return nil
        }
    }

    // MARK: Notes and tickets

    func changeOthers(_ operation: ModelOperation) throws {
        var draw = Draw(operation.d)
        let notes = model.noteKeys
        switch operation.name {
        case .createNote:
            if notes.count > 12 { return }
            let serial = nextSerial()
            let new = PlainNote(
                text: draw.text(), number: draw.int(),
                item: draw.below(3) == 0 ? nil : item(operation.c), items: [])
            did(
                """
                realm.create(Note.self, value: [serial: \(serial), text: \
                \(PlainValue.text(new.text)), number: \(new.number), item: \
                \(new.item.map { "\($0)" } ?? "nil")])
                """
            )
            model.notes[serial] = new
            realm?.create(
                Note.self,
                value: [
                    "serial": serial, "text": new.text, "number": new.number,
                    "item": live(new.item) ?? NSNull(),
                ] as [String: Any])
        case .changeNote:
            if notes.isEmpty { return }
            let serial = notes[operation.a % notes.count]
            let found = note(serial: serial)
            switch operation.b % 4 {
            case 0:
                model.notes[serial]!.text = draw.text()
                did("note \(serial).text = \(PlainValue.text(model.notes[serial]!.text))")
                found?.text = model.notes[serial]!.text
            case 1:
                model.notes[serial]!.number = draw.int()
                did("note \(serial).number = \(model.notes[serial]!.number)")
                found?.number = model.notes[serial]!.number
            case 2:
                model.notes[serial]!.item = draw.below(3) == 0 ? nil : item(operation.c)
                did(
                    """
                    note \(serial).item = \
                    \(model.notes[serial]!.item.map { "item \($0)" } ?? "nil")
                    """
                )
                found?.item = live(model.notes[serial]!.item)
            default:
                guard let other = item(operation.c) else { return }
                did("note \(serial).items.append(item \(other))")
                model.notes[serial]!.items.append(other)
                if let found, let other = live(other) { found.items.append(other) }
            }
        case .deleteNote:
            if notes.isEmpty { return }
            let serial = notes[operation.a % notes.count]
            did("realm.delete(note \(serial))")
            let found = note(serial: serial)
            _ = model.delete([PlainLink(type: .note, key: serial)])
            if let found { realm?.delete(found) }
        case .deleteNotes:
            if notes.isEmpty { return }
            did("realm.delete(realm.objects(Note.self))")
            _ = model.delete(notes.map { PlainLink(type: .note, key: $0) })
            if let realm { realm.delete(realm.objects(Note.self)) }
        default: try changeTicket(operation, &draw)
        }
    }

    private func changeTicket(_ operation: ModelOperation, _ draw: inout Draw) throws {
        guard let realm else { return }
        let keys = model.tickets.keys.sorted()
        if operation.name == .deleteTicket {
            if keys.isEmpty { return }
            let key = keys[operation.a % keys.count]
            did("realm.delete(ticket \(key))")
            let found = realm.object(ofType: Ticket.self, forPrimaryKey: key)
            _ = model.delete([PlainLink(type: .ticket, key: key)])
            if let found { realm.delete(found) }
            return
        }
        if keys.count > 8 { return }
        let new = PlainTicket(title: draw.text(), item: item(operation.c))
        let ticket = Ticket()
        (ticket.title, ticket.item) = (new.title, live(new.item))
        realm.add(ticket)
        let key = ticket.id
        did(
            """
            realm.add(Ticket(\(PlainValue.text(new.title)), item: \
            \(new.item.map { "\($0)" } ?? "nil")))  // got \(key)
            """
        )
        if model.tickets[key] != nil {
            throw ModelDifference("a ticket got the key \(key), which another one has")
        }
        if key <= lastTicket {
            throw ModelDifference("a ticket got the key \(key), after one had \(lastTicket)")
        }
        model.tickets[key] = new
    }

    // MARK: Deleting

    func delete(_ operation: ModelOperation) throws {
        if operation.name == .deleteAll {
            if operation.a % 6 != 0 || model.items.isEmpty { return }
            did("realm.deleteAll()")
            (model.items, model.notes, model.tickets) = ([:], [:], [:])
            realm?.deleteAll()
            return
        }
        let keys: [Int]
        let rank = operation.c % 24
        switch operation.name {
        case .deleteItem: keys = item(operation.a).map { [$0] } ?? []
        case .deleteItems:
            keys = Array(
                Set([item(operation.a), item(operation.b), item(operation.c)].compactMap { $0 })
            ).sorted()
        default: keys = model.itemKeys.filter { model.items[$0]![.rank] == .int(rank) }
        }
        // Few objects meet each other less often.
        if keys.isEmpty || model.items.count < 4 && operation.d % 3 > 0 { return }
        var changed = model
        let isAllowed = changed.delete(keys.map { PlainLink(type: .item, key: $0) })
        did(
            "realm.delete(items \(keys))"
                + (operation.name == .deleteQuery ? "  // where { $0.rank == \(rank) }" : "")
                + (isAllowed ? "" : "  // denied"))
        if isAllowed { model = changed }
        guard let realm else { return }
        let objects = keys.compactMap { live($0) }
        do {
            switch operation.name {
            case .deleteQuery:
                let results = realm.objects(Item.self).where { $0.rank == rank }
                if isAllowed, operation.b % 2 == 0 {
                    realm.delete(results)
                } else {
                    try realm.deleteChecked(results)
                }
            case .deleteItem:
                if isAllowed, operation.b % 2 == 0 {
                    realm.delete(objects[0])
                } else {
                    try realm.deleteChecked(objects[0])
                }
            default:
                if isAllowed, operation.b % 2 == 0 {
                    realm.delete(objects)
                } else {
                    try realm.deleteChecked(objects)
                }
            }
            if !isAllowed { throw ModelDifference("deleting items \(keys) was not denied") }
        } catch Realm.Error.deletionDenied where !isAllowed {}
    }
}
