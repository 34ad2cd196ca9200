public import Foundation

/// One step from the list that a screen shows to the next one. Positions are those at that
/// moment: when the steps before were done and no other one.
@frozen public enum ListStep: Equatable, Hashable, Sendable {
    /// A row goes.
    case deleteItem(IndexPath)
    /// A section goes, with the rows that it still has.
    case deleteSection(Int)
    /// A section comes, empty.
    case insertSection(Int)
    /// A row comes.
    case insertItem(IndexPath)
    /// The row that is there has other contents.
    case updateItem(IndexPath)
}

/// What happened to a list between two moments, as steps that can be done one by one. See
/// ``ListController``.
///
/// Steps come in this order: rows that go, from the back; sections that go, from the back;
/// sections that come, from the front; rows that come, from the front; rows whose contents
/// changed, from the front. A row that moved is a deletion and an insertion, and is not updated
/// besides. A section that moved likewise, with its rows.
///
/// So the positions of deletions are also those before the whole batch, and all others are
/// those after it: what `performBatchUpdates` of tables expects of ``structure``.
public struct ListBatch: Equatable, Sendable {
    /// All steps in their order: ``structure``, then ``updates``. Never empty.
    public let steps: [ListStep]
    private let structureCount: Int

    /// The steps that change how many rows or sections there are, or where they are.
    public var structure: ArraySlice<ListStep> { steps[..<structureCount] }

    /// The ``ListStep/updateItem(_:)`` steps, which come last.
    public var updates: ArraySlice<ListStep> { steps[structureCount...] }

    private init(_ structure: [ListStep], _ updates: [ListStep]) {
        steps = structure + updates
        structureCount = structure.count
    }
}

extension ListBatch {
    /// Of a list without sections, which has the section 0.
    init(_ changes: CollectionChanges) {
        var structure = changes.deletions.reversed().map {
            ListStep.deleteItem(IndexPath(item: $0, section: 0))
        }
        structure += changes.insertions.map { .insertItem(IndexPath(item: $0, section: 0)) }
        self.init(
            structure, changes.modificationsNow.map { .updateItem(IndexPath(item: $0, section: 0)) }
        )
    }

    init(_ changes: SectionsChanges) {
        func path(_ place: SectionsChanges.Place) -> IndexPath {
            IndexPath(item: place.item, section: place.section)
        }
        var structure = changes.deletions.reversed().map { ListStep.deleteItem(path($0)) }
        structure += changes.sectionsToDelete.reversed().map { .deleteSection($0) }
        structure += changes.sectionsToInsert.map { .insertSection($0) }
        structure += changes.insertions.map { .insertItem(path($0)) }
        self.init(structure, changes.modificationsNow.map { .updateItem(path($0)) })
    }
}
