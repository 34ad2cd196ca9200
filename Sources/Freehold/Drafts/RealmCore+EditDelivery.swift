import FreeholdStorage

// Swift's Observation in drafts. What was read under `withObservationTracking` is compared with
// the state that was delivered last. That happens on the draft's thread, when a step or a group
// ends, after undo, redo, saving and rebasing, and in `refresh()`.
extension RealmCore {
    /// Tells a draft's observers of its edits so far. Returns whether there were any.
    func deliverEdits() -> Bool {
        guard let draft, !draft.isOver, draft.group == nil, let tracking,
            let delivered = draft.delivered
        else { return false }
        let edits = fork()
        if delivered.state === edits { return false }
        draft.delivered = (edits, draft.moves.count)
        tracking.forgetProvisional()
        if delivered.moveCount != draft.moves.count {
            // Tracked rows have other keys now.
            tracking.tellAll()
        } else {
            do throws(StorageError) {
                tracking.deliver(try VersionDifference(from: delivered.state, to: edits))
            } catch {
                store.noteDamage(error)
            }
        }
        if tracking.isEmpty { draft.delivered = nil }
        return true
    }

    /// Notes a tracked read in a draft. The caller has passed the draft's gate.
    func noteTrackedRead(of property: TrackedProperty, in draft: DraftState) {
        guard let tracking, !draft.isOver else { return }
        tracking.noteRead(property, isProvisional: draft.group != nil)
        // The last fork may be older than what was read. Then an edit in between is reported
        // although it was seen, and none is missed.
        if draft.delivered == nil {
            draft.delivered = (draft.lastFork ?? draftBase, draft.moves.count)
        }
    }
}
