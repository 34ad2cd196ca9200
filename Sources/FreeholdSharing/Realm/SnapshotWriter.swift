import Dispatch
import Foundation
import FreeholdStorage

/// Writes a file on a queue of its own, while more of it arrives.
final class SnapshotWriter: Sendable {
    private let descriptor: Int32
    private let path: String
    private let queue = DispatchQueue(label: "Freehold.sharing.snapshot")
    private let state = Locked(State())

    private struct State {
        /// Bytes that were appended, and those of them that are written.
        var (appended, written) = (0, 0)
        var failure: SharingError?
        /// Who appended more than ``limit`` ahead.
        var waiter: CheckedContinuation<Void, any Error>?
    }

    /// So many bytes may wait to be written.
    private static let limit = 16 << 20
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

    /// Takes the next bytes of the file. One call at a time.
    func append(_ bytes: Data) async throws {
        let offset = state.withLock { state in
            defer { state.appended += bytes.count }
            return state.appended
        }
        queue.async { [self] in write(bytes, at: offset) }
        try await withCheckedThrowingContinuation { continuation in
            let outcome = state.withLock { state -> Result<Void, any Error>? in
                if let failure = state.failure { return .failure(failure) }
                if state.appended - state.written <= Self.limit { return .success(()) }
                state.waiter = continuation
                return nil
            }
            if let outcome { continuation.resume(with: outcome) }
        }
    }

    /// Waits until the file is on the medium.
    func finish() async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            queue.async { [self] in
                var failure = state.withLock { $0.failure }
                if failure == nil, let error = Files.synchronize(descriptor) {
                    failure = Self.failure(error, "synchronize", path)
                }
                continuation.resume(with: failure.map { .failure($0) } ?? .success(()))
            }
        }
    }

    private func write(_ bytes: Data, at offset: Int) {
        if state.withLock({ $0.failure }) != nil { return }
        let error = bytes.withUnsafeBytes { Files.write($0, to: descriptor, at: offset) }
        let end = offset + bytes.count
        let part = Self.writebackSize
        if error == nil, end / part > offset / part {
            Files.beginWriteback(descriptor, max(0, end / part - 1) * part..<end / part * part)
        }
        let (waiter, failure) = state.withLock { state in
            state.written = end
            if let error {
                state.failure = Self.failure(error, "write", path)
            }
            if state.failure == nil, state.appended - state.written > Self.limit / 2 {
                return (nil as CheckedContinuation<Void, any Error>?, state.failure)
            }
            defer { state.waiter = nil }
            return (state.waiter, state.failure)
        }
        waiter?.resume(with: failure.map { .failure($0) } ?? .success(()))
    }
}
