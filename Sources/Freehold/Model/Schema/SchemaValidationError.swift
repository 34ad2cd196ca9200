/// All errors in the declarations of one or several classes.
struct SchemaValidationError: Error, Hashable, CustomStringConvertible {
    /// One sentence each.
    let messages: [String]

    /// Realm's text with one line for each message.
    var description: String {
        "Schema validation failed due to the following errors:"
            + messages.map { "\n- \($0)" }.joined()
    }
}
