public import Foundation

/// One step from the displayed list to the next one. Its positions are valid at that moment:
/// after the steps before it, and before all others.
@frozen public enum ListStep: Equatable, Hashable, Sendable {
    /// Removes a row.
    case deleteItem(IndexPath)
    /// Removes a section with its remaining rows.
    case deleteSection(Int)
    /// Inserts an empty section.
    case insertSection(Int)
    /// Inserts a row.
    case insertItem(IndexPath)
    /// Updates the contents of a row.
    case updateItem(IndexPath)
}

/// The changes of a list between two moments, as steps to perform one by one. See
/// ``ListController``.
///
/// Steps come in this order:
/// 1. Remove rows, from the back.
/// 2. Remove sections, from the back.
/// 3. Insert sections, from the front.
/// 4. Insert rows, from the front.
/// 5. Update changed rows, from the front.
///
/// A row that moved is a deletion and an insertion, without an update. So is a section that
/// moved, with its rows.
///
/// The positions of deletions are therefore also those before the whole batch, and all others
/// are those after it. `performBatchUpdates` of tables expects this of ``structure``.
public struct ListBatch: Equatable, Sendable {
    /// All steps in order: ``structure``, then ``updates``. Never empty.
    public let steps: [ListStep]
    private let structureCount: Int

    /// The steps that change the number or the positions of rows and sections.
    public var structure: ArraySlice<ListStep> { steps[..<structureCount] }

    /// The ``ListStep/updateItem(_:)`` steps, which come last.
    public var updates: ArraySlice<ListStep> { steps[structureCount...] }

    private init(_ structure: [ListStep], _ updates: [ListStep]) {
        steps = structure + updates
        structureCount = structure.count
    }
}

extension ListBatch {
    /// Creates the batch of a list without sections, which has the section 0.
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
