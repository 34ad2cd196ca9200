import Foundation
import FreeholdStorage

extension CollectionKind {
    /// Traps if a position is outside of `0 ..< count`.
    func check(_ indexes: IndexSet, count: Int) {
        guard let last = indexes.last, last >= count else { return }
        misuse(
            "Indexes for collection are out of bounds.",
            remedy: "The \(className) has \(count) elements; the index set contains \(last).")
    }

    /// Returns the values of a property of all elements as an array; for a set, without
    /// duplicates.
    func values<Elements: Sequence>(forKey key: String, of elements: Elements) -> Any? {
        let values =
            key == "self"
            ? elements.map { held($0) }
            : elements.map { object($0, forKey: key).value(forKey: key) }
        guard self == .set else { return values }
        return Set(
            values.map { flattened($0).flatMap { $0 as? AnyHashable } ?? AnyHashable(NSNull()) })
    }

    /// Returns an element without its static type: for an ``AnyRealmValue``, the value that it
    /// holds.
    private func held<Element>(_ element: Element) -> Any? {
        (element as? AnyRealmValue).map { $0.held } ?? element
    }

    /// Sets a property of all elements.
    func setValue<Elements: Sequence>(_ value: Any?, forKey key: String, of elements: Elements) {
        for element in elements { object(element, forKey: key).setValue(value, forKey: key) }
    }

    private func object(_ element: Any, forKey key: String) -> ObjectBase {
        if let object = element as? ObjectBase { return object }
        if let value = element as? any _MappedPersistable,
            let object = value._rlmPersisted as? ObjectBase
        {
            return object
        }
        misuse(
            "Invalid property name '\(key)' for elements of type '\(type(of: element))'.",
            remedy: "The elements of this \(className) are not objects. Use 'self' as the key path."
        )
    }

    /// Converts a value that the caller passed without a static type to an element. Traps if it
    /// does not fit.
    func convertedElement<Element: RealmCollectionValue>(_ value: Any?) -> Element {
        do throws(InvalidValueError) {
            if let element = try Element.elementCodec.converted(from: value) { return element }
        } catch {
            misuse(error.message, remedy: "Pass a value of the elements' type.")
        }
        let shown = ShownValue(value)
        let codec = Element.elementCodec
        misuse(
            """
            Invalid value '\(shown.text)' of type '\(shown.type)' for expected \
            type '\(codec.typeText)\(codec.isOptional ? "?" : "")'.
            """, remedy: "Pass a value of the elements' type.")
    }
}
