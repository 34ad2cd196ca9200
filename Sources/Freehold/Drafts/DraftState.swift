import FreeholdStorage
import Synchronization

/// What makes a realm a draft, beside its core. Confined like it.
final class DraftState {
    /// The draft that this one is saved into; nil if it is saved into the file.
    let parent: RealmCore?
    let site: CreationSite
    /// The parent's edits when this draft began, was last saved or rebased; nil without a parent.
    @exclusivity(unchecked) var parentEdits: WriteSet?
    /// The number of the parent's ``moves`` that `parentEdits` include.
    @exclusivity(unchecked) var parentMoveCount = 0
    /// The edits at the last savepoint, which does not change any more: equal to the current ones
    /// while nothing has changed since.
    @exclusivity(unchecked) var lastSavepoint: WriteSet?
    /// Reports that the draft keeps its version.
    @exclusivity(unchecked) var pin: ReaderPin?
    /// The open group of edits.
    @exclusivity(unchecked) var group: EditGroup?
    @exclusivity(unchecked) var undoStack = UndoStack()
    /// The rows that got other keys when edits were merged, oldest first.
    @exclusivity(unchecked) var moves: [RowMove] = []
    /// The next one of the keys that rows get when they are gone: see ``RowMove``.
    @exclusivity(unchecked) var nextAbsentKey: Int64 = -1
    /// What was added to integer properties since the base.
    @exclusivity(unchecked) var increments = Increments()
    /// Who makes the edits, for the history.
    @exclusivity(unchecked) var author: String?
    /// Whether the draft was discarded.
    @exclusivity(unchecked) var isOver = false
    /// Whether a save is on its way to the disk.
    @exclusivity(unchecked) var isSaving = false
    /// Whether there are edits, as found at a moment.
    @exclusivity(unchecked) var knownChanges: (moment: ResultsState.Moment, hasAny: Bool)?

    /// Identifies the draft among all of the process.
    private let number = DraftState.numbers.wrappingAdd(1, ordering: .relaxed).newValue
    private static let numbers = Atomic<UInt64>(0)

    /// Identifies the row keys of a draft's state.
    struct Moment: Hashable {
        fileprivate let number: UInt64
        /// The number of ``moves`` until then.
        let moveCount: Int
    }

    var moment: Moment { Moment(number: number, moveCount: moves.count) }

    /// Notes what was added to integer properties.
    func note(_ added: Increments) {
        increments.add(added)
        undoStack.note(added)
    }

    /// The moves since a moment; nil if it is one of another draft.
    func moves(since moment: Moment) -> ArraySlice<RowMove>? {
        moment.number == number ? moves[moment.moveCount...] : nil
    }

    /// For jobs of the scheduler.
    let reference = DraftReference()
    /// The edits that were made a version for observers, or frozen, last.
    @exclusivity(unchecked) var observed: (edits: WriteSet, version: ObservedVersion)?
    /// The number of such versions so far.
    @exclusivity(unchecked) var observedCount: UInt64 = 0
    /// Versions up to this number lack what the draft took in from others last.
    @exclusivity(unchecked) var foreignCount: UInt64 = 0
    /// What was delivered last.
    @exclusivity(unchecked) var deliveredEdits: WriteSet?
    /// The number of `moves` at the last delivery.
    @exclusivity(unchecked) var deliveredMoveCount = 0
    /// Whether a job will deliver.
    @exclusivity(unchecked) var willDeliver = false

    init(parent: RealmCore?, site: CreationSite) {
        self.parent = parent
        self.site = site
    }

    /// Notes that the next version has changes of others.
    func noteForeignChanges() { foreignCount = observedCount }
}

/// Edits that become one step of undo together: those of a write block.
struct EditGroup {
    var name: String?
    /// The edits before the first of the group.
    let start: WriteSet
}

extension RealmCore {
    /// The state of the draft whose row keys this core has; nil for the file's.
    var draftMoment: DraftState.Moment? { draft?.moment ?? frozenOrigin }

    /// Whether an object's row is none of the file: its draft has added it.
    func isAddedByDraft(_ object: ObjectBase) -> Bool {
        guard draft != nil || frozenEdits != nil, let binding = object.binding else {
            return false
        }
        let table = binding._withUnsafeGuaranteedRef(\.table)
        return !currentSnapshot.table(table).contains(RowKey(rawValue: object.key))
    }
}
