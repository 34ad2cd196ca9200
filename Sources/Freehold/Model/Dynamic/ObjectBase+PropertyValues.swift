import FreeholdStorage

// Accesses properties by their descriptors, on objects with and without wrappers. A dynamic
// object is one accessor for all classes and has no wrappers. Its codecs receive a stand-in that
// contains the column position, which is all that they read from the wrapper of a managed
// object.

extension ObjectBase {
    /// The value of a property, managed or not; an enum's raw value. A dynamic object returns
    /// other objects as dynamic ones.
    final func value(of property: PropertyDescriptor) -> Any? {
        if let binding = dynamicBinding {
            if let target = property.objectType {
                return dynamicValue(of: property, target, binding)
            }
            if let collection = storedCollection(of: property) { return collection }
        }
        return withWrapper(of: property) { property.codec.value(of: self, wrapper: $0) }
    }

    /// Converts a value to a property's type and assigns it.
    final func assign(_ value: Any?, to property: PropertyDescriptor) throws(InvalidValueError) {
        var refused: InvalidValueError?
        withWrapper(of: property) { wrapper in
            do throws(InvalidValueError) {
                try property.codec.setValue(value, of: self, wrapper: wrapper)
            } catch {
                refused = error
            }
        }
        if let refused { throw refused }
    }

    /// The property whose wrapper is at an address that ``withWrapper(of:_:)`` passed.
    final func property(ofWrapper wrapper: UnsafeMutableRawPointer) -> PropertyDescriptor? {
        guard let binding = dynamicBinding else {
            return reflectedSchema?.properties.first { unsafeWrapper(of: $0) == wrapper }
        }
        let column = wrapper.load(as: UInt16.self)
        return binding.schema.properties.first { binding.columns[$0.ordinal].rawValue == column }
    }

    private final func withWrapper<Result>(
        of property: PropertyDescriptor, _ body: (UnsafeMutableRawPointer) -> Result
    ) -> Result {
        guard let binding = dynamicBinding else { return body(unsafeWrapper(of: property)) }
        // `Persisted.column` is the wrapper's first field for every value type; the rest is not
        // read, and is zero.
        let position =
            property.isComputed
            ? ComputedPosition(index: property.ordinal - binding.schema.properties.count).wrapper
            : binding.columns[property.ordinal].rawValue
        return withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { memory in
            guard let wrapper = memory.baseAddress else {
                preconditionFailure("The memory is not empty.")
            }
            memory.initializeMemory(as: UInt8.self, repeating: 0)
            wrapper.storeBytes(of: position, as: UInt16.self)
            return body(wrapper)
        }
    }
}

// MARK: - Dynamic objects

extension ObjectBase {
    private final func dynamicValue(
        of property: PropertyDescriptor, _ target: ObjectBase.Type, _ binding: ClassBinding
    ) -> Any? {
        if property.isComputed { return dynamicLinkingObjects(of: property, binding) }
        switch property.shape {
        case .list: return List<DynamicObject>(dynamicCollection(of: property))
        case .set: return MutableSet<DynamicObject>(dynamicCollection(of: property))
        case .map: return Map<String, DynamicObject?>(dynamicCollection(of: property))
        case nil: return dynamicLink(of: property, target, binding)
        }
    }

    /// The linked object, as an object of the program's class if there is one. In a migration a
    /// dynamic one, because the class may lack properties.
    private final func dynamicLink(
        of property: PropertyDescriptor, _ target: ObjectBase.Type, _ binding: ClassBinding
    ) -> ObjectBase? {
        let view = columnForReading(binding.columns[property.ordinal].position)
        if view.pointee.isNull(at: row) { return nil }
        let key = view.pointee.integer(at: row)
        let isTyped = !binding.core.isMigrating && !(target is any StoredClass.Type)
        let targetBinding =
            isTyped ? binding.core.binding(for: target) : binding.core.dynamicBinding(for: target)
        let object = binding.core.accessor(key, of: targetBinding)
        if object == nil { binding.core.noteMissingRow(key, of: targetBinding) }
        return object
    }

    private final func dynamicLinkingObjects(
        of property: PropertyDescriptor, _ binding: ClassBinding
    ) -> LinkingObjects<DynamicObject> {
        let position = ComputedPosition(index: property.ordinal - binding.schema.properties.count)
        checkForReading(Int(position.wrapper))
        guard binding.hasBacklinks(position) else { return LinkingObjects(.declared("")) }
        return LinkingObjects(.managed(binding.core, binding.backlinks(position, of: key)))
    }

    /// The elements of a managed object's collection of objects, for reading as dynamic ones.
    /// Also for objects of model classes.
    final func dynamicCollection(of property: PropertyDescriptor) -> ManagedCollection {
        guard let core, let own = binding?.takeUnretainedValue() else {
            preconditionFailure("Unmanaged objects have no elements in a realm.")
        }
        let column = own.columns[property.ordinal]
        _ = columnForReading(column.position)
        let binding = core.dynamicBinding(for: own.schema.type)
        guard let shape = property.shape, let descriptor = binding.elementDescriptor(of: column)
        else { preconditionFailure("'\(property.name)' is a collection of objects.") }
        return ManagedCollection(
            core: core, binding: binding, column: column, key: key, descriptor, shape)
    }
}

extension ClassBinding {
    /// Reads and writes the elements of a collection. If the class is referred to dynamically,
    /// objects are dynamic and values have the stored type.
    func elementDescriptor(of column: ColumnID) -> AnyElementDescriptor? {
        if isDynamic, let ordinal = columns.firstIndex(of: column),
            let shape = schema.properties[ordinal].shape
        {
            let property = schema.properties[ordinal]
            guard let target = property.codec.elementTarget else {
                return property.type.storedScalar.map {
                    valueDescriptor(shape, $0, property.codec.isOptional)
                } ?? elementDescriptors[column.position]
            }
            if shape == .map {
                return ElementDescriptor(
                    shape,
                    LinkElementCodec<DynamicObject?>(
                        object: target, isOptional: true, isDynamic: true), .link)
            }
            return ElementDescriptor(
                shape,
                LinkElementCodec<DynamicObject>(object: target, isOptional: false, isDynamic: true),
                .link)
        }
        return column.position < elementDescriptors.count
            ? elementDescriptors[column.position] : nil
    }

    private func valueDescriptor<Value: ScalarValue>(
        _ shape: CollectionKind, _: Value.Type, _ isOptional: Bool
    ) -> AnyElementDescriptor {
        isOptional
            ? ElementDescriptor(shape, Value?.elementCodec, Value.columnType)
            : ElementDescriptor(shape, Value.elementCodec, Value.columnType)
    }
}
