import Foundation

/// Decompresses what an upstream sends of a snapshot, and writes it to a file.
actor SnapshotReceiver {
    private let writer: SnapshotWriter
    private let decoder = ZstandardDecoder()
    private var buffer: SnapshotBuffer?

    /// - Throws: ``SharingError`` with `fileFailed`, as all functions here.
    init(creating path: String) throws(SharingError) {
        writer = try SnapshotWriter(creating: path)
    }

    /// Takes the next bytes. One call at a time.
    ///
    /// - Throws: ``SharingError`` with `damagedPayload` for what cannot be decompressed.
    func append(_ piece: Data) async throws {
        var offset = 0
        while true {
            let buffer: SnapshotBuffer
            if let begun = self.buffer {
                buffer = begun
            } else {
                buffer = try await writer.nextBuffer()
                self.buffer = buffer
            }
            try decoder.decode(piece, from: &offset, into: buffer)
            // Otherwise the input is used up.
            guard buffer.isFull else { return }
            self.buffer = nil
            writer.append(buffer)
        }
    }

    /// Waits until the file is on the medium.
    ///
    /// - Throws: ``SharingError`` with `damagedPayload` if bytes are missing.
    func finish() async throws {
        guard decoder.isAtEnd else { throw ZstandardDecoder.damaged("It is cut.") }
        if let buffer { writer.append(buffer) }
        buffer = nil
        try await writer.finish(synchronizing: true)
    }
}
