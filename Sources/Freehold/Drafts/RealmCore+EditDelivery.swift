extension RealmCore {
    /// Tells a draft's observers of its edits so far. Returns whether there were any.
    func deliverEdits() -> Bool { false }
}
