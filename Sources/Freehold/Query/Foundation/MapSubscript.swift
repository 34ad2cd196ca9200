public import Foundation

extension PredicateExpressions {
    /// The value of a key in a map: `$0.scores["chess"]` in a `#Predicate`.
    public struct MapSubscript<
        Wrapped: Foundation.PredicateExpression, Key: Foundation.PredicateExpression,
        Value: RealmCollectionValue
    >: Foundation.PredicateExpression
    where Key.Output: _MapKey, Wrapped.Output == Map<Key.Output, Value> {
        /// The expression of the map.
        public let wrapped: Wrapped
        /// The expression of the key. The database accepts only a constant.
        public let key: Key

        /// Makes the subscript of a map by a key.
        public init(wrapped: Wrapped, key: Key) {
            self.wrapped = wrapped
            self.key = key
        }

        /// Returns the value; nil if the map does not have the key.
        ///
        /// - Throws: What evaluating the map and the key throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Value? {
            try wrapped.evaluate(bindings)[try key.evaluate(bindings)]
        }
    }

    /// Builds the expression for a subscript of a map. The `#Predicate` macro calls this.
    public static func build_subscript<Wrapped, Key, Value>(_ wrapped: Wrapped, _ key: Key)
        -> MapSubscript<Wrapped, Key, Value> where Wrapped.Output == Map<Key.Output, Value>
    { MapSubscript(wrapped: wrapped, key: key) }
}

extension PredicateExpressions.MapSubscript: Sendable where Wrapped: Sendable, Key: Sendable {}
extension PredicateExpressions.MapSubscript: Encodable where Wrapped: Encodable, Key: Encodable {}
extension PredicateExpressions.MapSubscript: Decodable where Wrapped: Decodable, Key: Decodable {}
extension PredicateExpressions.MapSubscript: StandardPredicateExpression
where Wrapped: StandardPredicateExpression, Key: StandardPredicateExpression {}

extension PredicateExpressions.MapSubscript: LowerableExpression {
    func lowered(in lowering: FoundationPredicateLowering) throws(FoundationPredicateError)
        -> LoweredExpression
    {
        guard case .constant(let key) = try lowering.lower(key),
            let key = typed(key, as: Key.Output.self)
        else { throw .unsupported(Self.self, "whose key is not constant.") }
        // Foundation distinguishes a missing key from one whose value is nil.
        if Value.self is any OptionalProtocol.Type {
            throw .unsupported(Self.self, "of a map whose values may be nil.")
        }
        guard case .value(.keyPath(let steps)) = try lowering.lower(wrapped) else {
            throw .unsupported(Self.self, "of something that is no property.")
        }
        return .value(.keyPath(steps + [.key(key._rlmMapKey)]))
    }
}
