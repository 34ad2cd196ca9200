import Foundation
import Freehold

extension PlainModel {
    /// What a realm has.
    init(reading realm: Realm) {
        for item in realm.objects(ModelClasses.Item.self) {
            items[item.id] = PlainItem(reading: item)
        }
        for note in realm.objects(ModelClasses.Note.self) {
            notes[note.serial] = PlainNote(
                text: note.text, number: note.number, item: note.item?.id,
                items: note.items.map(\.id))
        }
        for ticket in realm.objects(ModelClasses.Ticket.self) {
            tickets[ticket.id] = PlainTicket(title: ticket.title, item: ticket.item?.id)
        }
        if let clock = realm.object(ofType: ModelClasses.Clock.self, forPrimaryKey: 0) {
            (time, serial) = (clock.time, clock.serial)
        }
    }
}

extension PlainItem {
    init(reading item: ModelClasses.Item) { values = ItemColumn.allCases.map { item.plain($0) } }
}

extension ModelClasses.Item {
    /// What a property has.
    func plain(_ column: ItemColumn) -> PlainValue {
        switch column {
        case .rank: .int(rank)
        case .name: .text(name)
        case .text: text.map(PlainValue.text) ?? .null
        case .score: score.map(PlainValue.double) ?? .null
        case .ratio: .float(ratio)
        case .flag: .bool(flag)
        case .small: .int(Int(small))
        case .big: big.map { .int(Int($0)) } ?? .null
        case .data: .data(data)
        case .date: date.map(PlainValue.date) ?? .null
        case .decimal: .decimal(decimal)
        case .objectID: objectID.map(PlainValue.objectID) ?? .null
        case .uuid: uuid.map(PlainValue.uuid) ?? .null
        case .kind: .text(kind.rawValue)
        case .mood: mood.map { .int($0.rawValue) } ?? .null
        case .part: part.map { .part(PlainPart(reading: $0)) } ?? .null
        case .next: PlainValue(next)
        case .owned: PlainValue(owned)
        case .needed: PlainValue(needed)
        case .note: note.map { .link(PlainLink(type: .note, key: $0.serial)) } ?? .null
        case .numbers: .list(numbers.map { .int($0) })
        case .texts: .list(texts.map { $0.map(PlainValue.text) ?? .null })
        case .children: .list(children.map { PlainValue($0) })
        case .parts: .list(parts.map { .part(PlainPart(reading: $0)) })
        case .tags: .set(Set(tags.map { .text($0) }))
        case .friends: .set(Set(friends.map { PlainValue($0) }))
        case .marks:
            .map(
                Dictionary(
                    uniqueKeysWithValues: marks.asKeyValueSequence().map {
                        ($0.key, .int($0.value))
                    }))
        case .related:
            .map(
                Dictionary(
                    uniqueKeysWithValues: related.asKeyValueSequence().map {
                        ($0.key, PlainValue($0.value))
                    }))
        case .rooms:
            .map(
                Dictionary(
                    uniqueKeysWithValues: rooms.asKeyValueSequence().map {
                        ($0.key, $0.value.map { .part(PlainPart(reading: $0)) } ?? .null)
                    }))
        case .anything: PlainValue(mixed: anything)
        case .things: .list(things.map { PlainValue(mixed: $0) })
        }
    }
}

extension PlainPart {
    init(reading part: ModelClasses.Part) {
        self.init(
            serial: part.serial, size: part.size, label: part.label, target: part.target?.id,
            owned: part.owned?.id, sizes: Array(part.sizes),
            inner: part.inner.map { [PlainPart(reading: $0)] } ?? [])
    }
}

extension PlainValue {
    init(_ item: ModelClasses.Item?) {
        self = item.map { .link(PlainLink(type: .item, key: $0.id)) } ?? .null
    }

    init(mixed value: AnyRealmValue) {
        switch value {
        case .none: self = .null
        case .int(let value): self = .int(value)
        case .bool(let value): self = .bool(value)
        case .float(let value): self = .float(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .text(value)
        case .data(let value): self = .data(value)
        case .date(let value): self = .date(value)
        case .objectId(let value): self = .objectID(value)
        case .decimal128(let value): self = .decimal(value)
        case .uuid(let value): self = .uuid(value)
        case .object(let object):
            switch object {
            case let item as ModelClasses.Item: self = .link(PlainLink(type: .item, key: item.id))
            case let note as ModelClasses.Note:
                self = .link(PlainLink(type: .note, key: note.serial))
            case let ticket as ModelClasses.Ticket:
                self = .link(PlainLink(type: .ticket, key: ticket.id))
            default: self = .text("an object of another class: \(object)")
            }
        case .list(let list): self = .list(list.map { PlainValue(mixed: $0) })
        case .dictionary(let map):
            self = .map(
                Dictionary(
                    uniqueKeysWithValues: map.asKeyValueSequence().map {
                        ($0.key, PlainValue(mixed: $0.value))
                    }))
        }
    }
}

// MARK: - Comparing

extension PlainModel {
    /// What a realm has that it should not have, or lacks; links back, too.
    func difference(fromRealm realm: Realm) -> String? {
        if let difference = difference(from: PlainModel(reading: realm)) { return difference }
        var lines: [String] = []
        let columns: [(ItemColumn, (ModelClasses.Item) -> LinkingObjects<ModelClasses.Item>)] = [
            (.next, { $0.previous }), (.children, { $0.parents }), (.friends, { $0.admirers }),
            (.related, { $0.relatives }),
        ]
        let expected = columns.map { backlinks($0.0) }
        var notesOfItems: [Int: [Int]] = [:]
        for (serial, note) in notes {
            if let item = note.item { notesOfItems[item, default: []].append(serial) }
        }
        for item in realm.objects(ModelClasses.Item.self) {
            let id = item.id
            for (index, (column, linking)) in columns.enumerated() {
                let found = linking(item).map(\.id).sorted()
                if found != expected[index][id] ?? [] {
                    lines.append(
                        """
                        item \(id): links back by \(column) from \(found), not from \
                        \(expected[index][id] ?? [])
                        """
                    )
                }
            }
            if item.previous.count != expected[0][id]?.count ?? 0 {
                lines.append("item \(id): the count of previous is \(item.previous.count)")
            }
            let users = item.notes.map(\.serial).sorted()
            if users != notesOfItems[id]?.sorted() ?? [] {
                lines.append("item \(id): its notes are \(users), not \(notesOfItems[id] ?? [])")
            }
        }
        var users: [Int: [Int]] = [:]
        for (key, item) in items {
            if let note = item[.note].link { users[note.key, default: []].append(key) }
        }
        for note in realm.objects(ModelClasses.Note.self)
        where note.users.map(\.id).sorted() != users[note.serial]?.sorted() ?? [] {
            lines.append(
                """
                note \(note.serial): its users are \(note.users.map(\.id)), not \
                \(users[note.serial] ?? [])
                """
            )
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
}
