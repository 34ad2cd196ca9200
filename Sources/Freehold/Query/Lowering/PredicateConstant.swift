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
    /// What a type of the program is stored as, if that is an embedded object.
    indirect case members(PredicateMembers)
    /// A list or a dictionary, which an any value may be.
    case list([PredicateConstant])
    case dictionary([String: PredicateConstant])
    /// A region, which locations are in.
    indirect case geo(GeoShape)
    /// What is compared with a property that stores it as something else is converted before;
    /// this is of a type that no property has.
    case unsupported(description: String)
}

/// An object in a condition: which one it is, without keeping it.
struct PredicateObject: Hashable, Sendable {
    /// The name of its class.
    let className: String
    /// The file that it is in; nil for one that is in no realm, or that was deleted: nothing in
    /// a file equals it.
    let file: PredicateFile?
    let key: Int64
    /// The object itself while a typed query is made, which gives it back as an argument.
    var original = OriginalObject()
}

/// An object that a constant was made from. All are equal: they say nothing of a condition.
// Sendable: trees that leave their thread are without.
struct OriginalObject: Hashable, @unchecked Sendable {
    var object: ObjectBase?

    static func == (a: OriginalObject, b: OriginalObject) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}

/// A file in a condition: which one it is, without keeping it open. It is the same file when it
/// is opened again, and another one that takes its place is not.
struct PredicateFile: Hashable, Sendable {
    private let identity: FileIdentity
    private let uuid: UniqueIdentifier

    init(_ store: Store) {
        identity = store.environment.fileIdentity
        uuid = store.environment.uuid
    }
}
