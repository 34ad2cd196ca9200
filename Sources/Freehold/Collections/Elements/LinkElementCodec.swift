import FreeholdStorage

/// Elements that are objects, or in a map optionals of objects.
struct LinkElementCodec<Element: RealmCollectionValue>: ElementCodec {
    let object: ObjectBase.Type
    let isOptional: Bool
    /// Whether the elements are embedded objects.
    let isOwning: Bool

    init(object: ObjectBase.Type, isOptional: Bool) {
        self.object = object
        self.isOptional = isOptional
        isOwning = object is EmbeddedObject.Type
    }

    var type: PropertyType { .object }
    var columnType: ColumnType? { .link }
    var target: ObjectBase.Type? { object }

    /// Accepts objects of exactly the class, and literals for new ones.
    func converted(from value: Any?) throws(InvalidValueError) -> Element? {
        guard let value = flattened(value) else { return (Element.self as? any ExpressibleByNilLiteral.Type).flatMap { $0.init(nilLiteral: ()) as? Element } }
        return try LinkCodec(target: object, isOptional: true).linked(from: value) as? Element
    }

    func persisted(_ element: Element) -> Any? { flattened(element) }
}
