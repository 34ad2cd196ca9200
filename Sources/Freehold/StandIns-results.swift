public import Foundation
import FreeholdStorage

// Signatures that the branches objects and realm replace.

public protocol _RealmSchemaDiscoverable {}
public protocol _HasPersistedType: _RealmSchemaDiscoverable { associatedtype PersistedType: _HasPersistedType }
public protocol RealmCollectionValue: Hashable, _HasPersistedType where PersistedType: RealmCollectionValue {}
public protocol MinMaxType {}
public protocol AddableType {}
public protocol SortableType {}
public protocol OptionalProtocol { associatedtype Wrapped }
public protocol PersistableEnum: RawRepresentable, CaseIterable, RealmCollectionValue, Comparable where RawValue: RealmCollectionValue, PersistedType == RawValue {}
extension PersistableEnum { public static func < (a: Self, b: Self) -> Bool { fatalError() } }
extension Optional: OptionalProtocol {}
extension Optional: _RealmSchemaDiscoverable where Wrapped: _RealmSchemaDiscoverable {}
extension Optional: _HasPersistedType where Wrapped: _HasPersistedType { public typealias PersistedType = Wrapped.PersistedType? }
extension Optional: RealmCollectionValue where Wrapped: RealmCollectionValue {}
extension Optional: _Persistable where Wrapped: _Persistable {
    public static func _rlmDefaultValue() -> Self { nil }
    public static func _read(_ object: ObjectBase, _ column: Int) -> Self { fatalError() }
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: Self) { fatalError() }
}
extension _Persistable {
    public static func _rlmDefaultValue() -> Self { fatalError() }
    public static func _read(_ object: ObjectBase, _ column: Int) -> Self { fatalError() }
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: Self) { fatalError() }
}
extension Int: RealmCollectionValue, MinMaxType, AddableType, SortableType { public typealias PersistedType = Int }
extension Int8: RealmCollectionValue, MinMaxType, AddableType, SortableType, _Persistable { public typealias PersistedType = Int8 }
extension Double: RealmCollectionValue, MinMaxType, AddableType, SortableType, _Persistable { public typealias PersistedType = Double }
extension Float: RealmCollectionValue, MinMaxType, AddableType, SortableType, _Persistable { public typealias PersistedType = Float }
extension Bool: RealmCollectionValue, SortableType, _Persistable { public typealias PersistedType = Bool }
extension String: RealmCollectionValue, SortableType, _Persistable { public typealias PersistedType = String }
extension Date: RealmCollectionValue, MinMaxType, SortableType, _Persistable { public typealias PersistedType = Date }
extension Data: RealmCollectionValue, _Persistable { public typealias PersistedType = Data }
extension UUID: RealmCollectionValue, _Persistable { public typealias PersistedType = UUID }
extension ObjectId: RealmCollectionValue, _Persistable { public typealias PersistedType = ObjectId }
extension Decimal128: RealmCollectionValue, MinMaxType, AddableType, SortableType, _Persistable { public typealias PersistedType = Decimal128 }

open class Object: ObjectBase, RealmCollectionValue, _Persistable {
    public typealias PersistedType = Object
    public static func == (a: Object, b: Object) -> Bool { a === b }
    public func hash(into hasher: inout Hasher) {}
    public class func className() -> String { "" }
    public func value(forKey key: String) -> Any? { nil }
    public func setValue(_ value: Any?, forKey key: String) {}
    public var isInvalidated: Bool { false }
}

public protocol ThreadConfined {
    var realm: Realm? { get }
    var isInvalidated: Bool { get }
    var isFrozen: Bool { get }
    func freeze() -> Self
    func thaw() -> Self?
}
public struct Realm {
    let core: RealmCore
    func freeze() -> Realm { self }
    func thaw() -> Realm { self }
}
enum KeyPathNames {
    static func names(of keyPath: AnyKeyPath, from root: ObjectBase.Type) -> [String] { fatalError() }
}
extension ClassSchema {
    var hasOnlyPersistedState: Bool { true }
    func property(named name: String) -> PropertyDescriptor? { properties.first { $0.name == name } }
    static func shared(for type: ObjectBase.Type) throws -> ClassSchema { fatalError() }
}
extension PropertyDescriptor { var ordinal: Int { 0 } }
extension ClassBinding {
    func makeAccessor(key: Int64, cluster: ClusterView, row: Int) -> ObjectBase { fatalError() }
    func move(_ object: ObjectBase, key: Int64, cluster: ClusterView, row: Int) { fatalError() }
}
extension RealmCore {
    func binding(for type: ObjectBase.Type) -> ClassBinding { fatalError() }
    func linkTargetKey(for object: ObjectBase) -> Int64 { fatalError() }
    func requireWrite(_ operation: String) {}
    func delete(keys: [Int64], of binding: ClassBinding) {}
}
extension Violation { static func misuse(text: String, remedy: String) -> Violation { fatalError(text) } }
extension RealmCore {
    func binding(named name: String) -> ClassBinding? { fatalError() }
    func isInvalidated(since generation: UInt64) -> Bool { false }
    func table(of binding: ClassBinding) -> TableView { fatalError() }
}


/// Types that a query can compare by size. The library conforms the types that work.
public protocol _QueryNumeric {}
extension Int: _QueryNumeric {}
extension Int8: _QueryNumeric {}
extension Int16: _QueryNumeric {}
extension Int32: _QueryNumeric {}
extension Int64: _QueryNumeric {}
extension Float: _QueryNumeric {}
extension Double: _QueryNumeric {}
extension Decimal128: _QueryNumeric {}
extension Date: _QueryNumeric {}
extension Optional: _QueryNumeric where Wrapped: _HasPersistedType, Wrapped.PersistedType: _QueryNumeric {}

/// Types that a query can search for a part, and compare byte by byte. The library conforms the types that work.
public protocol _QueryBinary {}
extension Data: _QueryBinary {}
extension Optional: _QueryBinary where Wrapped: _HasPersistedType, Wrapped.PersistedType: _QueryBinary {}

/// Types that a query can match with wildcards. The library conforms the types that work.
public protocol _QueryString: _QueryBinary {}
extension String: _QueryString {}
extension Optional: _QueryString where Wrapped: _HasPersistedType, Wrapped.PersistedType: _QueryString {}
