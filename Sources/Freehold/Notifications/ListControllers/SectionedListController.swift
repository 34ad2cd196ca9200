/// A ``ListController`` for results in sections.
///
/// ```swift
/// let controller = SectionedListController(
///     realm.objects(Person.self).sectioned(by: \.team, sortDescriptors: ["team", "name"]))
/// for section in 0..<controller.numberOfSections {
///     print(controller.sectionKeys[section])
///     for item in 0..<controller.numberOfItems(in: section) {
///         print("  ", controller.object(at: IndexPath(item: item, section: section)).name)
///     }
/// }
/// ```
///
/// Sections are never empty: a section is inserted with its first row and removed with its last
/// one. They may be empty between the steps of a batch.
///
/// Thread rule: confined to the realm of the results.
public final class SectionedListController<
    Key: _Persistable & Hashable, Element: RealmCollectionValue
>: ListController<Element> {
    /// Creates a controller that shows the current sections. Finds them at once: O(elements).
    ///
    /// - Parameters:
    ///   - sections: Live sections.
    ///   - keyPaths: The properties whose changes count, as for
    ///     ``SectionedResults/observe(keyPaths:_:)-([String]?,_)``; nil for all, four links
    ///     deep.
    ///   - fileID: The source file of the call, for ``Realm/versionReport()``. Omit it.
    ///   - line: The source line of the call, for ``Realm/versionReport()``. Omit it.
    /// - Precondition: The realm is not read-only, and not in a write transaction that has
    ///   changed something.
    public init(
        _ sections: SectionedResults<Key, Element>, keyPaths: [String]? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        let (core, subject) = sections.state.observed(keyPaths, "ListController")
        super.init(
            core, SectionedSource(sections.state, subject), CreationSite(fileID: fileID, line: line)
        )
    }

    /// The keys of the displayed sections, in order. O(1).
    public var sectionKeys: [Key] {
        checkUse("sectionKeys")
        return (contents as? SectionedContents<Key, Element>)?.keys ?? []
    }
}

extension SectionedListController where Element: ObjectBase {
    /// Creates a controller like ``init(_:keyPaths:fileID:line:)``, with Swift key paths:
    /// `[\.name, \.owner?.name]`.
    ///
    /// - Parameters:
    ///   - sections: Live managed sections.
    ///   - keyPaths: The properties to observe.
    ///   - fileID: The source file of the call, for reports. Omit it.
    ///   - line: The source line of the call, for reports. Omit it.
    public convenience init(
        _ sections: SectionedResults<Key, Element>, keyPaths: [PartialKeyPath<Element>],
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(
            sections, keyPaths: names(of: keyPaths, from: Element.self), fileID: fileID, line: line)
    }
}
