/// Reusable memory for hot loops. It grows, never shrinks, and `append` checks only the
/// capacity.
///
/// An array would check at each write whether it is shared, and would be retained for each
/// closure and slice that uses it.
struct ScratchBuffer<Element: BitwiseCopyable>: ~Copyable {
    private(set) var unsafeStart: UnsafeMutablePointer<Element>
    private(set) var capacity: Int
    private(set) var count = 0

    init(capacity: Int = 64) {
        self.capacity = max(capacity, 1)
        unsafeStart = .allocate(capacity: self.capacity)
    }

    deinit { unsafeStart.deallocate() }

    var isEmpty: Bool { count == 0 }

    /// Valid until the next change.
    var unsafeElements: UnsafeBufferPointer<Element> {
        @inline(__always) get { UnsafeBufferPointer(start: unsafeStart, count: count) }
    }

    /// The bytes of the elements. Valid until the next change.
    var unsafeBytes: UnsafeRawBufferPointer {
        @inline(__always) get { UnsafeRawBufferPointer(unsafeElements) }
    }

    /// Removes all elements and keeps the memory.
    @inline(__always)
    mutating func removeAll() { count = 0 }

    /// Keeps only the first `count` elements.
    @inline(__always)
    mutating func truncate(to count: Int) {
        precondition(count <= self.count, "A buffer cannot be truncated to more than it has.")
        self.count = count
    }

    /// Makes room for `additional` elements after the current ones.
    @inline(__always)
    mutating func reserve(_ additional: Int) {
        if additional > capacity &- count { grow(count + additional) }
    }

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { grow(count + 1) }
        unsafeStart[count] = element
        count &+= 1
    }

    @inline(__always)
    mutating func append(contentsOf elements: UnsafeBufferPointer<Element>) {
        guard let source = elements.baseAddress else { return }
        reserve(elements.count)
        (unsafeStart + count).update(from: source, count: elements.count)
        count &+= elements.count
    }

    /// Adds elements that the caller wrote past the last one, in room that it reserved.
    @inline(__always)
    mutating func unsafeTake(_ additional: Int) {
        assert(additional <= capacity - count, "More was written than there was room for.")
        count &+= additional
    }

    /// Replaces the contents with `count` copies of an element.
    mutating func fill(_ element: Element, count: Int) {
        removeAll()
        reserve(count)
        unsafeStart.initialize(repeating: element, count: count)
        self.count = count
    }

    @inline(never)
    private mutating func grow(_ least: Int) {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: max(least, capacity * 2))
        larger.update(from: unsafeStart, count: count)
        unsafeStart.deallocate()
        unsafeStart = larger
        capacity = max(least, capacity * 2)
    }
}

extension ScratchBuffer<UInt8> {
    @inline(__always)
    mutating func append(contentsOf bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count)
        UnsafeMutableRawPointer(unsafeStart + count).copyMemory(
            from: source, byteCount: bytes.count)
        unsafeTake(bytes.count)
    }
}
