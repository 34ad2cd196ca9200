import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

protocol SectionMirroring: AnyObject {
    /// Verifies that the observer knows what there is.
    func verify()
}

/// What one observer of sections knows, kept up with what it is told.
final class SectionMirror<Key: _Persistable & Hashable>: SectionMirroring {
    typealias Item = ObservedModels.Item

    private struct Row: Equatable {
        let id: Int
        let content: [String]
        /// Whether the observer was told that it changed; nil where it came.
        var isModified: Bool?
        /// The position of one that it was told to have changed in its place.
        var place: Int?
    }

    private struct Section {
        var key: Key?
        var rows: [Row]
    }

    private let context: String
    private let sections: SectionedResults<Key, Item>
    private let content: (Item) -> [String]
    private var known: [Section] = []
    private var isBegun = false
    private var token: NotificationToken?

    init(
        _ name: String, _ seed: UInt64, _ sections: SectionedResults<Key, Item>,
        keyPaths: [String]? = nil, _ content: @escaping (Item) -> [String]
    ) {
        context = "FREEHOLD_SEED=\(seed), \(name)"
        self.sections = sections
        self.content = content
        token = sections.observe(keyPaths: keyPaths) { [unowned self] change in
            switch change {
            case .initial:
                #expect(!isBegun, "\(context): begun twice")
                isBegun = true
                known = current
            case .update(
                _, let deletions, let insertions, let modifications, let sectionsToInsert,
                let sectionsToDelete):
                update(
                    deletions, insertions, modifications, sectionsToInsert, sectionsToDelete,
                    SectionLog.text(change))
            }
        }
    }

    private var current: [Section] {
        sections.map { section in
            Section(
                key: section.key,
                rows: section.map { Row(id: $0.id, content: content($0), isModified: false) })
        }
    }

    private func update(
        _ deletions: [IndexPath], _ insertions: [IndexPath], _ modifications: [IndexPath],
        _ sectionsToInsert: IndexSet, _ sectionsToDelete: IndexSet, _ text: String
    ) {
        let context = "\(context): \(text)"
        #expect(isBegun && text != "", "\(context)")
        for paths in [deletions, insertions, modifications] {
            #expect(paths == Set(paths).sorted(), "\(context)")
        }
        // Steps, in the documented order.
        for path in modifications {
            #expect(!deletions.contains(path) && !sectionsToDelete.contains(path[0]), "\(context)")
            known[path[0]].rows[path[1]].isModified = true
            known[path[0]].rows[path[1]].place = path[1]
        }
        for path in deletions.reversed() {
            #expect(!sectionsToDelete.contains(path[0]), "\(context)")
            known[path[0]].rows.remove(at: path[1])
        }
        for section in sectionsToDelete.reversed() { known.remove(at: section) }
        for section in sectionsToInsert { known.insert(Section(key: nil, rows: []), at: section) }
        let now = current
        for path in insertions {
            let row = now[path[0]].rows[path[1]]
            known[path[0]].rows.insert(
                Row(id: row.id, content: row.content, isModified: nil), at: path[1])
        }
        #expect(known.count == now.count, "\(context)")
        for (before, after) in zip(known, now) {
            #expect(before.key == nil || before.key == after.key, "\(context)")
            #expect(before.rows.map(\.id) == after.rows.map(\.id), "\(context)")
            for (position, old) in before.rows.enumerated() {
                // What changed and has another position is not told as a modification.
                #expect(old.place == nil || old.place == position, "\(context), \(old)")
            }
            for (old, new) in zip(before.rows, after.rows) {
                if let isModified = old.isModified {
                    #expect(
                        (old.content != new.content) == isModified, "\(context), \(old) -> \(new)")
                }
            }
        }
        known = now
    }

    func verify() {
        #expect(isBegun, "\(context)")
        #expect(
            known.map(\.key) == current.map(\.key) && known.map(\.rows) == current.map(\.rows),
            "\(context): something was lost")
    }
}
