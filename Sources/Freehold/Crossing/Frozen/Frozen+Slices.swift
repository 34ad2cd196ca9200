extension Frozen where Value: RealmCollection, Value.Element: ObjectBase & ThreadConfined {
    /// The first objects, in the same version and order; see `Results`.
    public func limit(_ count: Int) -> Frozen<Results<Value.Element>> {
        Frozen<Results<Value.Element>>(frozen: value.limit(count))
    }

    /// Returns all objects except the first ones, in the same version and order; see `Results`.
    public func offset(_ count: Int) -> Frozen<Results<Value.Element>> {
        Frozen<Results<Value.Element>>(frozen: value.offset(count))
    }

    /// The objects that differ in some properties, in the same version and order; see `Results`.
    public func distinct<KeyPaths: Sequence>(by keyPaths: KeyPaths) -> Frozen<
        Results<Value.Element>
    > where KeyPaths.Element == String {
        Frozen<Results<Value.Element>>(frozen: value.distinct(by: keyPaths))
    }
}
