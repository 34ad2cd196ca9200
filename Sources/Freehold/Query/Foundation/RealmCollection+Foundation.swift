public import Foundation
import FreeholdStorage

// Foundation's own predicates and orders. They are lowered when they are passed, so unsupported
// ones throw there; they are evaluated when the collection is used.

extension RealmCollection where Element: ObjectBase {
    /// Returns the objects that satisfy a Foundation predicate, as a live collection in the same
    /// order.
    ///
    ///     let puppies = try realm.objects(Dog.self)
    ///         .filter(#Predicate<Dog> { $0.age < 2 && $0.name.starts(with: "R") })
    ///
    /// O(size of the predicate). The database evaluates it, as it does `where`; no objects are
    /// made. The result is that of the predicate's `evaluate`, with three exceptions:
    /// - Texts are compared by their code points, not by canonical equivalence.
    /// - Texts are searched by code points, not by characters.
    /// - A nil value that `!` unwraps stays nil, where Foundation throws.
    ///
    /// The predicate can contain:
    /// - persisted properties, also over optional links (`?.`), values, and other predicates;
    /// - `==`, `<` and so on, `&&`, `||`, `!`, `??`, `? :`, `if let`, `flatMap`;
    /// - `contains` of arrays, ranges, texts and collections, `starts(with:)`;
    /// - `contains(where:)`, `allSatisfy`, `filter { … }`, `count`, `isEmpty`, `min()`, `max()`
    ///   of collections;
    /// - subscripts, `keys` and `values` of maps; `rawValue` of enums.
    ///
    /// Foundation evaluates the parts that depend on no object, for example arithmetic.
    ///
    /// - Throws: ``FoundationPredicateError`` with the name of the sub-expression that the
    ///   database cannot evaluate.
    /// - Note: Traps for collections that no realm manages, and off the realm's thread, queue
    ///   or actor.
    public func filter(_ predicate: Foundation.Predicate<Element>) throws(FoundationPredicateError)
        -> Results<Element>
    {
        let all = inOwnOrder("filter(_:)")
        return Results(
            core: all.core, state: all.state.filtered(by: try all.state.lowered(predicate)))
    }

    /// Returns the position of the first object that satisfies a Foundation predicate, nil if
    /// none does.
    ///
    /// - Throws: As ``filter(_:)``.
    public func index(matching predicate: Foundation.Predicate<Element>)
        throws(FoundationPredicateError) -> Int?
    {
        let all = inOwnOrder("index(matching:)")
        return all.state.index(matching: try all.state.lowered(predicate))
    }

    /// Returns the objects in the order of a Foundation descriptor, as a live collection:
    /// `try dogs.sorted(using: SortDescriptor(\.age, order: .reverse))`.
    ///
    /// The rules are those for several descriptors.
    ///
    /// - Throws: ``FoundationPredicateError`` if the descriptor does not use a persisted property,
    ///   or its order is not that of the stored values.
    public func sorted(using descriptor: Foundation.SortDescriptor<Element>)
        throws(FoundationPredicateError) -> Results<Element>
    { try sorted(using: CollectionOfOne(descriptor)) }

    /// Returns the objects in the order of Foundation descriptors, as a live collection.
    ///
    ///     let byAge = try realm.objects(Dog.self).sorted(using: [
    ///         SortDescriptor(\.age, order: .reverse), SortDescriptor(\.owner?.name),
    ///     ])
    ///
    /// O(1); sorted when it is used. In ascending order, nil comes first, whether the value or a
    /// link on the path is nil. Texts are in the order of their code points.
    ///
    /// - Throws: ``FoundationPredicateError`` if a descriptor does not use a persisted property,
    ///   or its order is not that of the stored values.
    public func sorted<Descriptors: Sequence>(using descriptors: Descriptors)
        throws(FoundationPredicateError) -> Results<Element>
    where Descriptors.Element == Foundation.SortDescriptor<Element> {
        var lowered: [SortDescriptor] = []
        for descriptor in descriptors { lowered.append(try SortDescriptor(lowering: descriptor)) }
        let all = inOwnOrder("sorted(using:)")
        // Foundation treats a key path over a nil link like one to a nil value.
        return Results(
            core: all.core, state: all.state.objectsSorted(by: lowered, nullLinks: .areNulls))
    }
}

extension Results where Element: ObjectBase {
    /// Returns the objects that satisfy a Foundation predicate, as a live collection in the same
    /// order. The rules are those of all collections.
    ///
    /// - Throws: ``FoundationPredicateError`` with the name of the sub-expression that the
    ///   database cannot evaluate.
    public func filter(_ predicate: Foundation.Predicate<Element>) throws(FoundationPredicateError)
        -> Results<Element>
    {
        state.check("filter(_:)")
        return Results(core: core, state: state.filtered(by: try state.lowered(predicate)))
    }
}

extension SortDescriptor {
    init<Element: ObjectBase>(lowering descriptor: Foundation.SortDescriptor<Element>)
        throws(FoundationPredicateError)
    {
        guard let keyPath = descriptor.keyPath else {
            throw .unsupportedOrder("something other than a key path")
        }
        if let comparator = descriptor.stringComparator, comparator != .lexical {
            throw .unsupportedOrder("texts with a comparator other than 'lexical'")
        }
        let names = PropertyKeyPath.names(of: keyPath, from: Element.self)
        if names.isEmpty {
            throw .unsupportedOrder("'\(keyPath)', which does not lead to a persisted property")
        }
        let type = Swift.type(of: keyPath).valueType
        if let type = type as? any PersistableEnum.Type
            ?? (type as? any OptionalProtocol.Type)?.wrappedOrderedEnum, !type.isInOrderOfRawValues
        {
            throw .unsupportedOrder(
                "'\(keyPath)', an enum with an order other than its raw values'")
        }
        self.init(keyPath: names.joined(separator: "."), ascending: descriptor.order == .forward)
    }
}

extension OptionalProtocol {
    fileprivate static var wrappedOrderedEnum: (any PersistableEnum.Type)? {
        Wrapped.self as? any PersistableEnum.Type
    }
}

extension PersistableEnum {
    fileprivate static var isInOrderOfRawValues: Bool {
        allCases.allSatisfy { a in allCases.allSatisfy { b in (a < b) == (a.rawValue < b.rawValue) }
        }
    }
}

extension ResultsState {
    fileprivate func lowered<Element>(_ predicate: Foundation.Predicate<Element>)
        throws(FoundationPredicateError) -> ScanPredicate
    {
        if let known = binding.quickly(predicate.expression) { return known }
        let node = try FoundationPredicateLowering.condition(predicate)
        do throws(QueryError) {
            return try PredicateLowering(binding: binding).condition(node.checkedForDepth())
        } catch {
            throw .mismatch(error)
        }
    }
}
