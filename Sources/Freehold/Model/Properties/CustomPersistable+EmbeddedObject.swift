import FreeholdStorage

// Values of the program that are stored as embedded objects.

extension FailableCustomPersistable where PersistedType: EmbeddedObject {
    /// Returns the default, created together with the object: a new embedded object may have
    /// different contents each time.
    public static func _rlmInitialValue() -> Self? { Self(persistedValue: PersistedType()) }

    /// Reads the property of a managed object: converts its embedded object, or a new one if
    /// there is none. O(log clusters) and the conversion. Traps if that object does not convert.
    public static func _read(_ object: ObjectBase, _ column: Int) -> Self {
        if object.isRecorder {
            _recordValue(object, column)
            if let declared = _declaredValue(object, column) { return declared }
        }
        let stored = PersistedType._read(object, column)
        if let value = Self(persistedValue: stored) { return value }
        // Damage in the embedded object explains a failed conversion. This records it.
        stored.verifyValues()
        return _withoutMapping(stored, object, column)
    }

    /// Reads the optional property of a managed object; nil if there is no embedded object, or
    /// if it does not convert.
    public static func _readOptional(_ object: ObjectBase, _ column: Int) -> Self? {
        if object.isRecorder {
            _recordValue(object, column)
            return nil
        }
        return PersistedType._readOptional(object, column).flatMap(Self.init(persistedValue:))
    }

    /// The conversion is not recorded, because it reads all properties that it needs: a key path
    /// ends at the value.
    private static func _recordValue(_ recorder: ObjectBase, _ column: Int) {
        _ = recorder.columnForReading(column)
    }

    /// Whether the type is converted from embedded objects: `true`.
    public static var _convertsObjects: Bool { true }

    /// Returns the value of an embedded object in a collection. Traps if it does not convert.
    public static func _element(_ object: ObjectBase) -> Self {
        if let element = _optionalElement(object) { return element }
        guard object.verifyValues(), let core = object.core,
            let binding = object.binding?.takeUnretainedValue()
        else { _refuseElement(object) }
        return StandIn.value(in: core) { core.firstRow(of: binding, _optionalElement) }
    }

    /// Returns the value of an embedded object in a collection; nil if it does not convert.
    public static func _optionalElement(_ object: ObjectBase) -> Self? {
        Self(persistedValue: unsafeDowncast(object, to: PersistedType.self))
    }
}

extension _MappedPersistable {
    /// A substitute for an element of a collection that does not convert because the file is
    /// damaged. Reports an element that was stored so.
    ///
    /// - Parameter stored: Another element that converts, if the file has one.
    static func _withoutMapping(
        _ persisted: Any, in elements: ManagedCollection, _ stored: () -> Self?
    ) -> Self {
        guard (persisted as? ObjectBase)?.verifyValues() ?? false || elements.isDamaged else {
            _refuseElement(persisted)
        }
        return StandIn.value(in: elements.core, stored)
    }

    /// Reports an element that does not convert.
    static func _refuseElement(_ persisted: Any) -> Never {
        misuse(
            """
            Could not convert value '\(flattened(persisted) ?? "nil")' to type \
            '\(Self.self)'.
            """,
            remedy: """
                A collection holds a value that its type does not know: make the \
                elements optional, or keep a case for it.
                """)
    }
}
