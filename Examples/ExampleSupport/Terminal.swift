import Foundation

/// The connections of the standard streams.
public enum Terminal {
    /// Whether standard error is a terminal that a person may watch.
    public static var standardErrorIsInteractive: Bool { isatty(STDERR_FILENO) == 1 }

    /// The columns of standard output's terminal, or nil if it is a file or a pipe.
    public static var standardOutputWidth: Int? { width(of: STDOUT_FILENO) }

    /// The columns of standard error's terminal, or nil if it is a file or a pipe.
    public static var standardErrorWidth: Int? { width(of: STDERR_FILENO) }

    /// Writes text to standard error unchanged, without a buffer. Ignores text that cannot be
    /// written.
    public static func writeToStandardError(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    private static func width(of descriptor: Int32) -> Int? {
        guard isatty(descriptor) == 1 else { return nil }
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}

extension String {
    /// The text with control characters replaced, because they could control a terminal. Newlines
    /// stay.
    public var printable: String {
        // Most texts have none, and a scan over bytes is cheap: UTF-8 has C1 controls only after
        // 0xC2.
        guard utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 }) else { return self }
        return String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar in
                    scalar.properties.generalCategory == .control && scalar != "\n"
                        ? "\u{FFFD}" : scalar
                }))
    }
}
