import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Random transactions, from several realms and threads: a table that does the steps of each
/// batch, one by one, shows what its controller shows, at every moment.
@Suite struct ListControllerModelTests {
    typealias Item = ObservedModels.Item

    @Test(arguments: ListControllerModelTests.seeds) func tablesShowWhatTheirControllersShow(
        seed own: UInt64?
    ) throws {
        let seed = Seed.random(own).seed
        try withObservatory { place in
            var transactions = try SectionTransactions(place, seed: seed)
            let items = place.realm.objects(Item.self)
            func sections<Key: _Persistable & Hashable>(
                _ name: String, _ sections: SectionedResults<Key, Item>
            ) -> Table {
                let controller = SectionedListController(sections)
                return Table(
                    "FREEHOLD_SEED=\(seed), \(name)", controller, hasSections: true,
                    live: { sections.map { $0.map(\.id) } }
                ) {
                    #expect(controller.sectionKeys.count == controller.numberOfSections)
                }
            }
            func flat<Base: RealmCollection>(_ name: String, _ base: Base) -> Table
            where Base.Element == Item {
                Table(
                    "FREEHOLD_SEED=\(seed), \(name)", ListController(base), hasSections: false,
                    live: { [base.map(\.id)] })
            }
            let tables = [
                sections(
                    "by name", items.sectioned(by: \.name, sortDescriptors: ["name", "rank"])),
                sections(
                    "in the order of ranks",
                    items.sectioned(sortDescriptors: ["rank"]) { $0.name }),
                sections(
                    "by links",
                    items.where { $0.rank > 10 }.sectioned(
                        by: { $0.next?.name }, sortDescriptors: ["rank", "id"])),
                flat("all", items), flat("sorted", items.sorted(by: \.rank)),
                flat("filtered", items.where { $0.rank < 30 }),
                flat("first", items.sorted(by: \.name).limit(5)),
            ]
            for _ in 0..<40 {
                for _ in 0..<Int.random(in: 0...3, using: &transactions.random) {
                    try transactions.transact()
                }
                for table in tables { table.verify() }
                if transactions.move() { for table in tables { table.verifyIsCurrent() } }
                for table in tables { table.verify() }
                // In a transaction, too, where the realm's own results show what it changed.
                if Int.random(in: 0..<3, using: &transactions.random) == 0 {
                    place.realm.beginWrite()
                    for table in tables { table.verify() }
                    for number in 0..<3 {
                        SectionTransactions.change(
                            place.realm, 1_000_000 + number, &transactions.random)
                    }
                    for table in tables { table.verify() }
                    place.realm.cancelWrite()
                    for table in tables { table.verify() }
                }
            }
            place.deliver()
            for table in tables { table.verifyIsCurrent() }
            #expect(tables.allSatisfy { $0.batchCount > 5 }, "FREEHOLD_SEED=\(seed)")
        }
    }

    private static let seeds: [UInt64?] = [nil, 1, 2, 3]
}

/// Rows on a screen, kept up by the steps alone.
private final class Table {
    typealias Item = ObservedModels.Item

    private struct Row: Equatable {
        let id: Int
        let content: [String]

        init(_ item: Item) {
            id = item.id
            content = SectionTransactions.content(item)
        }
    }

    private let context: String
    private let controller: ListController<Item>
    private let hasSections: Bool
    private let live: () -> [[Int]]
    private let also: () -> Void
    private var rows: [[Row]] = []
    private var token: NotificationToken?
    private(set) var batchCount = 0

    /// - Parameters:
    ///   - live: The rows that the realm has now.
    ///   - also: What else holds whenever the table is verified.
    init(
        _ context: String, _ controller: ListController<Item>, hasSections: Bool,
        live: @escaping () -> [[Int]], also: @escaping () -> Void = {}
    ) {
        self.context = context
        self.controller = controller
        self.hasSections = hasSections
        self.live = live
        self.also = also
        rows = shown
        token = controller.observe { [unowned self] batch in
            batchCount += 1
            #expect(!batch.steps.isEmpty, "\(context)")
            var updated: Set<IndexPath> = []
            let before = Dictionary(uniqueKeysWithValues: rows.joined().map { ($0.id, $0) })
            var inserted: Set<Int> = []
            for step in batch.steps { perform(step, &updated, &inserted) }
            // Of the rows that stayed, those that changed were updated, and no other.
            for (section, row) in rows.indices.flatMap({ section in
                rows[section].indices.map { (section, $0) }
            }) {
                let known = rows[section][row]
                if inserted.contains(known.id) { continue }
                #expect(
                    (before[known.id]?.content != known.content)
                        == updated.contains([section, row]), "\(context), \(batch)")
            }
            verify()
        }
    }

    private var shown: [[Row]] {
        (0..<controller.numberOfSections).map { controller.objects(in: $0).map(Row.init) }
    }

    private func perform(
        _ step: ListStep, _ updated: inout Set<IndexPath>, _ inserted: inout Set<Int>
    ) {
        switch step {
        case .deleteItem(let path):
            guard hasRow(path, extra: 0) else { return }
            rows[path.section].remove(at: path.item)
        case .deleteSection(let section):
            guard hasSection(section, extra: 0) else { return }
            rows.remove(at: section)
        case .insertSection(let section):
            guard hasSection(section, extra: 1) else { return }
            rows.insert([], at: section)
        case .insertItem(let path):
            guard hasRow(path, extra: 1) else { return }
            let row = Row(controller.object(at: path))
            inserted.insert(row.id)
            rows[path.section].insert(row, at: path.item)
        case .updateItem(let path):
            guard hasRow(path, extra: 0) else { return }
            let row = Row(controller.object(at: path))
            #expect(rows[path.section][path.item].id == row.id, "\(context): \(step)")
            #expect(updated.insert(path).inserted, "\(context): \(step)")
            rows[path.section][path.item] = row
        }
    }

    private func hasSection(_ section: Int, extra: Int) -> Bool {
        #expect(hasSections, "\(context)")
        let isThere = section >= 0 && section < rows.count + extra
        #expect(isThere, "\(context): section \(section) of \(rows.count)")
        return isThere
    }

    private func hasRow(_ path: IndexPath, extra: Int) -> Bool {
        let isThere =
            rows.indices.contains(path.section) && path.item >= 0
            && path.item < rows[path.section].count + extra
        #expect(isThere, "\(context): row \(path) of \(rows.map(\.count))")
        return isThere
    }

    /// Verifies that the controller shows what the table does.
    func verify() {
        #expect(rows == shown, "\(context)")
        for (section, items) in rows.enumerated() {
            #expect(controller.numberOfItems(in: section) == items.count, "\(context)")
            for (item, row) in items.enumerated() {
                let path = IndexPath(item: item, section: section)
                #expect(
                    controller.object(at: path).id == row.id
                        && controller.indexPath(for: controller.object(at: path)) == path,
                    "\(context)")
            }
        }
        also()
    }

    /// Verifies that it is the newest.
    func verifyIsCurrent() {
        verify()
        #expect(rows.map { $0.map(\.id) } == live(), "\(context): something was lost")
    }
}
