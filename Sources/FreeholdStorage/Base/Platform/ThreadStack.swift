internal import CLMDB
internal import Glibc

/// The calling thread's stack.
package enum ThreadStack {
    /// The lowest address of the stack, which grows downwards. 0 if unknown.
    package static var end: UInt { known.lowerBound }

    /// The number of bytes left. 0 if unknown, and on a stack that is not the thread's own, as
    /// of a coroutine.
    static var room: Int {
        let (stack, here) = (known, UInt(freehold_stack_address()))
        return stack.contains(here) ? Int(here - stack.lowerBound) : 0
    }

    /// The addresses of the stack; empty if unknown. The system is asked once for each thread:
    /// for the first thread of a process it reads a file.
    private static var known: Range<UInt> {
        if let known = slot.value { return known.load(as: Range<UInt>.self) }
        let found = UnsafeMutablePointer<Range<UInt>>.allocate(capacity: 1)
        found.initialize(to: read())
        slot.set(found)
        return found.pointee
    }

    private static let slot = ThreadSlot { $0?.deallocate() }

    private static func read() -> Range<UInt> {
        // Larger than a pthread_attr_t on any system.
        withUnsafeTemporaryAllocation(byteCount: 256, alignment: 16) { memory in
            guard let attributes = memory.baseAddress,
                readAttributes(pthread_self(), attributes) == 0
            else { return 0..<0 }
            defer { _ = destroyAttributes(attributes) }
            var (start, size): (UInt, Int) = (0, 0)
            guard readStack(attributes, &start, &size) == 0 else { return 0..<0 }
            return start..<start + UInt(size)
        }
    }
}

// Declared without `pthread_attr_t`: our C module defines it, too, and Swift imports only one of
// the definitions.

@_silgen_name("pthread_getattr_np")
private func readAttributes(_ thread: pthread_t, _ attributes: UnsafeMutableRawPointer) -> Int32

@_silgen_name("pthread_attr_getstack")
private func readStack(
    _ attributes: UnsafeMutableRawPointer, _ start: UnsafeMutablePointer<UInt>,
    _ size: UnsafeMutablePointer<Int>
) -> Int32

@_silgen_name("pthread_attr_destroy")
private func destroyAttributes(_ attributes: UnsafeMutableRawPointer) -> Int32
