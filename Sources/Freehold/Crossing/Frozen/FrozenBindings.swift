import Synchronization

/// The bindings of a frozen realm's classes. Each is made when a thread first asks for it, so that
/// freezing costs the same for any number of classes.
///
/// A slot is written once, by an atomic exchange, with a retained reference.
struct FrozenBindings: ~Copyable {
    /// An address, or 0.
    private typealias Slot = Atomic<UInt>

    /// The address of the slots, one for each class of the schema; 0 before the first is needed.
    private let slots = Atomic<UInt>(0)

    /// Returns the binding of a class. O(1), but for the first call of all.
    ///
    /// - Parameters:
    ///   - index: The place of the class in the schema.
    ///   - count: The number of classes in the schema.
    ///   - make: Makes the binding. Another thread may make one at the same time, which then is
    ///     the result.
    borrowing func binding(at index: Int, of count: Int, make: () -> ClassBinding)
        -> ClassBinding
    {
        let slot = slot(index, of: count)
        if let known = Self.binding(at: slot.pointee.load(ordering: .acquiring)) {
            return known.takeUnretainedValue()
        }
        let made = Unmanaged.passRetained(make())
        let (isStored, other) = slot.pointee.compareExchange(
            expected: 0, desired: UInt(bitPattern: made.toOpaque()),
            ordering: .acquiringAndReleasing)
        guard !isStored, let known = Self.binding(at: other) else {
            return made.takeUnretainedValue()
        }
        made.release()
        return known.takeUnretainedValue()
    }

    private static func binding(at address: UInt) -> Unmanaged<ClassBinding>? {
        UnsafeRawPointer(bitPattern: address).map { Unmanaged.fromOpaque($0) }
    }

    private borrowing func slot(_ index: Int, of count: Int) -> UnsafeMutablePointer<Slot> {
        if let known = UnsafeMutablePointer<Slot>(
            bitPattern: slots.load(ordering: .acquiring))
        {
            return known + index
        }
        let made = UnsafeMutablePointer<Slot>.allocate(capacity: count)
        for index in 0..<count { (made + index).initialize(to: Slot(0)) }
        let (isStored, other) = slots.compareExchange(
            expected: 0, desired: UInt(bitPattern: made), ordering: .acquiringAndReleasing)
        if !isStored { made.deallocate() }
        let stored = isStored ? made : UnsafeMutablePointer<Slot>(bitPattern: other) ?? made
        return stored + index
    }

    /// Releases all bindings. Called once, when no other thread has the realm any more.
    ///
    /// - Parameter count: The number of classes in the schema.
    borrowing func release(count: Int) {
        guard let slots = UnsafeMutablePointer<Slot>(bitPattern: slots.load(ordering: .acquiring))
        else { return }
        for index in 0..<count {
            Self.binding(at: slots[index].load(ordering: .acquiring))?.release()
        }
        slots.deallocate()
    }
}
