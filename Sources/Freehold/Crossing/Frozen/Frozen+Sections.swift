/// Members of frozen sections. Generic extensions decide whether the value has elements or
/// sections.
extension Frozen {
    /// The keys of all sections, in their order. O(elements) the first time, then O(1).
    public func allKeys<Key: Sendable, Element>() -> [Key]
    where Value == SectionedResults<Key, Element> { value.allKeys }

    /// The sections in their order, frozen. O(elements) the first time, then O(sections).
    public func sections<Key, Element>() -> [Frozen<ResultsSection<Key, Element>>]
    where Value == SectionedResults<Key, Element> {
        value.map { Frozen<ResultsSection<Key, Element>>(frozen: $0) }
    }

    /// The key of the section.
    public func key<Key: Sendable, Element>() -> Key where Value == ResultsSection<Key, Element> {
        value.key
    }

    /// The objects of the section in their order, frozen. O(elements).
    public func objects<Key, Element: ObjectBase & ThreadConfined>() -> [Frozen<Element>]
    where Value == ResultsSection<Key, Element> {
        value.indices.map { Frozen<Element>(frozen: value[$0]) }
    }

    /// The values of the section in their order. O(elements).
    public func values<Key, Element: Sendable>() -> [Element]
    where Value == ResultsSection<Key, Element> { Array(value) }
}
