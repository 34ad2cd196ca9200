import FreeholdStorage
import Synchronization

/// Finds out which properties a key path reads.
///
/// A recorder is an object that `Persisted` treats as managed but that has no realm. The gate
/// then records the property instead of checking anything. Every read gives zero, an empty text,
/// or, for a link, another recorder. A read that does not start at the last link's target
/// invalidates the recording; a computed property that combines several properties causes such
/// reads.
///
/// A recorder's collections are empty. The element at any position or key is zero, or another
/// recorder for objects (``element(of:)``): `\Person.dogs[0].name` is ["dogs", "name"].
final class KeyPathRecording {
    private var names: [String] = []
    private var isVoid = false
    /// The recorder that the next property must be read from; nil after a property that is not a
    /// link.
    private var expected: ObjectBase?
    /// Whether the last property is a collection, so that one of its elements may be read next.
    private var isAtCollection = false

    static func names(of keyPath: AnyKeyPath, from root: ObjectBase.Type) -> [String] {
        record(root) { $0[keyPath: keyPath] != nil }
    }

    /// The names of the object's properties that a key path of a projection reads.
    static func names<Root: _ProjectionRoot, Projected: Projection<Root>>(
        of keyPath: PartialKeyPath<Projected>, from root: Root.Type, _ project: (Root) -> Projected
    ) -> [String] {
        record(root) { recorder in
            _ = project(unsafeDowncast(recorder, to: Root.self))[keyPath: keyPath]
            return true
        }
    }

    /// The names of the properties that `read` reads. If the result projects a property of a
    /// collection's objects, includes the names to that property. Empty if not everything is
    /// persisted.
    static func names(from root: ObjectBase.Type, reading read: (ObjectBase) -> Any?) -> [String] {
        var value: Any?
        let names = record(root) { recorder in
            value = read(recorder)
            return value != nil
        }
        guard !names.isEmpty, let collection = flattened(value) as? any ProjectedCollectionOfAnyType
        else { return names }
        return names + collection.elementNames
    }

    /// - Parameter read: Reads from the recorder, and returns whether it could.
    private static func record(_ root: ObjectBase.Type, _ read: (ObjectBase) -> Bool) -> [String] {
        let recording = KeyPathRecording()
        guard let recorder = recording.makeRecorder(of: root) else { return [] }
        recording.expected = recorder
        // The recorded code may itself record another key path, like the getter of a projection.
        let thread = ThreadIdentity.current
        let address = UInt(bitPattern: Unmanaged.passUnretained(recording).toOpaque())
        let outer = thread.recording.exchange(address, ordering: .relaxed)
        defer { thread.recording.store(outer, ordering: .relaxed) }
        // The recorders refer to the recording by address.
        return withExtendedLifetime(recording) {
            guard read(recorder) else { return [] }
            return recording.isVoid ? [] : recording.names
        }
    }

    /// A recorder of a class; nil if the class's declaration is not valid.
    fileprivate func makeRecorder(of type: ObjectBase.Type) -> ObjectBase? {
        guard let schema = try? ClassSchema.shared(for: type) else { return nil }
        let recorder = type.init()
        for property in schema.properties + schema.computed {
            property.codec.storage.attach(
                recorder.unsafeWrapper(of: property), column: UInt16(property.ordinal + 1))
        }
        recorder.key = Int64(Int(bitPattern: Unmanaged.passUnretained(self).toOpaque()))
        recorder._managed = true
        return recorder
    }

    fileprivate func note(_ recorder: ObjectBase, position: Int) {
        guard recorder === expected, let schema = try? ClassSchema.shared(for: type(of: recorder))
        else {
            isVoid = true
            return
        }
        names.append(schema.declaredProperty(at: position - 1).name)
        expected = nil
        isAtCollection = false
    }

    fileprivate func noteLink(to recorder: ObjectBase) { expected = recorder }

    fileprivate func noteCollection() { isAtCollection = expected == nil && !isVoid }

    /// The value of a nonexistent element of the collection that was read last; nil if nothing
    /// is being recorded on this thread.
    @inline(never)
    static func element<Element: RealmCollectionValue>(of type: Element.Type = Element.self)
        -> Element?
    {
        let address = ThreadIdentity.current.recording.load(ordering: .relaxed)
        guard let pointer = UnsafeRawPointer(bitPattern: address) else { return nil }
        let recording = Unmanaged<KeyPathRecording>.fromOpaque(pointer).takeUnretainedValue()
        if !recording.isAtCollection { return nil }
        recording.isAtCollection = false
        guard let target = Element._rlmObjectType else {
            return (Element.self as? any _Persistable.Type)?.anyDefaultValue as? Element
        }
        guard let recorder = recording.makeRecorder(of: target) else { return nil }
        recording.noteLink(to: recorder)
        return recorder as? Element
    }

    /// The column that a recorder's property reads: one row with zero.
    ///
    /// `nonisolated(unsafe)`: never written.
    fileprivate nonisolated(unsafe) static let zero: UnsafeMutablePointer<ColumnView> = {
        let view = UnsafeMutablePointer<ColumnView>.allocate(capacity: 1)
        view.initialize(to: .absent(count: 1, isNullable: false))
        return view
    }()
}

extension _Persistable {
    fileprivate static var anyDefaultValue: Any { _rlmDefaultValue() }
}

extension ObjectBase {
    /// Whether the object only records which properties are read.
    final var isRecorder: Bool { _managed && core == nil }

    private final var recording: KeyPathRecording {
        Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: Int(key)).unsafelyUnwrapped)
            .takeUnretainedValue()
    }

    /// Records that a recorder's property is read.
    @inline(never)
    final func record(_ position: Int) -> UnsafeMutablePointer<ColumnView> {
        recording.note(self, position: position)
        return KeyPathRecording.zero
    }

    /// Records that a recorder's collection is read.
    final func recordCollection(_ position: Int) {
        let recording = recording
        recording.note(self, position: position)
        recording.noteCollection()
    }

    /// The target of the link that was recorded last; nil if the class's declaration is not
    /// valid.
    final func recordLink<Target: ObjectBase>(to type: Target.Type) -> Target? {
        guard let recorder = recording.makeRecorder(of: type) else { return nil }
        recording.noteLink(to: recorder)
        return unsafeDowncast(recorder, to: Target.self)
    }

    @inline(never)
    final func writeToRecorder() -> Never {
        misuse(
            "A key path must not change the object that it is applied to.",
            remedy: """
                Use key paths that only go through persisted properties, not through \
                computed ones that write.
                """)
    }
}
