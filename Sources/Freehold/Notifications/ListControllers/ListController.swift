public import Foundation
import FreeholdStorage

/// What a screen with a list needs: the rows that it shows, which stay as they are until the
/// screen has been told what to do to show the next ones.
///
/// A table asks for rows whenever it likes, and breaks if there are other rows than it was told
/// of. Live results are always the newest, so they cannot be asked. A controller shows a
/// collection as it was in one version of the file; it follows saves from any thread or
/// process, and each ``ListBatch`` that it hands over leads from what the table shows to what
/// the controller shows from then on. Between two batches nothing changes, whatever the realm
/// does meanwhile: not in a write transaction either.
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
///     override func tableView(_ view: UITableView, numberOfRowsInSection section: Int) -> Int { people.numberOfItems(in: section) }
/// }
/// ```
///
/// A terminal keeps its lines and does the steps one by one:
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
/// A list without sections has one section, 0, also while it is empty.
/// ``SectionedListController`` has those of a ``SectionedResults``.
///
/// Objects come out frozen, with the properties that belong to the rows: `thaw()` gives the
/// live one, to be changed, or nil if it is gone. The version that is shown stays in the file
/// until the next one is shown; a controller that is not followed makes the file grow as a
/// frozen realm does. The controller shows what there was when it was made until it is
/// followed, by ``observe(_:)`` or ``updates``, and from then on what it is told.
///
/// Thread rule: confined to the realm of the collection.
public class ListController<Element: RealmCollectionValue> {
    private let core: RealmCore
    private let source: any ListSource<Element>
    /// Protected by confinement, as everything below.
    final private(set) var contents: any ListContents<Element> {
        didSet {
            if contents.core !== oldValue.core { hold = ListController.hold(contents, site, core) }
        }
    }
    private let site: CreationSite
    /// Says in reports that the version is shown.
    private var hold: ReaderPin
    /// Counts the observers that were made. Only the newest one is listened to.
    private var follower = 0
    /// What came while the block was running.
    private var waiting: [(batch: ListBatch, contents: any ListContents<Element>)] = []
    private var isHandingOver = false

    init(_ core: RealmCore, _ source: any ListSource<Element>, _ site: CreationSite) {
        core.checkObservable()
        self.core = core
        self.source = source
        self.site = site
        let contents = source.contents(in: core.origin.frozenCore(core.currentSnapshot), state: nil)
        self.contents = contents
        hold = ListController.hold(contents, site, core)
    }

    private static func hold(
        _ contents: any ListContents<Element>, _ site: CreationSite, _ core: RealmCore
    ) -> ReaderPin {
        ReaderPin(
            .listController, contents.core.currentSnapshot.version, site, in: core.coordinator.holds
        )
    }

    /// Shows a collection as it is now. Evaluates its query when the rows are first asked for.
    ///
    /// - Parameters:
    ///   - collection: A managed collection, live. Traps if it is not, or if its realm is
    ///     read-only or in a write transaction that has changed something.
    ///   - keyPaths: What counts as a change of an object, as for
    ///     ``RealmCollection/observe(keyPaths:_:)-([String]?,_)``; nil for everything, four links
    ///     deep.
    ///   - fileID: Where the controller is made, for ``Realm/versionReport()``. Leave it out.
    ///   - line: As `fileID`.
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
            FlatSource<Base>(portable: referable.portable, observed: observed, keyPaths: keyPaths),
            CreationSite(fileID: fileID, line: line))
    }

    // MARK: What is shown

    /// How many sections there are: 1 in a list without sections. O(1).
    public final var numberOfSections: Int {
        checkUse("numberOfSections")
        return contents.sectionCount
    }

    /// How many rows a section has. O(1). Traps if there is no such section.
    public final func numberOfItems(in section: Int) -> Int {
        checkUse("numberOfItems(in:)")
        checkPosition(section, count: contents.sectionCount, "ListController")
        return contents.itemCount(in: section)
    }

    /// The element of a row: a frozen object, as it is shown, or a value. O(1) plus one look-up
    /// of a key. Traps if there is no such row.
    public final func object(at path: IndexPath) -> Element {
        checkUse("object(at:)")
        if path.count != 2 {
            violation(
                .misuse(
                    text: "Index path \(path) does not lead to an element of a section.",
                    remedy: "It has \(path.count) indexes: use IndexPath(item:section:)."))
        }
        checkPosition(path.section, count: contents.sectionCount, "ListController")
        checkPosition(path.item, count: contents.itemCount(in: path.section), "ListController")
        return contents.element(path.section, path.item)
    }

    /// The elements of a section, as ``object(at:)`` gives them. O(rows of the section). Traps
    /// if there is no such section.
    public final func objects(in section: Int) -> [Element] {
        checkUse("objects(in:)")
        checkPosition(section, count: contents.sectionCount, "ListController")
        return (0..<contents.itemCount(in: section)).map { contents.element(section, $0) }
    }

    /// Where an element is shown, nil if it is not. The object may be live or frozen, of any
    /// version. O(rows); O(log rows) for objects in a list that is not sorted.
    public final func indexPath(for element: Element) -> IndexPath? {
        checkUse("indexPath(for:)")
        return contents.core.counterpart(of: element).flatMap { contents.place(of: $0) }.map {
            IndexPath(item: $0.item, section: $0.section)
        }
    }

    // MARK: Following

    /// Calls a block with every batch of steps. The first one, if anything changed since, leads
    /// on from what is shown now.
    ///
    /// Called where and when ``RealmCollection/observe(keyPaths:_:)-([String]?,_)`` calls its
    /// block, with the controller showing what there is after the batch. If the block writes, the
    /// batch of that comes after it has returned. A controller tells one at a time: whoever began
    /// last.
    ///
    /// - Returns: A token, to be kept for as long as the block is to be called. What is shown
    ///   stays when it ends.
    /// - Note: Traps where nothing could call back, as
    ///   ``RealmCollection/observe(keyPaths:_:)-([String]?,_)``. The block should not keep the
    ///   controller, or keep it weakly.
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
                    // The block may have ended this, or begun another.
                    if !observer() { waiting = [] }
                }
            })
    }

    /// The batches, for `for await`. As ``observe(_:)``; see ``AsyncChanges`` for when the loop
    /// gets them, and ends.
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

    /// An observer that is told from what is shown on.
    ///
    /// - Parameter call: Also told how to find out whether the observer is still the one that
    ///   is listened to.
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
        observer.told = ObservedVersion(contents.core.currentSnapshot)
        return observer
    }

    /// There is a version with the same rows: so that the one that is shown does not stay in
    /// the file for ever.
    private func pass(to target: Snapshot, _ state: (any Sendable)?) {
        if isHandingOver { return }
        let frozen = core.origin.frozenCore(target)
        contents =
            state == nil ? contents.moved(to: frozen) : source.contents(in: frozen, state: state)
    }

    final func checkUse(_ operation: @autoclosure () -> String) {
        core.checkConfinement("\(operation()) of ListController<\(Element.self)>")
    }
}

/// Refers to what must not be kept alive.
private final class WeakReference<Object: AnyObject> {
    weak var object: Object?
}

extension ListController where Element: ObjectBase {
    /// As ``init(_:keyPaths:fileID:line:)``, with key paths of Swift: `[\.name, \.owner?.name]`.
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
