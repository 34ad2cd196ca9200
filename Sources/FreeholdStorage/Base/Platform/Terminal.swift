internal import Glibc

/// The terminal of command-line tools.
package enum Terminal {
    /// Whether a descriptor is a terminal: 0 the input, 1 the output, 2 the errors.
    package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// The columns and rows of the terminal that is the standard output, or the errors; nil
    /// without one.
    package static var size: (columns: Int, rows: Int)? {
        for descriptor: Int32 in [1, 2] {
            var size = winsize()
            if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
                return (Int(size.ws_col), Int(size.ws_row))
            }
        }
        return nil
    }

    /// Writes a prompt to the terminal of the process and reads a line, whatever the standard
    /// input and output are.
    ///
    /// - Parameter isHidden: Whether what is typed is not shown.
    /// - Returns: The bytes without the line's end; nil without a terminal, or at its end.
    package static func ask(_ prompt: String, isHidden: Bool) -> [UInt8]? {
        let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var settings = termios()
        let isKnown = isHidden && tcgetattr(descriptor, &settings) == 0
        if isKnown {
            var silent = settings
            silent.c_lflag &= ~tcflag_t(ECHO)
            tcsetattr(descriptor, TCSAFLUSH, &silent)
        }
        defer {
            if isKnown {
                tcsetattr(descriptor, TCSAFLUSH, &settings)
                _ = Glibc.write(descriptor, "\n", 1)
            }
        }
        _ = prompt.utf8CString.withUnsafeBytes {
            Glibc.write(descriptor, $0.baseAddress, $0.count - 1)
        }
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return line.isEmpty ? nil : line }
            if byte == UInt8(ascii: "\n") { return line }
            line.append(byte)
        }
    }

    /// Reads a descriptor that the process was started with to its end; nil if it cannot be
    /// read.
    package static func readAll(_ descriptor: Int32, atMost limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= limit {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count < 0 { return nil }
            if count == 0 { return bytes }
            bytes.append(contentsOf: buffer[..<count])
        }
        return bytes
    }

    /// Writes all bytes to the standard output.
    ///
    /// - Returns: False if its reader is gone, or the medium failed.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32 = 1) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return false }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return true
    }

    /// Makes writes to a pipe without a reader fail instead of ending the process.
    package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    /// Leaves Ctrl-C to a child that has the terminal, such as a pager.
    package static func ignoreInterrupts() { signal(SIGINT, SIG_IGN) }
}
