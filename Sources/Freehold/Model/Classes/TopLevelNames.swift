// Names that Realm Swift has outside of its types.

/// An asynchronous transaction: what `writeAsync`, `beginAsyncWrite` and `commitAsyncWrite` of
/// a ``Realm`` return.
public typealias AsyncTransactionId = Realm.AsyncTransactionId

/// What is called when a realm changed: see ``Realm/observe(_:)``.
public typealias NotificationBlock = Realm.NotificationBlock

/// The name that ``ObjectKeyIdentifiable`` had before.
@available(*, deprecated, renamed: "ObjectKeyIdentifiable")
public typealias ObjectKeyIdentifable = ObjectKeyIdentifiable

/// The name that ``SectionedResultsIterator`` had before.
@available(*, deprecated, renamed: "SectionedResultsIterator")
public typealias RLMSectionedResultsIterator = SectionedResultsIterator

/// The name that ``SectionIterator`` had before.
@available(*, deprecated, renamed: "SectionIterator")
public typealias RLMSectionIterator = SectionIterator
