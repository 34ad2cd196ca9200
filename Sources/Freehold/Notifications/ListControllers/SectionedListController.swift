/// A ``ListController`` for results in sections.
///
/// ```swift
/// let controller = SectionedListController(realm.objects(Person.self).sectioned(by: \.team, sortDescriptors: ["team", "name"]))
/// for section in 0..<controller.numberOfSections {
///     print(controller.sectionKeys[section])
///     for item in 0..<controller.numberOfItems(in: section) { print("  ", controller.object(at: IndexPath(item: item, section: section)).name) }
/// }
/// ```
///
/// Sections are never empty: the last row takes its section along, and the first one brings it.
/// While the steps of a batch are done one by one, they may be.
///
/// Thread rule: confined to the realm of the results.
public final class SectionedListController<
    Key: _Persistable & Hashable, Element: RealmCollectionValue
>: ListController<Element> {
    /// Shows sections as they are now, which are found at once: O(elements).
    ///
    /// - Parameters:
    ///   - sections: Live. Traps if they are not, or if their realm is read-only or in a write
    ///     transaction that has changed something.
    ///   - keyPaths: What counts as a change of an object, as for
    ///     ``SectionedResults/observe(keyPaths:_:)-([String]?,_)``; nil for everything, four links
    ///     deep.
    ///   - fileID: Where the controller is made, for ``Realm/versionReport()``. Leave it out.
    ///   - line: As `fileID`.
    public init(
        _ sections: SectionedResults<Key, Element>, keyPaths: [String]? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        let (core, subject) = sections.state.observed(keyPaths, "ListController")
        super.init(
            core, SectionedSource(subject: subject), CreationSite(fileID: fileID, line: line))
    }

    /// The keys of the sections that are shown, in their order. O(1).
    public var sectionKeys: [Key] {
        checkUse("sectionKeys")
        return (contents as? SectionedContents<Key, Element>)?.keys ?? []
    }
}

extension SectionedListController where Element: ObjectBase {
    /// As ``init(_:keyPaths:fileID:line:)``, with key paths of Swift: `[\.name, \.owner?.name]`.
    public convenience init(
        _ sections: SectionedResults<Key, Element>, keyPaths: [PartialKeyPath<Element>],
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(
            sections, keyPaths: names(of: keyPaths, from: Element.self), fileID: fileID, line: line)
    }
}
