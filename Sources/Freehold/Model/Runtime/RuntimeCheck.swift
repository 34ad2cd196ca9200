@_spi(Reflection) import Swift
import FreeholdStorage

/// Verifies, once, the library's assumptions about the Swift runtime beyond its documented
/// interface.
///
/// Each number is defined beside the code that uses it; ``Expectations`` collects them, and
/// tests inject wrong ones. A check dereferences an address only after verifying that it is what
/// it should be. Opening a realm throws if an assumption does not hold. See
/// `Docs/Decisions/0016-runtime-assumptions.md` for the list.
enum RuntimeCheck {
    /// The assumptions, as defined by the code that uses them.
    struct Expectations: Sendable {
        var objectHeaderSize = AccessorTemplate.headerSize
        var instanceSizeOffset = ClassMetadataLayout.instanceSize
        var alignmentMaskOffset = ClassMetadataLayout.alignmentMask
        var descriptorOffset = ClassMetadataLayout.descriptor
        var descriptorNameOffset = ClassDescriptor.nameOffset
        var descriptorSuperclassOffset = ClassDescriptor.superclassOffset
        var classKind = ClassDescriptor.classKind
        var classFieldOption = ClassSchema.classOption
        var executorWordCount = 2
        var typeListVersions = ClassDiscovery.knownVersions
        /// Identifies the calling thread.
        var threadToken: @Sendable () -> UInt = { currentThreadToken() }
        /// Retains an object unless its last reference is gone.
        var tryRetain: @Sendable (Unmanaged<AnyObject>) -> AnyObject? = { unsafeTryRetain($0) }
    }

    /// The assumption that does not hold in this process; nil if all hold. Computed on first
    /// use, in about 100 microseconds.
    static let problem: String? = problem(with: Expectations())

    /// The expectations that ``verify()`` and ``ClassDiscovery/verify()`` use in a test that
    /// injects a wrong one.
    @TaskLocal static var planted: Expectations?

    /// - Throws: ``Realm/Error`` with the code `unsupportedRuntime`. O(1) after the first time.
    static func verify() throws(Realm.Error) {
        try refuse(planted.map { problem(with: $0) } ?? problem)
    }

    /// - Throws: ``Realm/Error`` with the code `unsupportedRuntime` if there is a problem.
    static func refuse(_ problem: String?) throws(Realm.Error) {
        guard let problem else { return }
        throw Realm.Error(
            .unsupportedRuntime,
            """
            This release of Freehold does not know the Swift runtime that the program uses: \
            \(problem). Build the program with a release of Swift that Docs/Compatibility.md \
            names, or use a newer release of Freehold.
            """)
    }

    /// The first assumption that does not hold. The order matters: each check relies on the
    /// earlier ones.
    static func problem(with expected: Expectations) -> String? {
        executorProblem(expected) ?? threadProblem(expected) ?? instanceProblem(expected)
            ?? retainProblem(expected)
            ?? descriptorProblem(expected)
    }

    // MARK: Executors and threads

    /// An actor's default executor is the actor and a zero; any other one is an object and
    /// something else.
    private static func executorProblem(_ expected: Expectations) -> String? {
        guard
            MemoryLayout<UnownedSerialExecutor>.size == expected.executorWordCount
                * MemoryLayout<UInt>.size
        else { return "an executor is not two words" }
        let actor = ProbeActor()
        let executor = PinnedExecutor("probe")
        let own = executorWords(of: actor.unownedExecutor)
        let other = executorWords(of: executor.asUnownedSerialExecutor())
        guard own.identity == address(of: actor), own.implementation == 0 else {
            return "an actor is not its own executor"
        }
        guard other.identity == address(of: executor), other.implementation != 0 else {
            return "an executor is not recognised by its address"
        }
        return nil
    }

    private static func threadProblem(_ expected: Expectations) -> String? {
        struct Answer: Sendable {
            var token: UInt = 0
            var runsInTask = true
            var hasExecutor = true
        }
        let here = expected.threadToken()
        guard here != 0, here == expected.threadToken() else {
            return "the thread pointer changes within a thread"
        }
        let answer = Locked(Answer())
        let token = expected.threadToken
        let other = try? SystemThread.start(
            named: "freehold-probe", to: "verify the thread pointer", path: ""
        ) {
            answer.withLock {
                $0 = Answer(token: token(), runsInTask: runsInTask, hasExecutor: hasCurrentExecutor)
            }
        }
        // If no thread can be created, opening a file reports the error.
        guard let other else { return nil }
        other.join()
        let there = answer.withLock { $0 }
        if there.token == here { return "two threads have the same thread pointer" }
        if there.runsInTask || there.hasExecutor {
            return "a thread without a task is said to run one"
        }
        return nil
    }

    // MARK: Objects

    private static func instanceProblem(_ expected: Expectations) -> String? {
        let header = expected.objectHeaderSize
        let wide = (header + 12 + 15) & ~15
        let specimens: [(AnyClass, size: Int, mask: Int)] = [
            (Probe.self, header + 12, 7), (WideProbe.self, wide + 16, 15),
        ]
        for (specimen, size, mask): (AnyClass, Int, Int) in specimens {
            let metadata = unsafeBitCast(specimen, to: UnsafeRawPointer.self)
            guard
                Int(metadata.load(fromByteOffset: expected.instanceSizeOffset, as: UInt32.self))
                    == size,
                Int(metadata.load(fromByteOffset: expected.alignmentMaskOffset, as: UInt16.self))
                    == mask
            else { return "the metadata of a class does not give the size of its instances" }
        }
        var fields: [Int] = []
        _ = _forEachField(
            of: Probe.self, options: _EachFieldOptions(rawValue: expected.classFieldOption)
        ) { _, offset, _, _ in
            fields.append(offset)
            return true
        }
        guard fields == [header, header + 8] else {
            return "the fields of a class are not where they are said to be"
        }
        return withExtendedLifetime(Probe()) { probe in
            let start = UnsafeRawPointer(Unmanaged.passUnretained(probe).toOpaque()) + header
            guard start.load(as: UInt64.self) == Probe.number,
                (start + 8).load(as: UInt32.self) == Probe.smallNumber
            else { return "the fields of an instance do not begin behind its header" }
            var copy = unsafeDowncast(unsafeAllocate(Probe.self, header + 12, 7), to: Probe.self)
            Unmanaged.passUnretained(copy).toOpaque().advanced(by: header).copyMemory(
                from: start, byteCount: 12)
            guard type(of: copy) == Probe.self, copy.first == Probe.number,
                copy.second == Probe.smallNumber, isKnownUniquelyReferenced(&copy)
            else { return "the copy of an instance is none" }
            return nil
        }
    }

    private static func retainProblem(_ expected: Expectations) -> String? {
        let retained = Locked<(living: Bool, ending: Bool)>((false, true))
        do {
            let probe = EndingProbe { ending in
                let isRetained = expected.tryRetain(ending) != nil
                retained.withLock { $0.ending = isRetained }
            }
            let isRetained = expected.tryRetain(Unmanaged.passUnretained(probe)) === probe
            retained.withLock { $0.living = isRetained }
        }
        let found = retained.withLock { $0 }
        return found == (true, false)
            ? nil : "an object whose last reference is gone cannot be recognised"
    }

    // MARK: Descriptors

    /// Follows the metadata of ``Object`` to its descriptor, from there to that of
    /// ``ObjectBase``, and back to the types.
    private static func descriptorProblem(_ expected: Expectations) -> String? {
        let wrong = "the metadata of a class does not lead to its descriptor"
        guard let base = descriptor(of: ObjectBase.self, named: "ObjectBase", expected),
            let object = descriptor(of: Object.self, named: "Object", expected)
        else { return wrong }
        let field = object + expected.descriptorSuperclassOffset
        let relative = field.load(as: Int32.self)
        guard relative != 0, LoadedImages.areInOne(field + Int(relative), object) else {
            return "a class's descriptor names no superclass"
        }
        guard ClassDescriptor.symbolicReference(at: field + Int(relative)) == base else {
            return "a class's descriptor does not lead to that of its superclass"
        }
        guard ClassDescriptor.type(describedAt: base) == ObjectBase.self,
            ClassDescriptor.type(describedAt: object) == Object.self
        else { return "a class's descriptor does not lead to the class" }
        return nil
    }

    /// The descriptor of a class of this library; nil if the metadata does not lead to a
    /// plausible one.
    private static func descriptor(
        of type: AnyClass, named name: StaticString, _ expected: Expectations
    ) -> UnsafeRawPointer? {
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        let bits = metadata.load(fromByteOffset: expected.descriptorOffset, as: UInt.self)
        guard let found = UnsafeRawPointer(bitPattern: bits), bits % 4 == 0,
            LoadedImages.areInOne(found, metadata),
            found.load(as: UInt32.self) & ClassDescriptor.kindMask == expected.classKind
        else { return nil }
        let field = found + expected.descriptorNameOffset
        let text = field + Int(field.load(as: Int32.self))
        guard LoadedImages.areInOne(text, metadata),
            text.load(fromByteOffset: name.utf8CodeUnitCount, as: UInt8.self) == 0
        else { return nil }
        let bytes = UnsafeRawBufferPointer(start: text, count: name.utf8CodeUnitCount)
        return bytes.elementsEqual(
            UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)) ? found : nil
    }

    private static func address(of object: AnyObject) -> UInt {
        UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }
}

// MARK: - Specimens

private actor ProbeActor {}

private class Probe {
    static let number: UInt64 = 0x0123_4567_89ab_cdef
    static let smallNumber: UInt32 = 0x7654_3210

    // Variables, because constants might be folded into their readers.
    final var first = Probe.number
    final var second = Probe.smallNumber
}

private final class WideProbe: Probe {
    var wide = SIMD2<UInt64>(1, 2)
}

/// Passes itself to a function in its `deinit`.
private final class EndingProbe {
    private let end: (Unmanaged<AnyObject>) -> Void

    init(_ end: @escaping (Unmanaged<AnyObject>) -> Void) { self.end = end }

    deinit { end(Unmanaged<AnyObject>.passUnretained(self)) }
}
