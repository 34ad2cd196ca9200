import FreeholdStorage

/// Creates instances of one model class that read from given columns.
///
/// An accessor is an instance whose wrappers hold column positions and no values, so all
/// accessors of a class in a realm begin as the same bytes. If the class has only persisted
/// stored properties, those bytes are copied into fresh memory. The class's initialisers and
/// default values do not run, and a new accessor costs one allocation. Nothing in the bytes is
/// reference counted: the wrappers' values are nil, and the base class's fields are those of an
/// unmanaged object.
///
/// Other classes may have state that only their initialisers can set up. Their instances are
/// initialised and then attached.
///
/// `@unchecked Sendable`: immutable after `init`; the instance it points to is private.
final class AccessorTemplate: @unchecked Sendable {
    private let type: ObjectBase.Type
    private let size: Int
    private let alignmentMask: Int
    /// An attached instance; nil if instances cannot be copied.
    private let original: ObjectBase?
    /// The start of its fields, read without retaining it.
    private let originalFields: UnsafeRawPointer?
    /// Every property.
    private let slots: ContiguousArray<PropertySlot>
    /// Whether to store the object in its wrappers. Needed if the class is `Encodable`:
    /// synthesised code passes wrappers without their object.
    private let ownsWrappers: Bool

    /// The bytes in front of the first field of every instance: metadata and reference count.
    static let headerSize = 16

    /// - Parameter usesPrimaryKeyAsRowKey: Whether the row key holds the primary key, which then
    ///   has no column.
    init(schema: ClassSchema, columns: [UInt16], usesPrimaryKeyAsRowKey: Bool) {
        type = schema.type
        ownsWrappers = schema.type is any Encodable.Type
        (size, alignmentMask) = unsafeInstanceLayout(of: schema.type)
        slots = ContiguousArray(
            schema.properties.map {
                PropertySlot(
                    $0, column: ColumnID(rawValue: columns[$0.ordinal]),
                    isRowKey: $0.isPrimaryKey && usesPrimaryKeyAsRowKey)
            }
                + schema.computed.indices.map {
                    PropertySlot(
                        schema.computed[$0],
                        column: ColumnID(rawValue: ComputedPosition(index: $0).wrapper),
                        isRowKey: false)
                })
        if schema.hasOnlyPersistedState {
            let instance = type.init()
            AccessorTemplate.attach(instance, slots)
            instance.primaryKeyPosition = schema.primaryKey.map { columns[$0] } ?? 0
            original = instance
        } else {
            original = nil
        }
        originalFields = original.map(Self.fields)
    }

    /// Creates dynamic objects, which have no wrappers.
    static let dynamic = AccessorTemplate()

    private init() {
        type = DynamicObject.self
        (size, alignmentMask) = unsafeInstanceLayout(of: DynamicObject.self)
        slots = []
        ownsWrappers = false
        let instance = DynamicObject()
        original = instance
        originalFields = Self.fields(of: instance)
    }

    private static func fields(of instance: ObjectBase) -> UnsafeRawPointer {
        UnsafeRawPointer(Unmanaged.passUnretained(instance).toOpaque() + headerSize)
    }

    /// Creates an instance that is attached to the columns but not yet to a row.
    @inline(__always)
    func make() -> ObjectBase {
        guard let originalFields else { return makeByInitialiser() }
        let instance = unsafeAllocate(type, size, alignmentMask)
        let start = Unmanaged.passUnretained(instance).toOpaque() + AccessorTemplate.headerSize
        start.copyMemory(from: originalFields, byteCount: size &- AccessorTemplate.headerSize)
        let object = unsafeDowncast(instance, to: ObjectBase.self)
        if ownsWrappers { setOwner(object) }
        return object
    }

    @inline(never)
    private func makeByInitialiser() -> ObjectBase {
        let instance = type.init()
        attach(instance)
        return instance
    }

    /// Makes the wrappers of an existing instance read from the columns.
    func attach(_ object: ObjectBase) {
        AccessorTemplate.attach(object, slots)
        if ownsWrappers { setOwner(object) }
    }

    @inline(never)
    private func setOwner(_ object: ObjectBase) {
        let address = Unmanaged.passUnretained(object).toOpaque()
        for slot in slots { PersistedOwner.set(address, at: address + slot.offset) }
    }

    private static func attach(_ object: ObjectBase, _ slots: ContiguousArray<PropertySlot>) {
        let address = Unmanaged.passUnretained(object).toOpaque()
        for slot in slots {
            slot.storage.attach(address + slot.offset, column: slot.column.rawValue)
        }
    }

    /// Writes the values of an unmanaged object into a row, except links.
    func store(
        _ object: ObjectBase, in row: MutableRow, onlyIfDifferent: Bool, skippingPrimaryKey: Bool
    ) {
        let address = Unmanaged.passUnretained(object).toOpaque()
        for slot in slots where slot.isStored && !(slot.isPrimaryKey && skippingPrimaryKey) {
            slot.storage.store(
                address + slot.offset, in: row, slot.column, onlyIfDifferent: onlyIfDifferent)
        }
    }
}

/// The parts of a property that storing and attaching need: plain words.
private struct PropertySlot {
    let storage: any WrapperStorage.Type
    let offset: Int
    /// The content of a managed object's wrapper; for a computed property its
    /// ``ComputedPosition``.
    let column: ColumnID
    let isPrimaryKey: Bool
    /// Whether the value is stored in the column. False for links, computed properties, and a
    /// primary key that is the row key.
    let isStored: Bool

    init(_ property: PropertyDescriptor, column: ColumnID, isRowKey: Bool) {
        storage = property.codec.storage
        offset = property.offset
        self.column = column
        isPrimaryKey = property.isPrimaryKey
        isStored = property.link == nil && !property.isComputed && !isRowKey
    }
}

/// The size of a class's instances and their alignment minus one, from the class's metadata.
func unsafeInstanceLayout(of type: ObjectBase.Type) -> (size: Int, alignmentMask: Int) {
    let metadata = unsafeBitCast(type as AnyClass, to: UnsafeRawPointer.self)
    return (
        Int(metadata.load(fromByteOffset: ClassMetadataLayout.instanceSize, as: UInt32.self)),
        Int(metadata.load(fromByteOffset: ClassMetadataLayout.alignmentMask, as: UInt16.self))
    )
}

/// Allocates an instance without initialising its fields. This is the runtime entry point that
/// the standard library's buffers use.
@_silgen_name("swift_bufferAllocate")
func unsafeAllocate(_ type: AnyClass, _ size: Int, _ alignmentMask: Int) -> AnyObject
