import Testing

/// Whether an exit test's process wrote a text to its standard error.
func wrote(_ text: String, _ result: ExitTest.Result?) -> Bool {
    guard let result else { return false }
    return String(decoding: result.standardErrorContent, as: UTF8.self).contains(text)
}
