/// A value that descriptions of objects nest: an object or a collection.
protocol DescribedWithDepth {
    /// Returns the value as text, down to the given depth of objects and collections.
    func describe(depth: Int) -> String
}

enum CollectionDescription {
    /// How many elements a description shows.
    static let shownElements = 100

    /// Returns the elements in Realm's format.
    ///
    /// - Parameters:
    ///   - title: The type, such as "List<int>".
    ///   - labels: The position or key in front of each element.
    static func text<Lines: Sequence>(
        _ title: String, _ collection: AnyObject, count: Int, depth: Int, lines: Lines
    ) -> String where Lines.Element == (label: String, value: Any?) {
        if depth == 0 { return "<Maximum depth exceeded>" }
        let address = String(
            UInt(bitPattern: Unmanaged.passUnretained(collection).toOpaque()), radix: 16)
        let shown = lines.prefix(shownElements).map { label, value in
            label + ObjectBase.describe(element: value, depth: depth).withIndentedLines
        }
        var text =
            "\(title) <0x\(address)> (" + (shown.isEmpty ? "\n" : "")
            + shown.map { "\n" + $0 }.joined(separator: ",")
        if count > shownElements { text += "\n\t... \(count - shownElements) objects skipped." }
        return text + "\n)"
    }
}

extension List: DescribedWithDepth {
    func describe(depth: Int) -> String { CollectionDescription.text(self, depth) }
}

extension MutableSet: DescribedWithDepth {
    func describe(depth: Int) -> String { CollectionDescription.text(self, depth) }
}

extension CollectionDescription {
    /// Describes a list or a set.
    fileprivate static func text<Elements: PersistedCollection & Collection>(
        _ collection: Elements, _ depth: Int
    ) -> String where Elements.Element: RealmCollectionValue {
        let codec = Elements.Element.elementCodec
        return text(
            """
            \(Elements.kind.className)<\(collection.managed?.descriptor.typeText ?? codec.typeText)>
            """,
            collection, count: collection.count, depth: depth,
            lines: collection.lazy.enumerated().map {
                ("\t[\($0.offset)] ", codec.persisted($0.element))
            })
    }
}
