/// A property that affects the deletion of an object.
struct Relationship: Sendable {
    /// The ordinal of the property.
    let ordinal: Int
    let target: ObjectBase.Type
    /// Cascade or deny; embedded objects cascade.
    let rule: DeleteRule

    /// Nil for properties without links, and for links whose targets stay.
    init?(_ property: PropertyDescriptor) {
        guard let target = property.objectType else { return nil }
        let rule = property.isOwning ? .cascade : property.deleteRule
        if rule == .nullify { return nil }
        ordinal = property.ordinal
        self.target = target
        self.rule = rule
    }
}
