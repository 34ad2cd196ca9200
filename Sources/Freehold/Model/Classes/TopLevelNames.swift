// Realm Swift's names outside its types.

/// The id of an asynchronous transaction, as `writeAsync`, `beginAsyncWrite` and
/// `commitAsyncWrite` of a ``Realm`` return it.
public typealias AsyncTransactionId = Realm.AsyncTransactionId

/// The block that ``Realm/observe(_:)`` calls.
public typealias NotificationBlock = Realm.NotificationBlock

/// The former name of ``ObjectKeyIdentifiable``.
@available(*, deprecated, renamed: "ObjectKeyIdentifiable")
public typealias ObjectKeyIdentifable = ObjectKeyIdentifiable

/// The former name of ``SectionedResultsIterator``.
@available(*, deprecated, renamed: "SectionedResultsIterator")
public typealias RLMSectionedResultsIterator = SectionedResultsIterator

/// The former name of ``SectionIterator``.
@available(*, deprecated, renamed: "SectionIterator")
public typealias RLMSectionIterator = SectionIterator
