import Foundation

extension PackageSource {
    /// The command that, with the path added, writes the decompressed content of this file to
    /// its standard output.
    ///
    /// apt's own helper reads every form that apt writes. But it accepts a truncated gzip file as
    /// complete (seen with apt 2.6.1), and half an index would make an update remove half of the
    /// packages. `gzip` reports the truncation.
    public var decompressor: [String] {
        path.hasSuffix(".gz") ? ["/bin/gzip", "-dc"] : ["/usr/lib/apt/apt-helper", "cat-file"]
    }

    /// Reads the file, decompressed, from beginning to end, and passes its bytes to `body` in
    /// pieces of up to 256 KiB.
    ///
    /// A compressed file goes through its `decompressor`, or through the command given here. Throws
    /// `IndexError` if the file cannot be read to its end, and what `body` throws. Then it ends a
    /// decompressor that is still running.
    public func read(
        decompressor: [String]? = nil,
        _ body: (Span<UInt8>) throws -> Void
    ) throws {
        // Opened even if the decompressor reads it, to distinguish a missing file from a damaged
        // one.
        let file: FileHandle
        do {
            file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        } catch {
            throw IndexError(
                code: .unreadable,
                message:
                    "The file cannot be opened. Check that it exists and that you may read it.",
                path: path,
                cause: error
            )
        }
        defer { try? file.close() }
        if isCompressed {
            try readThroughProcess(decompressor ?? self.decompressor, body)
        } else {
            try readAll(of: file, body)
        }
    }

    private func readThroughProcess(_ command: [String], _ body: (Span<UInt8>) throws -> Void)
        throws
    {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = command.dropFirst() + [path]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        do {
            try process.run()
        } catch {
            throw IndexError(
                code: .decompressionFailed,
                message:
                    """
                    \(command[0]) cannot be run. Install it, or decompress the file and \
                    name it with --source.
                    """,
                path: path,
                cause: error
            )
        }
        do {
            try readAll(of: output.fileHandleForReading, body)
        } catch {
            // A signal cannot end it: a child of one of Dispatch's threads inherits their signal
            // mask, which blocks SIGTERM. Without a reader its next write fails, which ends it.
            try? output.fileHandleForReading.close()
            process.waitUntilExit()
            throw error
        }
        process.waitUntilExit()
        // Only the exit status tells success: a damaged file yields its good beginning first.
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw IndexError(
                code: .decompressionFailed,
                message: "The file cannot be decompressed (\(command[0]) ended with status "
                    + "\(process.terminationStatus)). Run 'apt-get update' to fetch it again.",
                path: path
            )
        }
    }

    private func readAll(of file: FileHandle, _ body: (Span<UInt8>) throws -> Void) throws {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = buffer.withUnsafeMutableBytes { unsafeBuffer in
                Foundation.read(file.fileDescriptor, unsafeBuffer.baseAddress, unsafeBuffer.count)
            }
            if count == 0 { return }
            guard count > 0 else {
                let failure = errno
                if failure == EINTR { continue }
                throw IndexError(
                    code: .unreadable,
                    message: "The file cannot be read to its end.",
                    path: path,
                    cause: NSError(domain: NSPOSIXErrorDomain, code: Int(failure))
                )
            }
            try body(buffer.span.extracting(..<count))
        }
    }
}
