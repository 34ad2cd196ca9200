import Foundation
import FreeholdStorage

/// A value in a condition. Equal by structure: values by type and value, objects by the file,
/// the class and the row.
enum PredicateConstant: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case float(Float)
    case double(Double)
    case string(String)
    case data(Data)
    case date(Date)
    case decimal(Decimal128)
    case fixed(FixedValue)
    indirect case object(PredicateObject)
    /// The members of a type of the program that is stored as an embedded object.
    indirect case members(PredicateMembers)
    /// A list or a dictionary, for comparison with an ``AnyRealmValue``.
    case list([PredicateConstant])
    case dictionary([String: PredicateConstant])
    /// A region, for locations.
    indirect case geo(GeoShape)
    /// A value of a type that no property has. Other values are converted to the stored type
    /// before a comparison.
    case unsupported(description: String)
}

/// An object in a condition. It identifies the object without keeping it.
struct PredicateObject: Hashable, Sendable {
    /// The name of its class.
    let className: String
    /// The file that the object is in. Nil for an object that is in no realm, or that was
    /// deleted: nothing in a file equals it.
    let file: PredicateFile?
    let key: Int64
    /// The object itself while a typed query is built, which returns it as an argument.
    var original = OriginalObject()
}

/// The object that a constant was made from. All are equal, because they do not belong to the
/// condition.
// Sendable: trees that leave their thread do not contain it.
struct OriginalObject: Hashable, @unchecked Sendable {
    var object: ObjectBase?

    static func == (a: OriginalObject, b: OriginalObject) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}

/// A file in a condition. It identifies the file without keeping it open. The same file opened
/// again is equal; another file in its place is not.
struct PredicateFile: Hashable, Sendable {
    private let identity: FileIdentity
    private let uuid: UniqueIdentifier
    /// The state of the draft that has added an object; nil for objects that are in the file.
    private let draft: DraftState.Moment?

    init(_ store: Store, _ draft: DraftState.Moment? = nil) {
        identity = store.environment.fileIdentity
        uuid = store.environment.uuid
        self.draft = draft
    }

    /// The row of an object of this file in a realm; nil if the realm does not know it.
    func key(of object: PredicateObject, in table: TableID, of core: RealmCore) -> Int64? {
        if self == PredicateFile(core.store, draft), let draft {
            if draft == core.draftMoment { return object.key }
            return core.draft?.moves(since: draft)?.key(object.key, in: table)
        }
        return self == PredicateFile(core.store) ? object.key : nil
    }
}

extension RealmCore {
    /// A link to a row in a condition. In drafts it names the table, so that the condition can
    /// follow a row that gets another key (``ScanPredicate/mappingRows(_:)``).
    func link(to key: Int64, in table: TableID) -> ScanValue {
        draft == nil && frozenEdits == nil
            ? .link(RowKey(rawValue: key)) : .object(LinkTarget(table: table, key: key))
    }
}
