// Operations on collections of values that are not objects: they sort and aggregate the elements
// themselves.

extension RealmCollection where Element.PersistedType: SortableType {
    /// The elements in order, as a live collection. Traps for collections that no realm manages.
    public func sorted(ascending: Bool = true) -> Results<Element> {
        sorted(byKeyPath: "self", ascending: ascending)
    }
}

extension RealmCollection where Element.PersistedType: MinMaxType {
    /// The smallest element; nil without elements. O(count).
    public func min() -> Element? { min(ofProperty: "self") }

    /// The greatest element; nil without elements. O(count).
    public func max() -> Element? { max(ofProperty: "self") }
}

extension RealmCollection
where
    Element: OptionalProtocol, Element.PersistedType: MinMaxType,
    Element.Wrapped: _HasPersistedType, Element.Wrapped.PersistedType: MinMaxType
{
    /// The smallest element that is not nil; nil without such elements. O(count).
    public func min() -> Element.Wrapped? { min(ofProperty: "self") }

    /// The greatest element that is not nil; nil without such elements. O(count).
    public func max() -> Element.Wrapped? { max(ofProperty: "self") }
}

extension RealmCollection where Element.PersistedType: AddableType {
    /// The sum of the elements; 0 without elements. O(count). Traps if the sum does not fit.
    public func sum() -> Element { sum(ofProperty: "self") }

    /// Returns the mean of the elements; nil without elements. O(count).
    ///
    /// The mean is truncated if `T` is an integer type; for the fraction, ask for a `Double`.
    public func average<T: _HasPersistedType>() -> T? where T.PersistedType: AddableType {
        average(ofProperty: "self")
    }
}

extension RealmCollection
where
    Element: OptionalProtocol, Element.PersistedType: AddableType,
    Element.Wrapped: _HasPersistedType, Element.Wrapped.PersistedType: AddableType
{
    /// The sum of the elements that are not nil; 0 without such elements. O(count). Traps if
    /// the sum does not fit.
    public func sum() -> Element.Wrapped { sum(ofProperty: "self") }
}
