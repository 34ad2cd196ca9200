import FreeholdStorage

/// Elements that are values, in a collection whose static type says that they are dynamic
/// objects.
///
/// `dynamicList("ages")` gives such a list for a list of numbers, as in Realm. It can be counted,
/// emptied and observed; its elements cannot be read as objects.
struct ValueAsObjectElementCodec<Element: RealmCollectionValue>: ElementCodec {
    /// How the elements are stored.
    let values: AnyElementDescriptor
    let type: PropertyType

    var columnType: ColumnType? { values.kind.type }
    var isOptional: Bool { values.kind.isNullable }
    var typeText: String { values.typeText }

    func converted(from value: Any?) throws(InvalidValueError) -> Element? { nil }
    func persisted(_ element: Element) -> Any? { nil }

    func load(_ leaf: CollectionLeaf, _ row: Int, _ managed: ManagedCollection) -> Element {
        refuse(managed)
    }
    func store(_ element: Element, in row: MutableRow) { refuse(nil) }
    func resolved(_ element: Element, _ core: RealmCore) -> Element { refuse(nil) }

    /// Returns nil: no object is one of the values.
    func firstIndex(of element: Element, in leaf: CollectionLeaf, _ managed: ManagedCollection)
        -> Int?
    { nil }
    func find(_ element: Element, in elements: StoredCollection, _ core: RealmCore) -> (
        index: Int, isFound: Bool
    )? { nil }

    private func refuse(_ managed: ManagedCollection?) -> Never {
        let collection = managed.map { "'\($0.title)'" } ?? "the collection"
        misuse(
            "The elements of \(collection) are no objects but values of type '\(values.typeText)'.",
            remedy: """
                Read them with the name of the property: object["name"] as? List<Int>, \
                or as any type that it stores.
                """)
    }
}
