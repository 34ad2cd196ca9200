import Dispatch
import FlyingSocks
import Foundation
import Synchronization

/// The body of a response whose bytes come over time, from a thread that may block: it waits for
/// a slow reader, so memory stays small.
///
/// A reader that goes away is noticed with the next chunk: `send` then returns false.
final class Chunks: AsyncBufferedSequence, Sendable {
    typealias Element = UInt8

    private let stream: AsyncStream<[UInt8]>
    private let input: AsyncStream<[UInt8]>.Continuation
    private let room: DispatchSemaphore
    private let isCancelled = Atomic<Bool>(false)

    /// - Parameter capacity: The chunks that may wait for the reader.
    init(capacity: Int = 4) {
        (stream, input) = AsyncStream.makeStream()
        room = DispatchSemaphore(value: capacity)
    }

    /// Sends a chunk; waits while too many have not been read. Returns whether anyone reads.
    func send(_ bytes: [UInt8]) -> Bool {
        if isCancelled.load(ordering: .acquiring) { return false }
        room.wait()
        if isCancelled.load(ordering: .acquiring) {
            room.signal()
            return false
        }
        input.yield(bytes)
        return true
    }

    /// Sends without waiting: for events, which are few.
    func post(_ bytes: [UInt8]) -> Bool {
        if isCancelled.load(ordering: .acquiring) { return false }
        input.yield(bytes)
        return true
    }

    func finish() { input.finish() }

    private func cancel() {
        isCancelled.store(true, ordering: .releasing)
        room.signal()
        input.finish()
    }

    /// Runs work that sends chunks, on a thread of its own.
    static func made(by work: @escaping @Sendable (Chunks) -> Void) -> Chunks {
        let chunks = Chunks()
        let thread = Thread {
            work(chunks)
            chunks.finish()
        }
        thread.stackSize = 8 << 20
        thread.start()
        return chunks
    }

    func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Cancels the sender when the reader is gone.
    private final class Reader: Sendable {
        let chunks: Chunks
        init(_ chunks: Chunks) { self.chunks = chunks }
        deinit { chunks.cancel() }
    }

    struct Iterator: AsyncBufferedIteratorProtocol {
        private let reader: Reader
        private var iterator: AsyncStream<[UInt8]>.Iterator

        init(_ chunks: Chunks) {
            reader = Reader(chunks)
            iterator = chunks.stream.makeAsyncIterator()
        }

        mutating func next() async throws -> UInt8? { nil }

        mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
            var bytes: [UInt8]?
            // An empty chunk would end a chunked body.
            repeat {
                bytes = await iterator.next()
                if bytes != nil { reader.chunks.room.signal() }
            } while bytes?.isEmpty ?? false
            return bytes
        }
    }
}
