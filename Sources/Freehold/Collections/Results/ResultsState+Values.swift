import FreeholdStorage

/// Results whose elements are values, represented by positions in a collection. Callers pass the
/// collection, because they have it already.
///
/// The callers have checked confinement and validity, which also ensures that the collection
/// exists.
extension ResultsState {
    /// Returns the value at a position of the results. Traps outside of `0 ..< count`.
    func value<Element: RealmCollectionValue>(at index: Int, in values: ManagedCollection)
        -> Element
    {
        let positions = keys()
        guard positions.indices.contains(index) else {
            checkMissing(index, count: positions.count)
            return nothing(in: values)
        }
        return value(position: positions[index], in: values)
    }

    /// Returns the value at a position of the collection.
    func value<Element: RealmCollectionValue>(position: Int64, in values: ManagedCollection)
        -> Element
    {
        // Damage may have taken the element after the positions were found.
        let position = values.readable(Int(position), below: values.current("subscript").count)
        let leaf = values.leaf(at: position, "subscript")
        return codec(values).load(leaf, position - leaf.start, values)
    }

    /// Returns the substitute for a value that damage took.
    private func nothing<Element: RealmCollectionValue>(in values: ManagedCollection) -> Element {
        codec(values).load(.nothing(values.kind), 0, values)
    }

    /// Returns the substitute for an element that damage took: zero, null or an invalidated
    /// object.
    func lostElement<Element: RealmCollectionValue>() -> Element {
        if let values { return nothing(in: values) }
        return Element._element(binding.makeDanglingAccessor(key: .min, since: core.generation))
    }

    /// Returns all values in the order of the results. O(count).
    func elements<Element: RealmCollectionValue>(in values: ManagedCollection) -> [Element] {
        let positions = keys()
        let all: [Element] = values.all(codec(values), "reading")
        return positions.map { position in
            all.indices.contains(Int(position)) ? all[Int(position)] : nothing(in: values)
        }
    }

    /// The codec of the elements. Every `Results` of a collection's values has the collection's
    /// element type.
    @inline(__always)
    private func codec<Element: RealmCollectionValue>(_ values: ManagedCollection)
        -> any ElementCodec<Element>
    { unsafeDowncast(values.descriptor, to: ElementDescriptor<Element>.self).codec }

    // MARK: Orders

    func valuesSorted(by descriptors: some Sequence<SortDescriptor>) -> ResultsState {
        let steps = descriptors.map { descriptor -> ElementStep in
            if descriptor.keyPath != "self" {
                refuse(
                    descriptor.keyPath, "arrays of '\(elementName)' can only be sorted on 'self'.")
            }
            return .sorted(ascending: descriptor.ascending)
        }
        // The first criterion takes precedence, so it is the last step of a stable sort.
        return following(steps.reversed())
    }

    /// The same values, each once, at its first occurrence.
    var distinct: ResultsState { following([.distinct]) }

    func following(_ steps: [ElementStep]) -> ResultsState {
        guard let positions = rows as? ElementPositions else {
            preconditionFailure("Values come from a collection.")
        }
        return ResultsState(core: core, binding: binding, from: positions.followed(by: steps))
    }

    // MARK: Queries

    /// Traps if the elements are values, which cannot be queried, as in Realm.
    @inline(__always)
    func checkHasObjects(_ operation: StaticString) {
        if values != nil { refuseValues(operation) }
    }

    @inline(never)
    private func refuseValues(_ operation: StaticString) -> Never {
        misuse(
            CollectionKind.list.queryRefusal,
            remedy: """
                \(operation) of \(name)<\(elementName)>: filter its elements with the \
                functions of sequences (results.filter { … }).
                """)
    }

    /// The collection as text, in Realm's format.
    func describe<Element: RealmCollectionValue>(_ elements: [Element]) -> String {
        let codec = Element.elementCodec
        return CollectionDescription.text(
            "\(name)<\(elementName)>", self, count: elements.count,
            depth: ObjectBase.descriptionDepth,
            lines: elements.lazy.enumerated().map {
                ("\t[\($0.offset)] ", codec.persisted($0.element))
            })
    }
}

extension ManagedCollection {
    /// Returns an aggregate of the values of this collection, by `"self"`. Traps for names of
    /// properties.
    func aggregate<Element: RealmCollectionValue>(
        _ aggregate: Aggregate, of elements: [Element], _ property: String
    ) -> UnmanagedAggregate {
        UnmanagedAggregate(aggregate, of: elements, property, kind: shape, in: self)
    }
}
