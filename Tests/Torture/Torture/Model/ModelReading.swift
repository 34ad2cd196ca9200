import Foundation
import Freehold

/// Asks a realm, in the ways that the API has, and its model.
struct ModelReading {
    typealias Item = ModelClasses.Item
    let realm: Realm
    let model: PlainModel
    let trace: ((String) -> Void)?

    private func expect<Value: Equatable>(
        _ found: Value, _ expected: Value, _ what: @autoclosure () -> String
    ) throws {
        if found != expected {
            throw ModelDifference("\(what()): the realm says \(found), the model \(expected)")
        }
    }

    func perform(_ operation: ModelOperation) throws {
        switch operation.name {
        case .query: try query(operation)
        case .slice: try slice(operation)
        case .sections: try sections(operation)
        case .aggregates: try aggregates(operation)
        case .values: try values(operation)
        default: try find(operation)
        }
    }

    private func matching(_ condition: ModelCondition) -> [Int] {
        model.itemKeys.filter { condition.holds(model.items[$0]!, model) }
    }

    private func query(_ operation: ModelOperation) throws {
        if operation.b % 6 == 5 { return try foundation(operation) }
        var draw = Draw(operation.a)
        let condition = ModelCondition.drawn(&draw)
        let isTyped = operation.b % 2 == 0
        let items = realm.objects(Item.self)
        var results: Results<Item>
        if isTyped {
            results = items.where(condition.query)
        } else {
            let predicate = try RealmPredicate(
                parsing: condition.text, arguments: condition.arguments)
            results = items.filter(predicate)
        }
        let name = "\(isTyped ? "where" : "filter")(\(condition.text), \(condition.arguments))"
        trace?("    query \(name)")
        let expected = matching(condition)
        try expect(results.count, expected.count, "count of \(name)")
        if operation.c % 2 == 0 {
            try expect(results.map(\.id).sorted(), expected, name)
        } else {
            let order = ModelOrder.drawn(&draw)
            results = results.sorted(by: order.descriptors)
            try expect(
                results.map(\.id), expected.sorted { order.isBefore($0, $1, model) },
                "\(name) sorted by \(order.descriptors)")
        }
    }

    /// Foundation's predicates.
    private func foundation(_ operation: ModelOperation) throws {
        var draw = Draw(operation.a)
        let (value, text) = (draw.below(24), draw.text())
        let results: Results<Item>
        let expected: [Int]
        let name: String
        func keys(_ holds: (PlainItem) -> Bool) -> [Int] {
            model.itemKeys.filter { holds(model.items[$0]!) }
        }
        switch draw.below(4) {
        case 0:
            name = "rank > \(value) && name != \"\(text)\""
            results = try realm.objects(Item.self).filter(
                #Predicate<Item> { $0.rank > value && $0.name != text })
            expected = keys { $0[.rank].int! > value && $0[.name] != .text(text) }
        case 1:
            name = "(next?.rank ?? 5) == \(value)"
            results = try realm.objects(Item.self).filter(
                #Predicate<Item> { ($0.next?.rank ?? 5) == value })
            expected = keys { ($0[.next].item.map { model.items[$0]![.rank].int! } ?? 5) == value }
        case 2:
            name = "children.contains { $0.rank < \(value) }"
            results = try realm.objects(Item.self).filter(
                #Predicate<Item> { $0.children.contains { $0.rank < value } })
            expected = keys {
                $0[.children].elements.contains { model.items[$0.item!]![.rank].int! < value }
            }
        default:
            name = "text == nil || numbers.contains(\(value))"
            results = try realm.objects(Item.self).filter(
                #Predicate<Item> { $0.text == nil || $0.numbers.contains(value) })
            expected = keys { $0[.text] == .null || $0[.numbers].elements.contains(.int(value)) }
        }
        trace?("    query #Predicate \(name)")
        try expect(results.map(\.id).sorted(), expected, "#Predicate \(name)")
    }

    private func slice(_ operation: ModelOperation) throws {
        var draw = Draw(operation.a)
        let condition = ModelCondition.drawn(&draw, depth: 1)
        let order = ModelOrder.drawn(&draw)
        var results = realm.objects(Item.self).where(condition.query).sorted(by: order.descriptors)
        var expected = matching(condition).sorted { order.isBefore($0, $1, model) }
        var name =
            "where(\(condition.text), \(condition.arguments)).sorted(by: \(order.descriptors))"
        for _ in 0..<(1 + operation.b % 3) {
            let count = draw.below(10)
            switch draw.below(3) {
            case 0:
                name += ".limit(\(count))"
                results = results.limit(count)
                expected = Array(expected.prefix(count))
            case 1:
                name += ".offset(\(count))"
                results = results.offset(count)
                expected = Array(expected.dropFirst(count))
            default:
                name += ".distinct(by: kind, flag)"
                results = results.distinct(by: ["kind", "flag"])
                var known: Set<[PlainValue]> = []
                expected = expected.filter {
                    known.insert([model.items[$0]![.kind], model.items[$0]![.flag]]).inserted
                }
            }
        }
        trace?("    \(name)")
        try expect(results.map(\.id), expected, name)
        if let first = expected.first { try expect(results.first?.id, first, "first of \(name)") }
        if let last = expected.last { try expect(results.last?.id, last, "last of \(name)") }
    }

    private func sections(_ operation: ModelOperation) throws {
        var draw = Draw(operation.a)
        let condition = ModelCondition.drawn(&draw, depth: 1)
        trace?("    sections of where(\(condition.text), \(condition.arguments)) by kind")
        let sections = realm.objects(Item.self).where(condition.query)
            .sectioned(
                by: \.kind,
                sortDescriptors: [
                    Freehold.SortDescriptor(keyPath: "kind"),
                    Freehold.SortDescriptor(keyPath: "id", ascending: false),
                ])
        let groups = Dictionary(grouping: matching(condition)) { model.items[$0]![.kind].string! }
        try expect(
            sections.allKeys.map(\.rawValue), groups.keys.sorted(),
            "keys of sections of \(condition.text)")
        for section in sections {
            try expect(
                section.map(\.id), groups[section.key.rawValue]!.sorted(by: >),
                "section \(section.key) of \(condition.text)")
        }
    }

    private func aggregates(_ operation: ModelOperation) throws {
        var draw = Draw(operation.a)
        let condition = ModelCondition.drawn(&draw, depth: 1)
        trace?("    aggregates of where(\(condition.text), \(condition.arguments))")
        let results = realm.objects(Item.self).where(condition.query)
        let items = matching(condition).map { model.items[$0]! }
        let smalls = items.map { $0[.small].int! }
        try expect(results.sum(ofProperty: "small") as Int, smalls.reduce(0, +), "sum of small")
        try expect(results.min(of: \.rank), items.map { $0[.rank].int! }.min(), "min of rank")
        try expect(results.max(of: \.rank), items.map { $0[.rank].int! }.max(), "max of rank")
        let scores = items.compactMap { $0[.score].double }
        try expect(
            results.average(ofProperty: "score") as Double?,
            scores.isEmpty ? nil : scores.reduce(0, +) / Double(scores.count), "average of score")
        try expect(results.sum(ofProperty: "score") as Double, scores.reduce(0, +), "sum of score")
    }

    /// Results over the values and objects of collections.
    private func values(_ operation: ModelOperation) throws {
        guard !model.items.isEmpty else { return }
        let key = model.itemKeys[operation.a % model.items.count]
        let item = realm.object(ofType: Item.self, forPrimaryKey: key)!
        let record = model.items[key]!
        trace?("    values of item \(key)")
        let numbers = record[.numbers].elements.map { $0.int! }
        try expect(Array(item.numbers.sorted()), numbers.sorted(), "item \(key).numbers.sorted()")
        try expect(item.numbers.sum(), numbers.reduce(0, +), "item \(key).numbers.sum()")
        try expect(item.numbers.max(), numbers.max(), "item \(key).numbers.max()")
        try expect(
            item.numbers.index(of: operation.b % 30), numbers.firstIndex(of: operation.b % 30),
            "item \(key).numbers.index(of: \(operation.b % 30))")
        let rank = operation.c % 24
        try expect(
            item.children.where { $0.rank >= rank }.map(\.id),
            record[.children].elements.map { $0.item! }.filter {
                model.items[$0]![.rank].int! >= rank
            },
            "item \(key).children.where { $0.rank >= \(rank) }")
        try expect(
            item.children.sorted(by: [
                Freehold.SortDescriptor(keyPath: "name"), Freehold.SortDescriptor(keyPath: "id"),
            ]).map(\.id),
            record[.children].elements.map { $0.item! }.sorted {
                let (a, b) = (model.items[$0]![.name].string!, model.items[$1]![.name].string!)
                return a == b ? $0 < $1 : a.utf8.lexicographicallyPrecedes(b.utf8)
            }, "item \(key).children.sorted")
        try expect(
            item.previous.where { $0.rank >= rank }.map(\.id).sorted(),
            model.itemKeys.filter {
                model.items[$0]![.next].item == key && model.items[$0]![.rank].int! >= rank
            }, "item \(key).previous.where { $0.rank >= \(rank) }")
        if let tag = record[.tags].members.first?.string {
            try expect(item.tags.contains(tag), true, "item \(key).tags.contains(\(tag))")
        }
        try expect(
            item.marks.keys.sorted(), record[.marks].entries.keys.sorted(), "item \(key).marks.keys"
        )
    }

    private func find(_ operation: ModelOperation) throws {
        let key = operation.a % 64
        trace?("    find item \(key)")
        try expect(
            realm.object(ofType: Item.self, forPrimaryKey: key) != nil, model.items[key] != nil,
            "object(forPrimaryKey: \(key))")
        try expect(
            realm.objects(Item.self).where { $0.id == key }.count, model.items[key] == nil ? 0 : 1,
            "where { $0.id == \(key) }")
        guard let item = realm.object(ofType: Item.self, forPrimaryKey: key) else { return }
        // The order of a realm without one is that of its own; a position leads to the object
        // that is there.
        let items = realm.objects(Item.self)
        guard let index = items.index(of: item) else {
            throw ModelDifference("item \(key) has no index among all items")
        }
        try expect(items[index].id, key, "the item at the index of item \(key)")
        let dynamic = realm.dynamicObject(ofType: "Item", forPrimaryKey: key)
        try expect(
            dynamic?["rank"] as? Int, model.items[key]![.rank].int,
            "item \(key)[\"rank\"], dynamically")
    }
}
