import Foundation
import Freehold

// MARK: - Sections

final class ModelSectionsMirror: ModelMirror {
    private struct Section { let key: String; var rows: [ModelEntry] }
    typealias Sections = SectionedResults<ModelClasses.Kind, ModelClasses.Item>

    private var known: [Section] = []
    private let sections: Sections

    init(_ name: String, _ place: Int, _ session: ModelSession, _ sections: Sections) {
        self.sections = sections
        super.init(name, place, session)
        token = sections.observe { [unowned self] change in
            switch change {
            case .initial:
                isBegun = true
                known = current()
            case .update(
                _, let deletions, let insertions, let modifications, let sectionsToInsert,
                let sectionsToDelete):
                let new = current()
                if let problem = problem(
                    known, new, deletions, insertions, modifications, sectionsToInsert,
                    sectionsToDelete)
                {
                    fail(
                        """
                        was told -\(deletions) +\(insertions) *\(modifications) \
                        +\(Array(sectionsToInsert)) -\(Array(sectionsToDelete)): \(problem)
                        """
                    )
                }
                known = new
            }
        }
    }

    private func current() -> [Section] {
        let fingerprints = fingerprints
        return sections.map { section in
            Section(
                key: section.key.rawValue,
                rows: section.map {
                    ModelEntry(
                        identity: "\($0.id)",
                        content: fingerprints.content(ofItem: $0.id, .everything))
                })
        }
    }

    private func problem(
        _ known: [Section], _ new: [Section], _ deletions: [IndexPath], _ insertions: [IndexPath],
        _ modifications: [IndexPath], _ inserted: IndexSet, _ deleted: IndexSet
    ) -> String? {
        if known.indices.filter({ !deleted.contains($0) }).map({ known[$0].key })
            != new.indices.filter({ !inserted.contains($0) }).map({ new[$0].key })
        {
            return "sections \(known.map(\.key)) -> \(new.map(\.key))"
        }
        func rows(_ paths: [IndexPath], _ section: Int) -> [Int] {
            paths.filter { $0[0] == section }.map { $0[1] }
        }
        for path in deletions + modifications
        where !known.indices.contains(path[0]) || deleted.contains(path[0]) {
            return "\(path) is in no section that stays"
        }
        for path in insertions where !new.indices.contains(path[0]) {
            return "\(path) is in no section"
        }
        for (index, section) in new.enumerated() {
            let old = inserted.contains(index) ? nil : known.firstIndex { $0.key == section.key }
            let problem = ModelCollectionMirror.problem(
                old.map { known[$0].rows } ?? [], section.rows,
                old.map { rows(deletions, $0) } ?? [], rows(insertions, index),
                old.map { rows(modifications, $0) } ?? [],
                replaces: false)
            if let problem {
                return
                    """
                    in \(section.key), \(old.map { known[$0].rows.map(\.identity) } ?? []) \
                    -> \(section.rows.map(\.identity)): \(problem)
                    """
            }
        }
        return nil
    }

    override func problem() -> String? {
        if !isBegun { return nil }
        let now = current()
        let isSame =
            known.map(\.key) == now.map(\.key)
            && zip(known, now).allSatisfy {
                $0.rows.map(\.identity) == $1.rows.map(\.identity)
                    && $0.rows.map(\.content.must) == $1.rows.map(\.content.must)
            }
        return isSame ? nil : "the observer of \(name) knows \(known), and there is \(now)"
    }

    override func resynchronize() { if isBegun { known = current() } }
}

// MARK: - Realms

final class ModelRealmMirror: ModelMirror {
    /// At which version it was told last.
    private var told: Int?

    init(_ place: Int, _ session: ModelSession, _ realm: Realm) {
        super.init("realm \(place)", place, session)
        isBegun = true
        resynchronize()
        token = realm.observe { [unowned self] notification, _ in
            if notification == .didChange { resynchronize() }
        }
    }

    override func problem() -> String? {
        let now = session.time(of: place)
        return told == now
            ? nil
            : """
            the observer of \(name) was told at version \(told ?? -1), and the realm reads \
            \(now)
            """
    }

    override func resynchronize() { told = session.time(of: place) }
}
