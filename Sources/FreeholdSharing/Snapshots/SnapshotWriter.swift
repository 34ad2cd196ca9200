import Dispatch
import FreeholdStorage

/// Writes a file on a queue of its own, while more of it arrives.
final class SnapshotWriter: Sendable {
    private let descriptor: Int32
    private let path: String
    private let queue = DispatchQueue(label: "Freehold.sharing.snapshot")
    private let state = Locked(State())

    private struct State {
        var free = (0..<4).map { _ in SnapshotBuffer() }
        /// Where the next buffer is written.
        var offset = 0
        var failure: SharingError?
        /// Who waits for a free buffer.
        var waiter: CheckedContinuation<SnapshotBuffer, any Error>?
    }

    /// So many bytes go to the medium together.
    private static let writebackSize = 8 << 20

    /// - Throws: ``SharingError`` with `fileFailed`, as all functions here.
    init(creating path: String) throws(SharingError) {
        self.path = path
        switch Files.create(path, permissions: 0o644) {
        case .success(let created): descriptor = created
        case .failure(let error): throw Self.failure(error, "create", path)
        }
    }

    private static func failure(_ error: ErrorNumber, _ action: String, _ path: String)
        -> SharingError
    {
        SharingError(
            ofFile: StorageError.system(error, "\(action) the file of a snapshot", path: path))
    }

    deinit { Files.close(descriptor) }

    /// An empty buffer, as soon as one was written. One call at a time.
    func nextBuffer() async throws -> SnapshotBuffer {
        try await withCheckedThrowingContinuation { continuation in
            let outcome = state.withLock { state -> Result<SnapshotBuffer, any Error>? in
                if let failure = state.failure { return .failure(failure) }
                if let buffer = state.free.popLast() { return .success(buffer) }
                state.waiter = continuation
                return nil
            }
            if let outcome { continuation.resume(with: outcome) }
        }
    }

    /// Takes a buffer with the next bytes of the file.
    func append(_ buffer: SnapshotBuffer) {
        let offset = state.withLock { state in
            defer { state.offset += buffer.count }
            return state.offset
        }
        queue.async { [self] in write(buffer, at: offset) }
    }

    /// Waits until the file is written.
    ///
    /// - Parameter synchronizing: Whether it is to be on the medium, too.
    func finish(synchronizing: Bool) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            queue.async { [self] in
                var failure = state.withLock { $0.failure }
                if failure == nil, synchronizing, let error = Files.synchronize(descriptor) {
                    failure = Self.failure(error, "synchronize", path)
                }
                continuation.resume(with: failure.map { .failure($0) } ?? .success(()))
            }
        }
    }

    private func write(_ buffer: SnapshotBuffer, at offset: Int) {
        let bytes = UnsafeRawBufferPointer(rebasing: buffer.bytes[..<buffer.count])
        var error: ErrorNumber?
        if state.withLock({ $0.failure }) == nil {
            error = Files.write(bytes, to: descriptor, at: offset)
            let (end, part) = (offset + bytes.count, Self.writebackSize)
            if error == nil, end / part > offset / part {
                Files.beginWriteback(
                    descriptor, max(0, end / part - 1) * part..<end / part * part)
            }
        }
        buffer.count = 0
        let (waiter, failure) = state.withLock { state in
            if let error { state.failure = Self.failure(error, "write", path) }
            defer { state.waiter = nil }
            if state.waiter == nil || state.failure != nil { state.free.append(buffer) }
            return (state.waiter, state.failure)
        }
        waiter?.resume(with: failure.map { .failure($0) } ?? .success(buffer))
    }
}
