import Foundation
import Freehold
import FreeholdRealmTestSupport

/// The public functions of managed collections. Most are made of a few that touch elements,
/// each of which asks the gate.
extension ConfinedEntry {
    static let collections: [String: ConfinedEntry] = lists.merging(sets) { a, _ in a }.merging(
        maps
    ) { a, _ in a }.merging(nested) { a, _ in a }.merging(values) { a, _ in a }.merging(sections) {
        a, _ in a
    }

    private static func list(
        _ function: String, _ use: @escaping @Sendable (ConfinedSubject) throws -> Void
    ) -> ConfinedEntry {
        ConfinedEntry("\(function) of List 'Fixture_Holder.numbers'", use)
    }

    private static func set(
        _ function: String, _ use: @escaping @Sendable (ConfinedSubject) throws -> Void
    ) -> ConfinedEntry {
        ConfinedEntry("\(function) of MutableSet 'Fixture_Holder.tags'", use)
    }

    private static func map(
        _ function: String, _ use: @escaping @Sendable (ConfinedSubject) throws -> Void
    ) -> ConfinedEntry {
        ConfinedEntry("\(function) of Map 'Fixture_Holder.scores'", use)
    }

    private static func nested(
        _ function: String, _ type: String = "List",
        _ use: @escaping @Sendable (ConfinedSubject) throws -> Void
    ) -> ConfinedEntry {
        ConfinedEntry("\(function) of \(type) in 'Fixture_Holder.any'", use)
    }

    private static let nested: [String: ConfinedEntry] = [
        "object.any": .init("Reading 'Fixture_Holder.any'") { _ = $0.holder.any },
        "object.any =": .init("Writing 'Fixture_Holder.any'") { $0.holder.any = .none },
        "nested list.count": nested("count") { _ = $0.nestedList.count },
        "nested list[0]": nested("subscript") { _ = $0.nestedList[0] },
        "nested list[0] =": nested("subscript") { $0.nestedList[0] = .none },
        "nested list.makeIterator": nested("reading") { _ = $0.nestedList.makeIterator() },
        "nested list.index(of:)": nested("index(of:)") { _ = $0.nestedList.index(of: .int(1)) },
        "nested list.append": nested("append(_:)") { $0.nestedList.append(.none) },
        "nested list.insert": nested("insert(_:at:)") { $0.nestedList.insert(.none, at: 0) },
        "nested list.remove": nested("remove(at:)") { $0.nestedList.remove(at: 0) },
        "nested list.filter": nested("filter") { _ = $0.nestedList.filter("TRUEPREDICATE") },
        "list.filter": .init("filter of List 'Fixture_Holder.dogs'") {
            _ = $0.dogs.filter("age == 0")
        },
        "list.index(matching: string)": .init("index(matching:) of List 'Fixture_Holder.dogs'") {
            _ = $0.dogs.index(matching: "age == 0")
        },
        "nested list.sorted": nested("sorted(by:)") { _ = $0.nestedList.sorted() },
        "nested list.removeAll": nested("removeAll()") { $0.nestedList.removeAll() },
        "nested list.replaceSubrange": nested("replaceSubrange(_:with:)") {
            $0.nestedList.replaceSubrange(0..<1, with: [.none])
        },
        "nested list.move": nested("move(from:to:)") { $0.nestedList.move(from: 0, to: 1) },
        "nested list.swapAt": nested("swapAt(_:_:)") { $0.nestedList.swapAt(0, 1) },
        "nested list.isInvalidated": nested("isInvalidated") { _ = $0.nestedList.isInvalidated },
        "nested list.freeze": nested("freeze()") { _ = $0.nestedList.freeze() },
        "nested list.thaw": nested("thaw()") { _ = $0.nestedList.thaw() },
        "nested list in a value": nested("reading") {
            _ = $0.nestedList == makeList([AnyRealmValue.none])
        },
        "nested map.count": nested("count", "Map") { _ = $0.nestedMap.count },
        "nested map[k]": nested("subscript", "Map") { _ = $0.nestedMap["k"] },
        "nested map[k] =": nested("updateValue(_:forKey:)", "Map") { $0.nestedMap["k"] = .int(1) },
        "nested map.removeObject": nested("removeObject(for:)", "Map") {
            $0.nestedMap.removeObject(for: "k")
        },
        "nested map.removeAll": nested("removeAll()", "Map") { $0.nestedMap.removeAll() },
        "nested map.keys": nested("reading", "Map") { _ = $0.nestedMap.keys },
        "nested map.freeze": nested("freeze()", "Map") { _ = $0.nestedMap.freeze() },
        "nested map.thaw": nested("thaw()", "Map") { _ = $0.nestedMap.thaw() },
        "nested map.isInvalidated": nested("isInvalidated", "Map") {
            _ = $0.nestedMap.isInvalidated
        },
    ]

    private static let sections: [String: ConfinedEntry] = [
        "results.sectioned": .init("sorted(by:) of Results<Fixture_Person>") {
            _ = $0.people.sectioned(by: \.age)
        },
        "results.limit": .init("limit(_:) of Results<Fixture_Person>") { _ = $0.people.limit(1) },
        "results.offset": .init("offset(_:) of Results<Fixture_Person>") {
            _ = $0.people.offset(1)
        },
        "results.distinct(by:)": .init("distinct(by:) of Results<Fixture_Person>") {
            _ = $0.people.distinct(by: ["age"])
        },
        "results.explain": .init("explain(running:) of Results<Fixture_Person>") {
            _ = $0.people.explain()
        },
        "list.limit": list("sorted(by:)") { _ = $0.numbers.limit(1) },
        "sections.allKeys": .init("allKeys of SectionedResults<Fixture_Person>") {
            _ = $0.sections.allKeys
        },
        "sections.count": .init("count of SectionedResults<Fixture_Person>") {
            _ = $0.sections.count
        },
        "sections[0]": .init("subscript of SectionedResults<Fixture_Person>") {
            _ = $0.sections[0]
        },
        "sections[path]": .init("subscript of SectionedResults<Fixture_Person>") {
            _ = $0.sections[IndexPath(item: 0, section: 0)]
        },
        "sections.makeIterator": .init("iteration of SectionedResults<Fixture_Person>") {
            _ = $0.sections.makeIterator()
        },
        "sections.description": .init("count of SectionedResults<Fixture_Person>") {
            _ = $0.sections.description
        },
        "sections.isInvalidated": .init("isInvalidated of Results<Person>") {
            _ = $0.sections.isInvalidated
        },
        "sections.freeze": .init("freeze() of SectionedResults<Fixture_Person>") {
            _ = $0.sections.freeze()
        },
        "sections.thaw": .init("thaw() of SectionedResults<Fixture_Person>") {
            _ = $0.sections.thaw()
        },
        "ThreadSafeReference(sections)": .init(
            "ThreadSafeReference(to:) of SectionedResults<Int, Person>"
        ) { _ = ThreadSafeReference(to: $0.sections) },
        "section.count": .init("count of ResultsSection<Fixture_Person>") { _ = $0.section.count },
        "section[0]": .init("subscript of ResultsSection<Fixture_Person>") { _ = $0.section[0] },
        "section.makeIterator": .init("iteration of ResultsSection<Fixture_Person>") {
            _ = $0.section.makeIterator()
        },
        "section.isInvalidated": .init("isInvalidated of Results<Person>") {
            _ = $0.section.isInvalidated
        },
        "section.freeze": .init("freeze() of ResultsSection<Fixture_Person>") {
            _ = $0.section.freeze()
        },
        "section.thaw": .init("thaw() of ResultsSection<Fixture_Person>") { _ = $0.section.thaw() },
    ]

    private static func values(
        _ function: String, _ use: @escaping @Sendable (ConfinedSubject) throws -> Void
    ) -> ConfinedEntry {
        ConfinedEntry("\(function) of Results<int>", use)
    }

    private static let values: [String: ConfinedEntry] = [
        "list.sorted": list("sorted(by:)") { _ = $0.numbers.sorted() },
        "list.distinct": list("distinct()") { _ = $0.numbers.distinct() },
        "set.distinct": set("distinct()") { _ = $0.tags.distinct() },
        "map.distinct": map("distinct()") { _ = $0.scores.distinct() },
        "values.count": values("count") { _ = $0.sortedNumbers.count },
        "values.isEmpty": values("isEmpty") { _ = $0.sortedNumbers.isEmpty },
        "values[0]": values("subscript") { _ = $0.sortedNumbers[0] },
        "values.first": values("first") { _ = $0.sortedNumbers.first },
        "values.last": values("last") { _ = $0.sortedNumbers.last },
        "values.makeIterator": values("iteration") { _ = $0.sortedNumbers.makeIterator() },
        "values.index(of:)": values("index(of:)") { _ = $0.sortedNumbers.index(of: 1) },
        "values.objects(at:)": values("objects(at:)") { _ = $0.sortedNumbers.objects(at: [0]) },
        "values.sorted": values("sorted(by:)") { _ = $0.sortedNumbers.sorted() },
        "values.distinct": values("distinct()") { _ = $0.sortedNumbers.distinct() },
        "values.min": values("min(ofProperty:)") { _ = $0.sortedNumbers.min() as Int? },
        "values.sum": values("sum(ofProperty:)") { _ = $0.sortedNumbers.sum() as Int },
        "values.value(forKey:)": values("value(forKey:)") {
            _ = $0.sortedNumbers.value(forKey: "self")
        },
        "values.value(forKeyPath:)": values("count") {
            _ = $0.sortedNumbers.value(forKeyPath: "@count")
        },
        "values.description": values("description") { _ = $0.sortedNumbers.description },
        "values.freeze": values("freeze()") { _ = $0.sortedNumbers.freeze() },
        "values.thaw": values("thaw()") { _ = $0.sortedNumbers.thaw() },
        "ThreadSafeReference(values)": .init("ThreadSafeReference(to:) of Results<Int>") {
            _ = ThreadSafeReference(to: $0.sortedNumbers)
        },
    ]

    private static let lists: [String: ConfinedEntry] = [
        "object.list": .init("Reading 'Fixture_Holder.numbers'") { _ = $0.holder.numbers },
        "object.list =": .init("Reading 'Fixture_Holder.numbers'") {
            $0.holder.numbers = List<Int>()
        },
        "list.count": list("count") { _ = $0.numbers.count },
        "list[0]": list("subscript") { _ = $0.numbers[0] },
        "list[0] =": list("subscript") { $0.numbers[0] = 3 },
        "list.first": list("count") { _ = $0.numbers.first },
        "list.last": list("count") { _ = $0.numbers.last },
        "list.makeIterator": list("iteration") { _ = $0.numbers.makeIterator() },
        "list iterator.next": list("iteration") {
            var iterator = $0.numberIterator
            _ = iterator.next()
        },
        "list of objects": .init("iteration of List 'Fixture_Holder.dogs'") {
            _ = $0.dogs.makeIterator()
        },
        "list.index(of:)": list("index(of:)") { _ = $0.numbers.index(of: 1) },
        "list.objects(at:)": list("count") { _ = $0.numbers.objects(at: [0]) },
        "list.append": list("append(_:)") { $0.numbers.append(1) },
        "list.append(objectsIn:)": list("count") { $0.numbers.append(objectsIn: [1]) },
        "list.insert": list("insert(_:at:)") { $0.numbers.insert(1, at: 0) },
        "list.remove": list("remove(at:)") { $0.numbers.remove(at: 0) },
        "list.removeAll": list("removeAll()") { $0.numbers.removeAll() },
        "list.replaceSubrange": list("replaceSubrange(_:with:)") {
            $0.numbers.replaceSubrange(0..<1, with: [1])
        },
        "list.move": list("move(from:to:)") { $0.numbers.move(from: 0, to: 1) },
        "list.swapAt": list("swapAt(_:_:)") { $0.numbers.swapAt(0, 1) },
        "list.min": list("count") { _ = $0.numbers.min() as Int? },
        "list.value(forKeyPath:)": list("count") { _ = $0.numbers.value(forKeyPath: "@count") },
        "list.description": list("count") { _ = $0.numbers.description },
        "list.isInvalidated": list("isInvalidated") { _ = $0.numbers.isInvalidated },
        "list.freeze": list("freeze()") { _ = $0.numbers.freeze() },
        "list.thaw": list("thaw()") { _ = $0.numbers.thaw() },
        "ThreadSafeReference(list)": .init("ThreadSafeReference(to:) of List<Int>") {
            _ = ThreadSafeReference(to: $0.numbers)
        },
    ]

    private static let sets: [String: ConfinedEntry] = [
        "set.count": set("count") { _ = $0.tags.count },
        "set[0]": set("subscript") { _ = $0.tags[0] },
        "set.contains": set("contains(_:)") { _ = $0.tags.contains("a") },
        "set.insert": set("insert(_:)") { $0.tags.insert("b") },
        "set.remove": set("remove(_:)") { $0.tags.remove("a") },
        "set.removeAll": set("removeAll()") { $0.tags.removeAll() },
        "set.makeIterator": set("iteration") { _ = $0.tags.makeIterator() },
        "set.isSubset": set("count") { _ = $0.tags.isSubset(of: MutableSet<String>()) },
        "set.freeze": set("freeze()") { _ = $0.tags.freeze() },
        "set.thaw": set("thaw()") { _ = $0.tags.thaw() },
        "set.isInvalidated": set("isInvalidated") { _ = $0.tags.isInvalidated },
        "set.description": set("count") { _ = $0.tags.description },
    ]

    private static let maps: [String: ConfinedEntry] = [
        "map.count": map("count") { _ = $0.scores.count },
        "map[key]": map("subscript") { _ = $0.scores["a"] },
        "map[key] =": map("updateValue(_:forKey:)") { $0.scores["a"] = 2 },
        "map.removeObject": map("removeObject(for:)") { $0.scores.removeObject(for: "a") },
        "map.removeAll": map("removeAll()") { $0.scores.removeAll() },
        "map.keys": map("reading") { _ = $0.scores.keys },
        "map.values": map("reading") { _ = $0.scores.values },
        "map.makeIterator": map("reading") { _ = $0.scores.makeIterator() },
        "map.value(forKey:)": map("subscript") { _ = $0.scores.value(forKey: "a") },
        "map.value(forKeyPath:)": map("count") { _ = $0.scores.value(forKeyPath: "@count") },
        "map.setValue": map("updateValue(_:forKey:)") { $0.scores.setValue(2, forKey: "a") },
        "map.freeze": map("freeze()") { _ = $0.scores.freeze() },
        "map.thaw": map("thaw()") { _ = $0.scores.thaw() },
        "map.isInvalidated": map("isInvalidated") { _ = $0.scores.isInvalidated },
        "map.description": map("count") { _ = $0.scores.description },
    ]
}
