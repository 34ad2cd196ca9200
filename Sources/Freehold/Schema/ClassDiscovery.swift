import FreeholdStorage

/// Finds the model classes of the running program without registration.
///
/// Every image of a Swift program has a section of type metadata records that lists its types; the runtime enumerates the
/// images. A record leads to the type's context descriptor, whose layout is ABI:
///
///     class descriptor   0 flags (kind, generic)   4 parent   8 name   12 access function   16 fields   20 superclass
///
/// The superclass is a mangled name. Where it is nothing but a reference to another descriptor, chains of descriptors are
/// followed without making any type's metadata; only classes whose chain reaches ``ObjectBase``, or leads through a generic
/// class, are resolved. Generic classes are no model classes; private ones and those inside of functions are.
enum ClassDiscovery {
    /// All subclasses of ``Object`` and ``EmbeddedObject``, in no particular order. Cheap after the first call.
    static func modelClasses() -> [ObjectBase.Type] {
        let sections = typeMetadataSections()
        if let known = cache.withLock({ $0?.sectionCount == sections.count ? $0?.classes : nil }) { return known }
        let found = sections.flatMap(classes(in:))
        cache.withLock { $0 = Cache(sectionCount: sections.count, classes: found) }
        return found
    }

    /// Sections are only ever added, by loading libraries, so their number says whether the classes are still all.
    private struct Cache {
        let sectionCount: Int
        let classes: [ObjectBase.Type]
    }

    private static let cache = Locked<Cache?>(nil)

    private static func classes(in section: UnsafeRawBufferPointer) -> [ObjectBase.Type] {
        var found: [ObjectBase.Type] = []
        guard let start = section.baseAddress else { return [] }
        for offset in stride(from: 0, to: section.count, by: TypeRecord.size) {
            guard let descriptor = TypeRecord(unsafeAddress: start + offset).classDescriptor, descriptor.mayBeModelClass,
                let type = descriptor.resolve() as? ObjectBase.Type, isModelClass(type)
            else { continue }
            found.append(type)
        }
        return found
    }

    private static func isModelClass(_ type: ObjectBase.Type) -> Bool {
        (type is Object.Type && type != Object.self) || (type is EmbeddedObject.Type && type != EmbeddedObject.self)
    }

    private static func typeMetadataSections() -> [UnsafeRawBufferPointer] {
        var sections: [UnsafeRawBufferPointer] = []
        withUnsafeMutablePointer(to: &sections) { context in
            unsafeEnumerateMetadataSections({ image, context in
                // The runtime's `MetadataSections`: version, base address, two reserved words, then the ranges of the
                // protocols, the conformances and the types, each a start and a length.
                let start = image.load(fromByteOffset: 64, as: UInt.self)
                let length = image.load(fromByteOffset: 72, as: UInt.self)
                if length > 0, let context {
                    context.assumingMemoryBound(to: [UnsafeRawBufferPointer].self).pointee
                        .append(UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: start), count: Int(length)))
                }
                return true
            }, context)
        }
        return sections
    }
}

@_silgen_name("swift_enumerateAllMetadataSections")
private func unsafeEnumerateMetadataSections(
    _ body: @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer?) -> Bool, _ context: UnsafeMutableRawPointer?)
