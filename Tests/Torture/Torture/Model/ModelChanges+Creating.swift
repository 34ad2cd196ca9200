import Foundation
import Freehold

extension ModelChanges {
    func create(_ operation: ModelOperation) {
        var draw = Draw(operation.d)
        switch operation.name {
        case .create:
            guard let key = freeKey(operation.a) else { return }
            add(key, columns(operation.b, 3), &draw, update: nil)
        case .createMany:
            for number in 0..<(3 + operation.b % 6) {
                guard let key = freeKey(operation.a + number) else { return }
                add(key, columns(operation.b + number, 2), &draw, update: nil)
            }
        case .createFromValue:
            guard let key = freeKey(operation.a) else { return }
            createFromValue(key, operation, &draw, update: .error)
        default:
            let policy: Realm.UpdatePolicy = operation.c % 2 == 0 ? .modified : .all
            guard
                let key = operation.c % 5 == 4
                    ? freeKey(operation.a) : item(operation.a) ?? freeKey(operation.a)
            else { return }
            if operation.c % 3 == 0 {
                add(key, columns(operation.b, 4), &draw, update: policy)
            } else {
                createFromValue(key, operation, &draw, update: policy)
            }
        }
    }

    /// A key that no item has; nil if there are enough items.
    private func freeKey(_ number: Int) -> Int? {
        if model.items.count >= Self.mostItems { return nil }
        var key = number % 60
        while model.items[key] != nil { key += 1 }
        return key
    }

    private func columns(_ number: Int, _ count: Int) -> [ItemColumn] {
        Array(
            Set(
                (0..<count).map {
                    ItemColumn.scalars[(number / (1 + $0) + $0 * 5) % ItemColumn.scalars.count]
                })
        ).sorted { $0.rawValue < $1.rawValue }
    }

    /// Adds an unmanaged object. With an update policy one that is there gets all of its values.
    private func add(
        _ key: Int, _ columns: [ItemColumn], _ draw: inout Draw, update: Realm.UpdatePolicy?
    ) {
        var record = PlainItem()
        for column in columns { record[column] = draw.scalar(column) }
        let numbers = (0..<draw.below(5)).map { _ in draw.below(20) }
        record[.numbers] = .list(numbers.map { .int($0) })
        if let old = model.items[key] {
            guard let changed = model(without: old.values.flatMap(\.parts), of: key) else { return }
            model = changed
        }
        did(
            """
            realm.add(Item(id: \(key), \
            \(columns.map { "\($0): \(record[$0])" }.joined(separator: ", ")), \
            numbers: \(numbers))\(update.map { ", update: .\($0)" } ?? ""))
            """
        )
        model.items[key] = record
        model.affected[key] = model.time + 1
        guard let realm else { return }
        let made = Item()
        made.id = key
        for column in columns { made.set(column, record[column]) }
        made.numbers.append(objectsIn: numbers)
        if let update { realm.add(made, update: update) } else { realm.add(made) }
    }

    /// Creates from a dictionary, or updates the properties that are in it.
    private func createFromValue(
        _ key: Int, _ operation: ModelOperation, _ draw: inout Draw, update: Realm.UpdatePolicy
    ) {
        var record = model.items[key] ?? PlainItem()
        var values: [String: Any] = ["id": key]
        for column in columns(operation.b, 4) {
            record[column] = draw.scalar(column)
            values["\(column)"] = literal(record[column])
        }
        var given = values.keys.filter { $0 != "id" }.sorted().map { name in
            "\(name): \(values[name]!)"
        }
        if draw.below(2) == 1 {
            let tags = Set((0..<draw.below(4)).map { _ in draw.text() })
            record[.tags] = .set(Set(tags.map { .text($0) }))
            values["tags"] = Array(tags)
            given.append("tags")
        }
        if draw.below(2) == 1, let other = item(draw.below(1000)) {
            let link = PlainValue.link(PlainLink(type: .item, key: other))
            record[.next] = link
            record[.children] = .list([link, link])
            values["next"] = literal(link)
            values["children"] = [literal(link), literal(link)]
            given.append("next, children: \(other)")
        }
        if draw.below(3) == 2 {
            let marks = Dictionary((0..<draw.below(4)).map { _ in (draw.key(), draw.below(9)) }) {
                $1
            }
            record[.marks] = .map(marks.mapValues { .int($0) })
            values["marks"] = marks
            given.append("marks: \(marks)")
        }
        if model.items[key] == nil, draw.below(3) == 2 {
            let part = PlainPart(
                serial: nextSerial(), size: draw.below(20), label: "v", target: nil, owned: nil,
                sizes: [1, 2], inner: [])
            record[.part] = .part(part)
            values["part"] =
                [
                    "serial": part.serial, "size": part.size, "label": part.label,
                    "sizes": part.sizes,
                ] as [String: Any]
            given.append("part: \(part)")
        }
        did(
            """
            realm.create(Item.self, value: [id: \(key), \(given.joined(separator: ", "))], \
            update: .\(update))
            """
        )
        model.items[key] = record
        if model.affected[key] == nil { model.affected[key] = model.time + 1 }
        realm?.create(Item.self, value: values, update: update)
    }
}

extension ModelClasses.Item {
    /// Sets a scalar property.
    func set(_ column: ItemColumn, _ value: PlainValue) {
        switch (column, value) {
        case (.rank, .int(let value)): rank = value
        case (.name, .text(let value)): name = value
        case (.text, _): text = value.string
        case (.score, _): score = value.double
        case (.ratio, .float(let value)): ratio = value
        case (.flag, .bool(let value)): flag = value
        case (.small, .int(let value)): small = Int8(value)
        case (.big, _): big = value.int.map { Int64($0) }
        case (.data, .data(let value)): data = value
        case (.date, .date(let value)): date = value
        case (.date, .null): date = nil
        case (.decimal, .decimal(let value)): decimal = value
        case (.objectID, .objectID(let value)): objectID = value
        case (.objectID, .null): objectID = nil
        case (.uuid, .uuid(let value)): uuid = value
        case (.uuid, .null): uuid = nil
        case (.kind, .text(let value)): kind = ModelClasses.Kind(rawValue: value)!
        case (.mood, _): mood = value.int.map { ModelClasses.Mood(rawValue: $0)! }
        default: preconditionFailure("\(column) is no scalar, or \(value) no value of it.")
        }
    }
}
