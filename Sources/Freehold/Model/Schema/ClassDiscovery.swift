import FreeholdStorage

/// Finds the model classes of the running program without registration.
///
/// Every image of a Swift program has a section of type metadata records that lists its types;
/// the runtime enumerates the images. A record leads to the type's context descriptor, whose
/// layout is ABI:
///
///     class descriptor   0 flags (kind, generic)    4 parent    8 name
///                       12 access function         16 fields   20 superclass
///
/// The superclass is a mangled name. If the name is only a reference to another descriptor, the
/// chain of descriptors is followed without creating any type's metadata. Only classes whose
/// chain reaches ``ObjectBase``, or contains a generic class, are resolved. Generic classes are
/// not model classes; private classes and classes inside functions can be.
enum ClassDiscovery {
    /// All subclasses of ``Object`` and ``EmbeddedObject``, in no particular order. Cheap after
    /// the first call.
    static func modelClasses() -> [ObjectBase.Type] {
        let sections = typeMetadataSections()
        if let known = cache.withLock({ $0?.sectionCount == sections.count ? $0?.classes : nil }) {
            return known
        }
        let found = sections.flatMap(classes(in:))
        cache.withLock { $0 = Cache(sectionCount: sections.count, classes: found) }
        return found
    }

    /// Loading libraries only adds sections, so their number tells whether the cache is
    /// complete.
    private struct Cache {
        let sectionCount: Int
        let classes: [ObjectBase.Type]
    }

    private static let cache = Locked<Cache?>(processWide: nil)

    private static func classes(in section: UnsafeRawBufferPointer) -> [ObjectBase.Type] {
        var found: [ObjectBase.Type] = []
        guard let start = section.baseAddress else { return [] }
        for offset in stride(from: 0, to: section.count, by: TypeRecord.size) {
            guard let descriptor = TypeRecord(unsafeAddress: start + offset).classDescriptor,
                descriptor.mayBeModelClass,
                let type = descriptor.resolve() as? ObjectBase.Type, isModelClass(type)
            else { continue }
            found.append(type)
        }
        return found
    }

    private static func isModelClass(_ type: ObjectBase.Type) -> Bool {
        (type is Object.Type && type != Object.self)
            || (type is EmbeddedObject.Type && type != EmbeddedObject.self)
    }

    /// The ranges of type records of the images with a known layout.
    private static func typeMetadataSections() -> [UnsafeRawBufferPointer] {
        survey(knownVersions).sections
    }

    private struct Survey {
        var sections: [UnsafeRawBufferPointer] = []
        var unknownVersions: Set<UInt> = []
    }

    /// Visits the images of the program. For an image of an unknown version, reads only the
    /// version.
    ///
    /// The runtime's `MetadataSections` begins with its version, the image's address and two
    /// reserved words. The ranges of the protocols, the conformances and the types follow, each
    /// a start and a length.
    private static func survey(_ knownVersions: ClosedRange<UInt>) -> Survey {
        struct Walk {
            let knownVersions: ClosedRange<UInt>
            var survey = Survey()
        }
        var walk = Walk(knownVersions: knownVersions)
        withUnsafeMutablePointer(to: &walk) { context in
            unsafeEnumerateMetadataSections(
                { image, context in
                    guard let walk = context?.assumingMemoryBound(to: Walk.self) else {
                        return false
                    }
                    let version = image.load(as: UInt.self)
                    guard walk.pointee.knownVersions.contains(version) else {
                        walk.pointee.survey.unknownVersions.insert(version)
                        return true
                    }
                    let start = image.load(fromByteOffset: 64, as: UInt.self)
                    let length = image.load(fromByteOffset: 72, as: UInt.self)
                    if length > 0 {
                        walk.pointee.survey.sections.append(
                            UnsafeRawBufferPointer(
                                start: UnsafeRawPointer(bitPattern: start), count: Int(length)))
                    }
                    return true
                }, context)
        }
        return walk.survey
    }
}

// MARK: - Refusing

extension ClassDiscovery {
    /// The versions of the runtime's `MetadataSections` with this beginning. Swift 6.3 writes 5.
    static let knownVersions: ClosedRange<UInt> = 3...5

    /// - Throws: ``Realm/Error`` with the code `unsupportedRuntime` if classes cannot be
    ///   discovered.
    static func verify() throws(Realm.Error) {
        try refuse(problem(RuntimeCheck.planted?.typeListVersions ?? knownVersions))
    }

    static func refuse(_ problem: String?) throws(Realm.Error) {
        guard let problem else { return }
        throw Realm.Error(
            .unsupportedRuntime,
            """
            The model classes of this program cannot be found: \(problem). Name them in \
            the configuration's objectTypes; then they need not be found.
            """)
    }

    /// Why classes cannot be discovered; nil if they can.
    static func problem(_ knownVersions: ClosedRange<UInt>, recordSize: Int = TypeRecord.size)
        -> String?
    {
        let survey = survey(knownVersions)
        if let version = survey.unknownVersions.min() {
            return "an image of it lists its types in the unknown format version \(version)"
        }
        // The library's own class is among the records if they have the expected layout.
        let isFound = survey.sections.contains { section in
            guard let start = section.baseAddress, section.count % recordSize == 0 else {
                return false
            }
            return stride(from: 0, to: section.count, by: recordSize).contains {
                TypeRecord(unsafeAddress: start + $0).classDescriptor?.isDescriptor(of: Object.self)
                    ?? false
            }
        }
        return isFound ? nil : "the lists of its types do not have this library's"
    }
}

@_silgen_name("swift_enumerateAllMetadataSections")
private func unsafeEnumerateMetadataSections(
    _ body: @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer?) -> Bool,
    _ context: UnsafeMutableRawPointer?)
