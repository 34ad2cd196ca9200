import Foundation
import Glibc

/// One operation of one participant: six numbers in its file.
struct HistoryRecord {
    enum Kind: UInt64 {
        /// A transaction whose commit was acknowledged.
        case commit
        /// A read of the newest version, asked for when the operation began.
        case fresh
        /// A read of whatever version the realm stood at.
        case read
        /// A frozen version, when it was taken.
        case frozen
        /// The same, read again later; `begin` is when it was taken.
        case again
    }

    let kind: Kind
    let begin: UInt64
    let end: UInt64
    /// The number of the transaction whose version was seen; that of a commit is its own.
    let number: UInt64
    /// What all counters say, in one number.
    let digest: UInt64
    /// How many transactions the participant finds of its own.
    let own: UInt64

    static let size = 6
}

/// Writes a participant's records. Used by its participant alone; what is buffered is written
/// by `close`.
final class HistoryWriter {
    private let descriptor: Int32
    private var buffer: [UInt64] = []

    init(_ path: String) {
        descriptor = open(path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0o644)
        precondition(descriptor >= 0, "\(path) cannot be written: \(errno)")
    }

    func add(_ record: HistoryRecord) {
        buffer += [
            record.kind.rawValue, record.begin, record.end, record.number, record.digest,
            record.own,
        ]
        if buffer.count >= 6 * 4_000 { flush() }
    }

    func flush() {
        buffer.withUnsafeBytes { bytes in
            let count = write(descriptor, bytes.baseAddress, bytes.count)
            precondition(count == bytes.count, "The history cannot be written: \(errno)")
        }
        buffer.removeAll(keepingCapacity: true)
    }

    func close() {
        flush()
        Glibc.close(descriptor)
    }

    static func read(_ path: String) throws -> [HistoryRecord] {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        return data.withUnsafeBytes { bytes in
            let numbers = bytes.bindMemory(to: UInt64.self)
            return stride(from: 0, to: numbers.count / 6 * 6, by: 6).compactMap { at in
                guard let kind = HistoryRecord.Kind(rawValue: numbers[at]) else { return nil }
                return HistoryRecord(
                    kind: kind, begin: numbers[at + 1], end: numbers[at + 2],
                    number: numbers[at + 3], digest: numbers[at + 4], own: numbers[at + 5])
            }
        }
    }
}
