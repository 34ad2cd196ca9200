/// Reads indexes one after the other and keeps the newest version of every package.
///
/// The files are streamed. Memory holds one `PackageRecord` per package, some tens of megabytes for
/// all of Debian.
public struct IndexReader: Sendable {
    /// A stanza that was skipped, and where it is.
    public struct Issue: Sendable, Equatable, CustomStringConvertible {
        public var path: String
        public var stanza: MalformedStanza

        /// `path:line: what is wrong`, as compilers write it. Lines of a compressed file are
        /// those of its content.
        public var description: String {
            let package = stanza.packageName.map { " (in the stanza of \($0))" } ?? ""
            return "\(path):\(stanza.line): \(stanza.reason)\(package)"
        }
    }

    /// What the reader found so far.
    public private(set) var packages = NewestPackages()
    /// Stanzas read, malformed ones included.
    public private(set) var stanzaCount = 0
    /// Stanzas left out because another one has the same or a newer version of the package.
    public private(set) var supersededCount = 0
    /// Stanzas left out because the package is not installed.
    public private(set) var absentCount = 0
    /// Stanzas left out because they could not be read, in the order of reading.
    public private(set) var issues: [Issue] = []

    public init() {}

    /// Reads one more index.
    ///
    /// `onIssue` is called for each malformed stanza. `onProgress` is called after each piece of
    /// the file, with the number of stanzas read so far. Throws what `PackageSource.read` throws.
    /// The packages read before the failure are kept, but the index is incomplete: the caller must
    /// not remove packages that it lacks.
    public mutating func read(
        _ source: PackageSource,
        onIssue: (Issue) -> Void = { _ in },
        onProgress: (Int) -> Void = { _ in }
    ) throws {
        var parser = StanzaParser()
        try source.read { bytes in
            parser.consume(bytes) { take($0, from: source, onIssue) }
            onProgress(stanzaCount)
        }
        parser.finish { take($0, from: source, onIssue) }
        onProgress(stanzaCount)
    }

    private mutating func take(
        _ event: StanzaParser.Event, from source: PackageSource, _ onIssue: (Issue) -> Void
    ) {
        stanzaCount += 1
        do throws(MalformedStanza) {
            switch event {
            case .stanza(let stanza):
                guard let record = try PackageRecord(stanza) else {
                    absentCount += 1
                    return
                }
                if !packages.add(record) { supersededCount += 1 }
            case .malformed(let fault):
                throw fault
            }
        } catch {
            let issue = Issue(path: source.path, stanza: error)
            issues.append(issue)
            onIssue(issue)
        }
    }
}
