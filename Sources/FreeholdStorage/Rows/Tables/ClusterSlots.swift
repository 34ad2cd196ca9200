import Synchronization

/// The resolved clusters of a table at one version, by their positions in the directory. Any
/// number of threads may use it at once.
///
/// A slot is an unmanaged reference to a cluster, which the table owns, or 0. Slots are made in
/// groups when they are needed: each version has slots of its own, and uses a few of thousands.
struct ClusterSlots: ~Copyable {
    private typealias Slot = Atomic<UInt>

    private static let slotsPerGroup = 256

    /// The address of the addresses of the groups. A group without a resolved cluster is 0.
    private let groups = Atomic<UInt>(0)

    /// Makes room. Called once, before all other calls.
    borrowing func begin(count: Int) {
        let groupCount = Self.groupCount(count)
        let made = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: max(groupCount, 1))
        for index in 0..<groupCount { (made + index).initialize(to: Atomic(0)) }
        groups.store(UInt(bitPattern: made), ordering: .relaxed)
    }

    /// Frees the slots, not what they refer to. Called once, when no other thread has the table
    /// any more.
    borrowing func end(count: Int) {
        guard let start = Self.pointer(groups.load(ordering: .relaxed)) else { return }
        for index in 0..<Self.groupCount(count) {
            Self.pointer(start[index].load(ordering: .relaxed))?.deallocate()
        }
        start.deallocate()
    }

    /// The cluster at a position; nil if it was not resolved yet.
    @inline(__always)
    borrowing func resolved(_ index: Int) -> UnsafeRawPointer? {
        let group = start[index / Self.slotsPerGroup].load(ordering: .acquiring)
        guard let slots = Self.pointer(group) else { return nil }
        let slot = slots[index % Self.slotsPerGroup].load(ordering: .acquiring)
        return UnsafeRawPointer(bitPattern: slot)
    }

    /// Puts a cluster into its slot, unless another thread did. Returns that thread's cluster.
    borrowing func publish(_ cluster: UnsafeRawPointer, at index: Int) -> UnsafeRawPointer? {
        let (isStored, winner) = slot(index).pointee.compareExchange(
            expected: 0, desired: UInt(bitPattern: cluster), ordering: .acquiringAndReleasing)
        return isStored ? nil : UnsafeRawPointer(bitPattern: winner)
    }

    /// The slot of a cluster. Makes its group if there is none.
    private borrowing func slot(_ index: Int) -> UnsafeMutablePointer<Slot> {
        let group = start + index / Self.slotsPerGroup
        if let known = Self.pointer(group.pointee.load(ordering: .acquiring)) {
            return known + index % Self.slotsPerGroup
        }
        let made = UnsafeMutablePointer<Slot>.allocate(capacity: Self.slotsPerGroup)
        for place in 0..<Self.slotsPerGroup { (made + place).initialize(to: Slot(0)) }
        let (isStored, winner) = group.pointee.compareExchange(
            expected: 0, desired: UInt(bitPattern: made), ordering: .acquiringAndReleasing)
        if !isStored { made.deallocate() }
        let slots = isStored ? made : Self.pointer(winner).unsafelyUnwrapped
        return slots + index % Self.slotsPerGroup
    }

    private static func groupCount(_ count: Int) -> Int {
        (count + slotsPerGroup - 1) / slotsPerGroup
    }

    private static func pointer(_ address: UInt) -> UnsafeMutablePointer<Atomic<UInt>>? {
        UnsafeMutablePointer(bitPattern: address)
    }

    @inline(__always)
    private var start: UnsafeMutablePointer<Atomic<UInt>> {
        Self.pointer(groups.load(ordering: .relaxed)).unsafelyUnwrapped
    }
}
