// Each form sorts the collection and groups its elements by a key. O(1): evaluated when the
// sections are used. All of them trap if there is no descriptor, if one does not lead to a
// property that can be sorted by, and for collections that no realm manages.

extension RealmCollection where Element: ObjectBase {
    /// Returns the objects in sections by a property, in its order.
    ///
    ///     let byAge = realm.objects(Dog.self).sectioned(by: \.age)
    public func sectioned<Key: _Persistable & Hashable>(
        by keyPath: KeyPath<Element, Key>, ascending: Bool = true
    ) -> SectionedResults<Key, Element> {
        checkSectionKey(Key.self)
        return sections(
            [SortDescriptor(keyPath: sectionName(keyPath), ascending: ascending)],
            SectionKey(keyPath))
    }

    /// Returns the objects in sections by a property, in an order of several properties. The
    /// first one must be the property of the sections.
    public func sectioned<Key: _Persistable & Hashable>(
        by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
    ) -> SectionedResults<Key, Element> {
        checkSectionKey(Key.self)
        checkSectionOrder(sortDescriptors, begins: sectionName(keyPath))
        return sections(sortDescriptors, SectionKey(keyPath))
    }

    private func sectionName(_ keyPath: PartialKeyPath<Element>) -> String {
        persistedName(KeyPathNames.names(of: keyPath, from: Element.self), keyPath)
    }
}

extension RealmCollection {
    /// Returns the objects in sections by a property of their projection, in its order.
    ///
    /// - Parameters:
    ///   - keyPath: The property of the projection.
    ///   - ascending: Whether the section of the smallest value comes first.
    public func sectioned<Key: _Persistable & Hashable, Root: _ProjectionRoot>(
        by keyPath: KeyPath<Element, Key>, ascending: Bool = true
    ) -> SectionedResults<Key, Element> where Element: Projection<Root> {
        checkSectionKey(Key.self)
        return sections(
            [SortDescriptor(keyPath: sectionName(keyPath), ascending: ascending)],
            SectionKey(keyPath))
    }

    /// Returns the objects in sections by a property of their projection, in an order of several
    /// properties of the object.
    ///
    /// - Parameters:
    ///   - keyPath: The property of the projection.
    ///   - sortDescriptors: The order. The first one must be the property of the sections.
    public func sectioned<Key: _Persistable & Hashable, Root: _ProjectionRoot>(
        by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
    ) -> SectionedResults<Key, Element> where Element: Projection<Root> {
        checkSectionKey(Key.self)
        checkSectionOrder(sortDescriptors, begins: sectionName(keyPath))
        return sections(sortDescriptors, SectionKey(keyPath))
    }

    private func sectionName<Root: _ProjectionRoot>(_ keyPath: PartialKeyPath<Element>) -> String
    where Element: Projection<Root> {
        persistedName(
            KeyPathRecording.names(of: keyPath, from: Root.self) { Element(projecting: $0) },
            keyPath)
    }

    /// Returns the elements in sections by the key that a function gives for them, in an order of
    /// several properties.
    ///
    ///     let byLetter = people.sectioned(
    ///         by: { $0.name.first.map(String.init) ?? "" }, sortDescriptors: ["name"])
    ///
    /// - Parameters:
    ///   - key: Returns the key of an element. Must not change anything. It is `@Sendable`
    ///     because frozen sections and references take it to other threads.
    ///   - sortDescriptors: The order of the elements. Sections come in the order of their first
    ///     elements.
    public func sectioned<Key: _Persistable & Hashable>(
        by key: @escaping @Sendable (Element) -> Key, sortDescriptors: [SortDescriptor]
    ) -> SectionedResults<Key, Element> {
        checkSectionKey(Key.self)
        if sortDescriptors.isEmpty {
            refuseNoOrder("There must be at least one SortDescriptor when using SectionedResults.")
        }
        return sections(sortDescriptors, SectionKey(key))
    }

    /// As `sectioned(by:sortDescriptors:)`, with the function behind the call.
    public func sectioned<Key: _Persistable & Hashable>(
        sortDescriptors: [SortDescriptor], _ key: @escaping @Sendable (Element) -> Key
    ) -> SectionedResults<Key, Element> {
        checkSectionKey(Key.self)
        if sortDescriptors.isEmpty {
            refuseNoOrder("Can not section Results with empty sortDescriptor parameter.")
        }
        return sections(sortDescriptors, SectionKey(key))
    }

    fileprivate func sections<Key: _Persistable & Hashable>(
        _ sortDescriptors: [SortDescriptor], _ key: SectionKey<Key, Element>
    ) -> SectionedResults<Key, Element> {
        SectionedResults(SectionsState(sorted(by: sortDescriptors), by: key))
    }
}

extension RealmCollection {
    /// Returns the values in sections by the key that a function gives for them, in their own
    /// order.
    ///
    ///     let evenAndOdd = pupil.marks.sectioned(by: { $0 % 2 == 0 })
    ///
    /// Traps for objects and for values that have no order: those need `sortDescriptors`.
    @_disfavoredOverload  // A key path is one of a property, not a function.
    public func sectioned<Key: _Persistable & Hashable>(
        by key: @escaping @Sendable (Element) -> Key, ascending: Bool = true
    ) -> SectionedResults<Key, Element> {
        sectioned(by: key, sortDescriptors: [SortDescriptor(keyPath: "self", ascending: ascending)])
    }
}

private func persistedName(_ names: [String], _ keyPath: AnyKeyPath) -> String {
    if names.isEmpty {
        misuse(
            "Key path '\(keyPath)' does not lead to a persisted property",
            remedy: """
                Sections by a key path need a persisted property, by links at most: \
                pass a function for what is computed.
                """)
    }
    return names.joined(separator: ".")
}

private func checkSectionOrder(_ sortDescriptors: [SortDescriptor], begins name: String) {
    guard let first = sortDescriptors.first else {
        refuseNoOrder("There must be at least one SortDescriptor when using SectionedResults.")
    }
    if first.keyPath != name {
        misuse(
            "The section key path must match the primary sort descriptor.",
            remedy: """
                The sections are by '\(name)' and the order is by '\(first.keyPath)' \
                first: begin it with SortDescriptor(keyPath: "\(name)").
                """)
    }
}

private func refuseNoOrder(_ text: String) -> Never {
    misuse(text, remedy: "Sections need a sorted collection. Pass sort descriptors.")
}
