/// A branch or a leaf of a tree, in LMDB's map.
///
/// Nothing on a page is trusted (``PageLayout``): everything read or returned lies inside of
/// the page. Anything impossible or unusual is nil or `unknown`.
package struct MappedPage {
    package enum Outcome {
        /// The key's value.
        case found(UnsafeRawBufferPointer)
        case missing
        /// A page is invalid.
        case unknown
    }

    /// A page is invalid.
    struct Damage: Error {}

    let start: UnsafeRawPointer
    let size: Int

    /// - Parameter start: The page's address, aligned to 8 bytes.
    @inline(__always)
    package init(start: UnsafeRawPointer, size: Int) {
        self.start = start
        self.size = size
    }

    /// The page that contains a key or a small value in the map.
    ///
    /// - Parameter size: A result of ``findableSize(_:systemPageSize:)``.
    init(containing address: UnsafeRawPointer, size: Int) {
        self.init(
            start: UnsafeRawPointer(bitPattern: UInt(bitPattern: address) & ~UInt(size &- 1))
                .unsafelyUnwrapped, size: size)
    }

    /// The page size of a file, if a page can be found from an address on it; else nil.
    ///
    /// The map begins at a system page. A file with larger pages was made on another machine,
    /// and its pages may begin at any system page.
    package static func findableSize(
        _ pageSize: Int, systemPageSize: Int = SystemProcess.pageSize
    ) -> Int? {
        pageSize >= 512 && pageSize.nonzeroBitCount == 1 && pageSize <= systemPageSize
            ? pageSize : nil
    }

    @inline(__always)
    var header: PageHeader { PageHeader(at: start) }
    package var number: UInt64 { header.number }
    package var isBranch: Bool { header.flags == PageLayout.branch }
    package var isLeaf: Bool { header.flags == PageLayout.leaf }

    /// The number of nodes, at least one; nil if the page's header is invalid. Pass it as
    /// `count` to the other methods.
    @inline(__always)
    package var count: Int? {
        let lower = header.lower
        guard lower > PageLayout.headerSize, lower <= size, lower & 1 == 0 else { return nil }
        return (lower &- PageLayout.headerSize) &>> 1
    }

    // MARK: Searching

    /// The child page for a key, which must not be empty; nil if this page is invalid.
    @inline(__always)
    package func child(for key: UnsafeRawBufferPointer, _ count: Int) -> UInt64? {
        guard let index = childIndex(for: key, count) else { return nil }
        return branchNode(at: index)?.child
    }

    /// The node of a branch for a key; nil if the page is invalid. The first child holds
    /// everything below the second's key, whatever its own key says.
    @inline(__always)
    func childIndex(for key: UnsafeRawBufferPointer, _ count: Int) -> Int? {
        guard let (found, isExact) = search(key, from: 1, count) else { return nil }
        return isExact ? found : found &- 1
    }

    /// The index of an entry that lies on this leaf; nil if the page is invalid.
    func position(of entry: Entry, _ count: Int) -> Int? {
        guard let (found, isExact) = search(entry.key, from: 0, count), isExact else { return nil }
        return self.entry(at: found)?.key.baseAddress == entry.key.baseAddress ? found : nil
    }

    /// An entry of a leaf; nil if its value lies on separate pages, or the node is invalid.
    @inline(__always)
    package func entry(at index: Int) -> Entry? {
        guard let node = leafNode(at: index), node.largeValue == 0 else { return nil }
        return Entry(key: node.key, value: node.value)
    }

    /// The first node from `first` on whose key is not below `key`, and whether it is equal;
    /// nil if a node lies outside of the page.
    @inline(__always)
    func search(_ key: UnsafeRawBufferPointer, from first: Int, _ count: Int) -> (
        node: Int, isExact: Bool
    )? {
        var (low, high) = (first, count)
        var step = 0
        while low < high {
            if step % 3 == 0, high &- low > 3 { prefetchNodes(low, high) }
            step &+= 1
            let middle = (low &+ high) &>> 1
            guard let order = compare(key, middle) else { return nil }
            if order == 0 { return (middle, true) }
            if order > 0 { low = middle &+ 1 } else { high = middle }
        }
        return (low, false)
    }

    /// Compares `key` with a node's key: negative, zero or positive. Nil if the node lies
    /// outside of the page.
    @inline(__always)
    private func compare(_ key: UnsafeRawBufferPointer, _ node: Int) -> Int? {
        guard let other = self.node(at: node)?.key else { return nil }
        let common = min(key.count, other.count)
        let bytes = other.baseAddress.unsafelyUnwrapped
        let mine = key.baseAddress.unsafelyUnwrapped
        var position = 0
        while position &+ 8 <= common {
            let a = mine.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            let b = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            if a != b { return a.bigEndian < b.bigEndian ? -1 : 1 }
            position &+= 8
        }
        while position < common {
            let (a, b) = (
                mine.load(fromByteOffset: position, as: UInt8.self),
                bytes.load(fromByteOffset: position, as: UInt8.self)
            )
            if a != b { return a < b ? -1 : 1 }
            position &+= 1
        }
        return key.count &- other.count
    }

    // MARK: Asking for memory

    /// Prefetches the head of the page, which holds the offsets of its nodes.
    @inline(__always)
    func prefetchOffsets() {
        for line in 0..<5 { Memory.prefetch(start + line &* 64) }
    }

    /// Prefetches the nodes that the next comparisons of a search can need.
    @inline(__always)
    private func prefetchNodes(_ low: Int, _ high: Int) {
        let middle = (low &+ high) &>> 1
        let first = (low &+ middle) &>> 1
        let second = (middle &+ 1 &+ high) &>> 1
        Memory.prefetch(start + offset(middle))
        Memory.prefetch(start + offset(first))
        if second < high {
            Memory.prefetch(start + offset(second))
            Memory.prefetch(start + offset((middle &+ 1 &+ second) &>> 1))
            let last = (second &+ 1 &+ high) &>> 1
            if last < high { Memory.prefetch(start + offset(last)) }
        }
        Memory.prefetch(start + offset((low &+ first) &>> 1))
        Memory.prefetch(start + offset((first &+ 1 &+ middle) &>> 1))
    }
}
