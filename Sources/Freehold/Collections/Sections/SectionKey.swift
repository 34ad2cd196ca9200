/// Gives the section key of an element. Valid in every realm of the file.
final class SectionKey<Key, Element>: @unchecked Sendable {
    // @unchecked: `key` is a Sendable function, or applies a key path of persisted properties,
    // which captures nothing.
    private let key: (Element) -> Key

    init(_ key: @escaping @Sendable (Element) -> Key) { self.key = key }

    /// - Parameter keyPath: A key path of persisted properties.
    init(_ keyPath: KeyPath<Element, Key>) { key = { $0[keyPath: keyPath] } }

    func callAsFunction(_ element: Element) -> Key { key(element) }
}
