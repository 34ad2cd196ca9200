/// What a process may do with a data file.
package enum FileAccess: Sendable, Hashable {
    case readWrite
    case readOnly
}
