import Freehold
import FreeholdTestSupport

/// A draft beside the plain model of what it should hold, of its base, and of its steps of undo.
final class DraftModel {
    let draft: Draft
    let parent: DraftModel?
    var editor: ModelEditor
    /// What the draft's edits are compared with when they are merged.
    var base: MergeModel
    private(set) var undo: [Step] = []
    private(set) var redo: [Step] = []
    /// The state at the last checkpoint.
    private var checkpoint: MergeModel
    private var handles = Handles()
    /// Whether the parent was merged since, so that it may have moved rows.
    var isParentMoved = false

    /// What a step of undo changes.
    struct Step {
        var from, to: MergeModel
    }

    init(_ draft: Draft, _ model: MergeModel, _ names: ObjectNames, parent: DraftModel? = nil) {
        self.draft = draft
        self.parent = parent
        editor = ModelEditor(realm: draft.realm, model: model, names: names)
        base = model
        checkpoint = model
    }

    var model: MergeModel { editor.model }

    func edit(_ random: inout SeededGenerator) {
        editor.edit(&random)
        handles.take(from: editor, &random)
    }

    // MARK: Steps

    /// Edits since the last checkpoint are a step from now on, also where they change nothing.
    func takeStep() {
        let count = draft.undoNames.count
        if count > undo.count {
            undo.append(Step(from: model, to: checkpoint))
            redo = []
        }
        checkpoint = model
    }

    /// Before a merge: edits of a draft without steps do not become one.
    func beginMerge() {
        if undo.isEmpty && redo.isEmpty { return }
        draft.checkpoint()
        takeStep()
    }

    /// After a merge.
    func endMerge(_ merged: MergeModel, base: MergeModel) {
        let kept = KeptRows(before: self.base, model, merged)
        kept.forgetReturn(in: &undo)
        kept.forgetReturn(in: &redo)
        editor.model = merged
        checkpoint = merged
        self.base = base
    }

    /// A nested draft was saved into this one.
    func accept(_ merged: MergeModel) {
        editor.model = merged
        takeStep()
    }

    var nextUndo: Step? { undo.last }
    var nextRedo: Step? { redo.last }

    func didUndo(_ new: MergeModel) {
        editor.names.remove(lostFrom: model, to: new)
        undo.removeLast()
        redo.append(Step(from: new, to: model))
        (editor.model, checkpoint) = (new, new)
    }

    func didRedo(_ new: MergeModel) {
        editor.names.remove(lostFrom: model, to: new)
        redo.removeLast()
        undo.append(Step(from: new, to: model))
        (editor.model, checkpoint) = (new, new)
    }

    // MARK: Checking

    /// What differs between the draft and its model; nil if nothing does.
    var difference: String? {
        if let text = MergeModel(draft.realm).difference(from: model.visible) { return text }
        let steps = draft.undoNames.count
        if steps != undo.count, !(steps == undo.count + 1 && draft.canUndo) {
            return "\(steps) steps of undo instead of \(undo.count)"
        }
        handles.forgetLost(model, base)
        return handles.difference(from: model)
    }
}

/// Objects of a draft that a program keeps.
private struct Handles {
    private var items: [Int64: MergeBook.Item] = [:]
    private var named: [String: MergeBook.Named] = [:]
    private var owners: [String: MergeBook.Owner] = [:]

    mutating func take(from editor: ModelEditor, _ random: inout SeededGenerator) {
        let model = editor.model
        if let key = model.items.keys.sorted().last, items[key] == nil {
            items[key] = editor.item(key)
        }
        if let title = model.named.keys.sorted().last, named[title] == nil {
            named[title] = editor.named(title)
        }
        if let label = model.owners.keys.sorted().last, owners[label] == nil {
            owners[label] = editor.owner(label)
        }
    }

    /// Forgets objects that the draft has added and that are gone: others may add one with the
    /// same name.
    mutating func forgetLost(_ model: MergeModel, _ base: MergeModel) {
        named = named.filter { model.named[$0.key] != nil || base.named[$0.key] != nil }
    }

    func difference(from model: MergeModel) -> String? {
        for (key, item) in items {
            let shown = item.isInvalidated ? nil : MergeModel.Item(item)
            if shown != model.items[key] { return "the kept item \(key) is \(shown as Any)" }
        }
        for (title, row) in named {
            let shown = row.isInvalidated ? nil : MergeModel.Named(row)
            if shown != model.named[title] { return "the kept row \(title) is \(shown as Any)" }
        }
        let visible = model.visible
        for (label, owner) in owners {
            let shown = owner.isInvalidated ? nil : MergeModel.Owner(owner)
            if shown != visible.owners[label] {
                return "the kept owner \(label) is \(shown as Any)"
            }
        }
        return nil
    }
}

extension MergeModel {
    /// The first difference, as text.
    func difference(from expected: MergeModel) -> String? {
        func first<Key: Comparable & Hashable, Value: Equatable>(
            _ own: [Key: Value], _ others: [Key: Value]
        ) -> String? {
            for key in Set(own.keys).union(others.keys).sorted() where own[key] != others[key] {
                return "\(key) is \(own[key] as Any) instead of \(others[key] as Any)"
            }
            return nil
        }
        return first(items, expected.items) ?? first(named, expected.named)
            ?? first(owners, expected.owners)
    }
}
