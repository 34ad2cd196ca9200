import ExampleSupport
import Foundation
import Freehold

/// What `watch` shows at one moment.
struct DashboardState: Codable, Equatable {
    struct Row: Codable, Equatable {
        var id: String
        var installedSize: Int
    }

    /// The number of updates so far; 0 is the initial state.
    var number: Int
    var packageCount: Int
    var maintainerCount: Int
    var sectionCount: Int
    /// The changes of the packages in the last update.
    var addedCount: Int
    var removedCount: Int
    var changedCount: Int
    /// The largest packages.
    var largest: [Row]

    /// The state as one line of JSON.
    func jsonLine() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }

    /// The state as lines of text.
    func lines(width: Int?) -> [String] {
        var table = Table([("Installed", .right), ("Package", .left)])
        for row in largest { table.add(sizeText(row.installedSize), row.id) }
        return [
            """
            \(packageCount.grouped) packages, \(maintainerCount.grouped) maintainers, \
            \(sectionCount.grouped) sections
            """,
            """
            update \(number.grouped): \(addedCount.grouped) added, \(removedCount.grouped) \
            removed, \(changedCount.grouped) changed
            """,
            "",
        ] + table.lines(width: width)
    }
}

/// Updates what `watch` shows. The list of the largest packages is updated like a table on a
/// screen: by single steps, without reading it again.
@MainActor
final class Dashboard {
    private let questions: Questions
    private let largest: ListController<Package>
    private var rows: [DashboardState.Row]
    private var token: NotificationToken?

    init(_ questions: Questions, length: Int) {
        self.questions = questions
        largest = ListController(
            questions.largestPackages.limit(length), keyPaths: [\.installedSize])
        rows = largest.objects(in: 0).map(Self.row)
        token = largest.observe { [unowned self] batch in
            for step in batch.steps { perform(step) }
        }
    }

    private static func row(_ package: Package) -> DashboardState.Row {
        .init(id: package.id, installedSize: package.installedSize)
    }

    private func perform(_ step: ListStep) {
        switch step {
        case .deleteItem(let path): rows.remove(at: path.item)
        case .insertItem(let path): rows.insert(Self.row(largest.object(at: path)), at: path.item)
        case .updateItem(let path): rows[path.item] = Self.row(largest.object(at: path))
        case .deleteSection, .insertSection: break
        }
    }

    var packageCount: Int { questions.realm.objects(Package.self).count }

    /// The state to show after a change of the packages.
    func state(after change: RealmCollectionChange<Results<Package>>, number: Int) -> DashboardState
    {
        var state = DashboardState(
            number: number, packageCount: packageCount,
            maintainerCount: questions.busiestMaintainers.count,
            sectionCount: questions.sections.count,
            addedCount: 0, removedCount: 0, changedCount: 0, largest: rows)
        if case .update(_, let deletions, let insertions, let modifications) = change {
            (state.removedCount, state.addedCount, state.changedCount) = (
                deletions.count, insertions.count, modifications.count
            )
        }
        return state
    }
}
