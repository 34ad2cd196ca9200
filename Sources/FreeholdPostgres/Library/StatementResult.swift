import CPostgres
import Foundation

/// The rows that a statement returned, in binary form.
///
/// Immutable, and freed by whichever thread lets go of it last.
final class StatementResult: @unchecked Sendable {
    // @unchecked: libpq's results may be read by any thread.

    private let result: OpaquePointer
    let rowCount: Int

    /// Takes over a result of libpq.
    init(_ result: OpaquePointer) {
        self.result = result
        rowCount = Int(PQntuples(result))
    }

    deinit { PQclear(result) }

    func isNull(_ row: Int, _ column: Int) -> Bool {
        PQgetisnull(result, Int32(row), Int32(column)) != 0
    }

    func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: PQgetvalue(result, Int32(row), Int32(column)),
            count: Int(PQgetlength(result, Int32(row), Int32(column))))
    }

    func int64(_ row: Int, _ column: Int) throws(ServerError) -> Int64 {
        try integer(row, column)
    }

    func int32(_ row: Int, _ column: Int) throws(ServerError) -> Int32 {
        try integer(row, column)
    }

    func optionalInt64(_ row: Int, _ column: Int) throws(ServerError) -> Int64? {
        isNull(row, column) ? nil : try integer(row, column)
    }

    func bool(_ row: Int, _ column: Int) throws(ServerError) -> Bool {
        let value: UInt8 = try integer(row, column)
        return value != 0
    }

    func data(_ row: Int, _ column: Int) -> Data { Data(bytes(row, column)) }

    /// The bytes of a value, which keep the result in memory instead of copying it.
    func sharedData(_ row: Int, _ column: Int) -> Data {
        let bytes = bytes(row, column)
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return Data() }
        // Data's own memory is never changed in place while it is not its own.
        return Data(
            bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count,
            deallocator: .custom { _, _ in withExtendedLifetime(self) {} })
    }

    func text(_ row: Int, _ column: Int) -> String {
        String(decoding: bytes(row, column), as: UTF8.self)
    }

    func uuid(_ row: Int, _ column: Int) throws(ServerError) -> UUID {
        let bytes = bytes(row, column)
        guard bytes.count == 16 else { throw unexpected(column) }
        return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }

    private func integer<Value: FixedWidthInteger & BitwiseCopyable>(
        _ row: Int, _ column: Int
    ) throws(ServerError) -> Value {
        let bytes = bytes(row, column)
        guard row < rowCount, bytes.count == Value.bitWidth / 8 else { throw unexpected(column) }
        return Value(bigEndian: bytes.loadUnaligned(as: Value.self))
    }

    private func unexpected(_ column: Int) -> ServerError {
        ServerError(
            .answer, state: "XX000", message: "Column \(column + 1) of an answer has another type.")
    }
}
