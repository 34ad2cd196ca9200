import Foundation

extension PredicateExpressions.KeyPath: LowerableExpression {
    func lowered(in lowering: FoundationPredicateLowering) throws(FoundationPredicateError)
        -> LoweredExpression
    {
        try lowering.lower(root).mapValues(Self.self) { root throws(FoundationPredicateError) in
            switch root {
            case .value(.keyPath(let steps)): return try member(of: steps)
            case .elements(let elements): return try member(of: elements)
            case .constant(let value):
                guard let value = typed(value, as: Root.Output.self) else {
                    throw refusal("of nil.")
                }
                return .constant(
                    flattened(value[keyPath: keyPath as Swift.KeyPath<Root.Output, Output>]))
            default: throw refusal("of something that is no property.")
            }
        }
    }

    /// Lowers a property of an object, or a member of a collection, a text or an enum.
    private func member(of steps: [PredicateStep]) throws(FoundationPredicateError)
        -> LoweredExpression
    {
        if let type = Root.Output.self as? ObjectBase.Type {
            guard let name = PropertyKeyPath.name(of: keyPath, from: type) else {
                throw refusal("which does not lead to a persisted property.")
            }
            return .value(.keyPath(steps + [.property(name)]))
        }
        if let type = Root.Output.self as? any PersistableEnum.Type, isRawValue(of: type) {
            return .value(.keyPath(steps))
        }
        if let type = Root.Output.self as? any CollectionKeyPaths.Type {
            if keyPath == type.countKeyPath {
                return .value(.keyPath(steps + [.operation(.count)]))
            }
            if keyPath == type.isEmptyKeyPath {
                return .condition(
                    .comparing(.keyPath(steps + [.operation(.count)]), .equal, .constant(.int(0))))
            }
            if keyPath == type.keysKeyPath {
                return .elements(LoweredCollection(steps: steps + [.operation(.allKeys)]))
            }
            if keyPath == type.valuesKeyPath {
                return .elements(LoweredCollection(steps: steps + [.operation(.allValues)]))
            }
        }
        if keyPath == \String.isEmpty {
            return .condition(.comparing(.keyPath(steps), .equal, .constant(.string(""))))
        }
        if keyPath == \Data.isEmpty {
            return .condition(.comparing(.keyPath(steps), .equal, .constant(.data(Data()))))
        }
        throw refusal()
    }

    private func member(of elements: LoweredCollection) throws(FoundationPredicateError)
        -> LoweredExpression
    {
        var elements = elements
        // A map has as many keys as entries, but the database counts only entries.
        if elements.isAll, elements.steps.last == .operation(.allKeys) {
            elements.steps.removeLast()
        }
        switch kind {
        case .collectionCount: return .value(elements.count)
        case .collectionIsEmpty:
            return .condition(.comparing(elements.count, .equal, .constant(.int(0))))
        default: throw refusal()
        }
    }

    private func refusal(_ why: String = "which the database cannot evaluate.")
        -> FoundationPredicateError
    { .unsupported("KeyPath \(text)", why) }

    /// The key path for messages: "Dog.age". Key paths of other modules have addresses in their
    /// descriptions; for those, the types.
    private var text: String {
        switch kind {
        case .collectionCount: return "\(Root.Output.self).count"
        case .collectionIsEmpty: return "\(Root.Output.self).isEmpty"
        case .collectionFirst: return "\(Root.Output.self).first"
        case .bidirectionalCollectionLast: return "\(Root.Output.self).last"
        default:
            let text = "\(keyPath)"
            return text.contains("<computed")
                ? "from \(Root.Output.self) to \(Output.self)" : String(text.dropFirst())
        }
    }

    /// Whether the key path gives each case its raw value. Comparing key paths does not work: the
    /// one of a protocol requirement differs from the one of its implementation.
    private func isRawValue<Enum: PersistableEnum>(of type: Enum.Type) -> Bool {
        type.allCases.allSatisfy { value in
            guard let found = (value as Any)[keyPath: keyPath as AnyKeyPath] as? Enum.RawValue
            else { return false }
            return found == value.rawValue
        }
    }
}

/// A collection with key paths that Foundation has no kind for.
private protocol CollectionKeyPaths {
    static var countKeyPath: AnyKeyPath { get }
    static var isEmptyKeyPath: AnyKeyPath? { get }
    static var keysKeyPath: AnyKeyPath? { get }
    static var valuesKeyPath: AnyKeyPath? { get }
}

extension CollectionKeyPaths {
    fileprivate static var keysKeyPath: AnyKeyPath? { nil }
    fileprivate static var valuesKeyPath: AnyKeyPath? { nil }
}

extension List: CollectionKeyPaths {
    fileprivate static var countKeyPath: AnyKeyPath { \List.count }
    fileprivate static var isEmptyKeyPath: AnyKeyPath? { \List.isEmpty }
}

extension MutableSet: CollectionKeyPaths {
    fileprivate static var countKeyPath: AnyKeyPath { \MutableSet.count }
    fileprivate static var isEmptyKeyPath: AnyKeyPath? { \MutableSet.isEmpty }
}

extension LinkingObjects: CollectionKeyPaths {
    fileprivate static var countKeyPath: AnyKeyPath { \LinkingObjects.count }
    fileprivate static var isEmptyKeyPath: AnyKeyPath? { \LinkingObjects.isEmpty }
}

extension Map: CollectionKeyPaths {
    fileprivate static var countKeyPath: AnyKeyPath { \Map.count }
    fileprivate static var isEmptyKeyPath: AnyKeyPath? { nil }
    fileprivate static var keysKeyPath: AnyKeyPath? { \Map.keys }
    fileprivate static var valuesKeyPath: AnyKeyPath? { \Map.values }
}
