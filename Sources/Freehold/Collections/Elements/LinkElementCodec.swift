import FreeholdStorage

/// Elements that are objects, or in a map optionals of objects.
struct LinkElementCodec<Element: RealmCollectionValue>: ElementCodec {
    let object: ObjectBase.Type
    let isOptional: Bool
    /// Whether the elements are embedded objects.
    let isOwning: Bool
    /// Whether the elements are ``DynamicObject``s, all of the class `object`.
    let isDynamic: Bool

    init(object: ObjectBase.Type, isOptional: Bool, isDynamic: Bool = false) {
        self.object = object
        self.isOptional = isOptional
        self.isDynamic = isDynamic
        isOwning = object is EmbeddedObject.Type
    }

    var type: PropertyType { .object }
    var columnType: ColumnType? { .link }
    var target: ObjectBase.Type? { object }
    var reference: ClassReference? { ClassReference(type: object, isDynamic: isDynamic) }

    /// Accepts objects of exactly the class, and literals for new ones.
    func converted(from value: Any?) throws(InvalidValueError) -> Element? {
        guard let value = flattened(value) else {
            return (Element.self as? any ExpressibleByNilLiteral.Type).flatMap {
                $0.init(nilLiteral: ()) as? Element
            }
        }
        // A nil result would be taken as the null of an optional element.
        guard let linked = try LinkCodec(target: object, isOptional: true).linked(from: value)
        else { return nil }
        // A literal's object is in no realm yet, so it has no dynamic form.
        return (isDynamic ? linked.dynamic : linked) as? Element
    }

    func persisted(_ element: Element) -> Any? { flattened(element) }
}
