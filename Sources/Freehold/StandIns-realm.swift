import FreeholdStorage

// Signatures that the objects branch brings.
enum PrimaryKeyValue { case rowKey(Int64), index(IndexKey) }
extension ClassSchema {
    static func shared(for type: ObjectBase.Type) throws -> ClassSchema { fatalError() }
    static func discoverAll() throws -> [ClassSchema] { fatalError() }
    func property(named: String) -> PropertyDescriptor? { fatalError() }
}
extension ClassBinding {
    func makeAccessor(key: Int64, cluster: ClusterView, row: Int) -> ObjectBase { fatalError() }
    func attach(_ object: ObjectBase, to row: MutableRow) { fatalError() }
    func storeValues(of object: ObjectBase, into row: MutableRow, onlyDiffering: Bool, skippingPrimaryKey: Bool) { fatalError() }
    func indexKey(ofPrimaryKeyValue value: Any?) throws -> PrimaryKeyValue { fatalError() }
    func primaryKeyValue(of object: ObjectBase) -> PrimaryKeyValue { fatalError() }
}
open class Object: ObjectBase {}
extension ObjectBase {
    class func className() -> String { fatalError() }
    func unsafeWrapper(of property: PropertyDescriptor) -> UnsafeMutableRawPointer { fatalError() }
}
