public import Foundation
import FreeholdStorage

/// A data source for a list on a screen. Its rows stay unchanged until the screen receives the
/// steps to the next ones.
///
/// A table asks for rows at any time, and fails if they differ from those that it knows.
/// Live results always show the newest version, so a table cannot use them directly. A
/// controller shows a collection in one version of the file, and follows writes of all threads
/// and processes. Each ``ListBatch`` leads from the rows that the table shows to those that the
/// controller shows from then on. Between two batches nothing changes, not even in a write
/// transaction of the realm.
///
/// ```text
/// final class PeopleScreen: UITableViewController {
///     let people = ListController(realm.objects(Person.self).sorted(by: \.name))
///     var token: NotificationToken?
///
///     override func viewDidLoad() {
///         token = people.observe { [unowned self] batch in
///             tableView.performBatchUpdates {
///                 for step in batch.structure { perform(step) }
///             }
///             for step in batch.updates { perform(step) }
///         }
///     }
///
///     func perform(_ step: ListStep) {
///         switch step {
///         case .deleteItem(let path): tableView.deleteRows(at: [path], with: .automatic)
///         case .insertItem(let path): tableView.insertRows(at: [path], with: .automatic)
///         case .deleteSection(let section): tableView.deleteSections([section], with: .automatic)
///         case .insertSection(let section): tableView.insertSections([section], with: .automatic)
///         case .updateItem(let path): tableView.reloadRows(at: [path], with: .none)
///         }
///     }
///
///     override func tableView(_ view: UITableView, numberOfRowsInSection section: Int) -> Int {
///         people.numberOfItems(in: section)
///     }
/// }
/// ```
///
/// A terminal keeps its lines and performs the steps one by one:
///
/// ```swift
/// var lines = people.objects(in: 0).map(\.name)
/// for await batch in people.updates {
///     for step in batch.steps {
///         switch step {
///         case .deleteItem(let path): lines.remove(at: path.item)
///         case .insertItem(let path): lines.insert(people.object(at: path).name, at: path.item)
///         case .updateItem(let path): lines[path.item] = people.object(at: path).name
///         case .deleteSection, .insertSection: break      // of a SectionedListController
///         }
///     }
///     draw(lines)
/// }
/// ```
///
/// A list without sections has one section, 0, even while it is empty.
/// ``SectionedListController`` has the sections of a ``SectionedResults``.
///
/// Objects are frozen, with the properties that belong to the rows: `thaw()` returns the live
/// object for changes, or nil if it is deleted. The displayed version stays in the file until
/// the next one is shown. A controller that is not followed makes the file grow like a frozen
/// realm. It shows its initial contents until it is followed, by ``observe(_:)`` or ``updates``;
/// from then on it shows what its batches lead to.
///
/// Thread rule: confined to the realm of the collection.
public class ListController<Element: RealmCollectionValue> {
    private let core: RealmCore
    private let source: any ListSource<Element>
    /// Protected by confinement, like everything below.
    final private(set) var contents: any ListContents<Element> {
        didSet {
            if contents.core !== oldValue.core { pin = ListController.pin(contents, site, core) }
        }
    }
    private let site: CreationSite
    /// Lists the displayed version in reports.
    private var pin: ReaderPin
    /// The number of observers so far. Only the newest one is active.
    private var follower = 0
    /// Batches that arrived while the block was running.
    private var waiting: [(batch: ListBatch, contents: any ListContents<Element>)] = []
    private var isHandingOver = false

    init(_ core: RealmCore, _ source: any ListSource<Element>, _ site: CreationSite) {
        core.checkObservable()
        self.core = core
        self.source = source
        self.site = site
        let contents = source.contents(in: core.observedVersion.core(of: core.origin), state: nil)
        self.contents = contents
        pin = ListController.pin(contents, site, core)
    }

    private static func pin(
        _ contents: any ListContents<Element>, _ site: CreationSite, _ core: RealmCore
    ) -> ReaderPin {
        ReaderPin(
            .listController, contents.core.currentSnapshot.version, site, in: core.coordinator.pins)
    }

    /// Creates a controller that shows the current contents of a collection. Evaluates its query
    /// when the rows are first requested.
    ///
    /// - Parameters:
    ///   - collection: A live managed collection.
    ///   - keyPaths: The properties whose changes count, as for
    ///     ``RealmCollection/observe(keyPaths:_:)-([String]?,_)``; nil for all, four links deep.
    ///   - fileID: The source file of the call, for ``Realm/versionReport()``. Omit it.
    ///   - line: The source line of the call, for ``Realm/versionReport()``. Omit it.
    /// - Precondition: The collection's realm is not read-only, and not in a write transaction
    ///   that has changed something.
    public convenience init<Base: RealmCollection>(
        _ collection: Base, keyPaths: [String]? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) where Base.Element == Element {
        guard let observable = collection as? any CollectionOfRealm,
            let observed = observable.observed("ListController"),
            let referable = collection as? any Referable
        else { refuseUnmanaged(Base.self) }
        _ = observed.paths(keyPaths)
        self.init(
            observed.core,
            FlatSource<Base>(referable: referable, observed: observed, keyPaths: keyPaths),
            CreationSite(fileID: fileID, line: line))
    }

    // MARK: What is shown

    /// The number of sections: 1 in a list without sections. O(1).
    public final var numberOfSections: Int {
        checkUse("numberOfSections")
        return contents.sectionCount
    }

    /// Returns the number of rows in a section. O(1). Traps if there is no such section.
    public final func numberOfItems(in section: Int) -> Int {
        checkUse("numberOfItems(in:)")
        checkPosition(section, count: contents.sectionCount, "ListController")
        return contents.itemCount(in: section)
    }

    /// Returns the element of a row: a frozen object as displayed, or a value. O(1) plus one
    /// look-up of a key. Traps if there is no such row.
    public final func object(at path: IndexPath) -> Element {
        checkUse("object(at:)")
        if path.count != 2 {
            misuse(
                "Index path \(path) does not lead to an element of a section.",
                remedy: "It has \(path.count) indexes: use IndexPath(item:section:).")
        }
        checkPosition(path.section, count: contents.sectionCount, "ListController")
        checkPosition(path.item, count: contents.itemCount(in: path.section), "ListController")
        return contents.element(path.section, path.item)
    }

    /// Returns the elements of a section, like ``object(at:)``. O(rows of the section). Traps if
    /// there is no such section.
    public final func objects(in section: Int) -> [Element] {
        checkUse("objects(in:)")
        checkPosition(section, count: contents.sectionCount, "ListController")
        return (0..<contents.itemCount(in: section)).map { contents.element(section, $0) }
    }

    /// Returns the position of an element; nil if it is not shown. The object may be live or
    /// frozen, of any version. O(rows); O(log rows) for objects in a list that is not sorted.
    public final func indexPath(for element: Element) -> IndexPath? {
        checkUse("indexPath(for:)")
        return contents.core.counterpart(of: element).flatMap { contents.place(of: $0) }.map {
            IndexPath(item: $0.item, section: $0.section)
        }
    }

    // MARK: Following

    /// Calls a block with every batch of steps. The first batch starts from the displayed
    /// contents; it comes only if something has changed since.
    ///
    /// The block is called where and when ``RealmCollection/observe(keyPaths:_:)-([String]?,_)``
    /// calls its block. The controller then shows the contents after the batch. If the block
    /// writes, the resulting batch comes after the block has returned. A controller has one
    /// observer at a time: the newest.
    ///
    /// - Returns: A token. Keep it while the block should be called. The displayed contents stay
    ///   when it ends.
    /// - Note: Traps if there is no way to call back, like
    ///   ``RealmCollection/observe(keyPaths:_:)-([String]?,_)``. The block should not retain the
    ///   controller: capture it weakly.
    public final func observe(_ block: @escaping (ListBatch) -> Void) -> NotificationToken {
        checkUse("observe(_:)")
        return core.register(
            makeObserver { [weak self] batch, contents, observer in
                guard let self else { return }
                waiting.append((batch, contents))
                if isHandingOver { return }
                isHandingOver = true
                defer { isHandingOver = false }
                while !waiting.isEmpty {
                    let next = waiting.removeFirst()
                    self.contents = next.contents
                    block(next.batch)
                    // The block may have ended this observer, or started another.
                    if !observer() { waiting = [] }
                }
            })
    }

    /// The batches, for `for await`. See ``observe(_:)``, and ``AsyncChanges`` for when the loop
    /// receives them and ends.
    public final var updates: AsyncChanges<ListBatch> {
        AsyncChanges { block in
            self.checkUse("updates")
            return (
                self.core,
                self.makeObserver { batch, contents, _ in
                    self.contents = contents
                    block(batch)
                }
            )
        }
    }

    /// Creates an observer that starts from the displayed contents.
    ///
    /// - Parameter call: Its last argument tells whether the observer is still the active one.
    private func makeObserver(
        _ call: @escaping (ListBatch, any ListContents<Element>, () -> Bool) -> Void
    ) -> Observer {
        follower += 1
        let number = follower
        waiting = []
        let reference = WeakReference<Observer>()
        let observer = source.observer { [weak self] batch, contents in
            let isCurrent = { () -> Bool in
                guard let self, self.follower == number, let observer = reference.object else {
                    return false
                }
                return self.core.listener?.contains(observer) ?? false
            }
            if self?.follower == number { call(batch, contents, isCurrent) }
        }
        observer.passed = { [weak self] target, state in
            if let self, follower == number { pass(to: target, state) }
        }
        reference.object = observer
        observer.delivered = ObservedVersion(contents.core)
        return observer
    }

    /// Moves to a version with the same rows, so that the displayed version does not stay in the
    /// file for ever.
    private func pass(to target: ObservedVersion, _ state: (any Sendable)?) {
        if isHandingOver { return }
        let frozen = target.core(of: core.origin)
        let areSameRows = frozen.draftMoment == contents.core.draftMoment
        contents =
            state == nil && areSameRows
            ? contents.moved(to: frozen) : source.contents(in: frozen, state: state)
    }

    final func checkUse(_ operation: @autoclosure () -> String) {
        core.checkConfinement("\(operation()) of ListController<\(Element.self)>")
    }
}

/// A weak reference to an object.
private final class WeakReference<Object: AnyObject> {
    weak var object: Object?
}

extension ListController where Element: ObjectBase {
    /// Creates a controller like ``init(_:keyPaths:fileID:line:)``, with Swift key paths:
    /// `[\.name, \.owner?.name]`.
    ///
    /// - Parameters:
    ///   - collection: A live managed collection.
    ///   - keyPaths: The properties to observe.
    ///   - fileID: The source file of the call, for reports. Omit it.
    ///   - line: The source line of the call, for reports. Omit it.
    public convenience init<Base: RealmCollection>(
        _ collection: Base, keyPaths: [PartialKeyPath<Element>], fileID: StaticString = #fileID,
        line: UInt = #line
    ) where Base.Element == Element {
        self.init(
            collection, keyPaths: names(of: keyPaths, from: Element.self), fileID: fileID,
            line: line)
    }
}

@available(
    *, unavailable,
    message: "List controllers are confined to their realm's thread, queue or actor."
)
extension ListController: Sendable {}

/// Traps outside of `0 ..< count`, with Realm's text.
private func checkPosition(_ position: Int, count: Int, _ name: @autoclosure () -> String) {
    if position >= 0 && position < count { return }
    refusePosition(
        position, count: count,
        remedy: """
            \(name()) shows what it was given last: compare the index with what it says right \
            before.
            """)
}
