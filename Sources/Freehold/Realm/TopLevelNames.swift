// Names that Realm Swift has outside of its types.

/// An asynchronous transaction: what `writeAsync`, `beginAsyncWrite` and `commitAsyncWrite` of a ``Realm`` return.
public typealias AsyncTransactionId = Realm.AsyncTransactionId

/// What is called when a realm changed: see ``Realm/observe(_:)``.
public typealias NotificationBlock = Realm.NotificationBlock
