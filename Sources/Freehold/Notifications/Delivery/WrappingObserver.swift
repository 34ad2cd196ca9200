/// An observer that wraps another one. The inner one computes the changes and calls the
/// callback; the outer one holds the version and state.
class WrappingObserver: Observer, @unchecked Sendable {
    // @unchecked: see the superclass.

    let inner: Observer

    init(_ inner: Observer) {
        self.inner = inner
        super.init()
        passed = inner.passed
    }

    override func follow(
        _ moves: ArraySlice<RowMove>, in core: RealmCore, _ state: (any Sendable)?,
        at old: RealmCore?
    ) -> (any Sendable)? { inner.follow(moves, in: core, state, at: old) }

    override func dropCallback() { inner.dropCallback() }
    override var beginsSilently: Bool { inner.beginsSilently }
    override var movesSilently: Bool { inner.movesSilently }
    override func isUnaffected(by context: ChangeContext) -> Bool {
        inner.isUnaffected(by: context)
    }
    override func begin(in core: RealmCore) -> (any Sendable)? { inner.begin(in: core) }

    override func advance(_ state: (any Sendable)?, in context: ChangeContext) -> (
        state: (any Sendable)?, change: (any Sendable)?
    ) { inner.advance(state, in: context) }

    override func deliverInitial() { inner.deliverInitial() }
    override func deliver(_ change: any Sendable, _ context: ChangeContext) -> Bool {
        inner.deliver(change, context)
    }
}
