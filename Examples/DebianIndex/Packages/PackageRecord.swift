/// A package in an index: one version for one architecture.
public struct PackageRecord: Sendable, Equatable {
    public var name: String
    /// The architecture of the package; `all` for every architecture.
    public var architecture: String
    public var version: DebianVersion
    /// The first line of the description, empty if there is none.
    public var summary: String
    /// The rest of the description as plain text, or nil. Indexes of apt keep it in their
    /// translation files, so it is common only in dpkg's status file.
    public var details: String?
    public var section: String?
    public var maintainer: Maintainer?
    /// Estimated bytes on disk once installed, or nil if the index does not say.
    public var installedSize: Int?
    /// Bytes of the package file, or nil if the index does not say.
    public var downloadSize: Int?
    public var priority: String?
    public var homepage: String?
    public var isEssential: Bool
    /// The dependencies of the package, `Pre-Depends` first. Each has the names of its
    /// alternatives, without versions and architectures.
    public var dependencies: [[String]]

    /// The identity of a package: `name:architecture`.
    ///
    /// One machine often has a name for several architectures, as different packages that can be
    /// installed side by side. Several versions of a package have the same identity: see
    /// `NewestPackages`.
    public var id: String { "\(name):\(architecture)" }

    public init(
        name: String,
        architecture: String,
        version: DebianVersion,
        summary: String,
        details: String?,
        section: String?,
        maintainer: Maintainer?,
        installedSize: Int?,
        downloadSize: Int?,
        priority: String?,
        homepage: String?,
        isEssential: Bool,
        dependencies: [[String]] = []
    ) {
        self.name = name
        self.architecture = architecture
        self.version = version
        self.summary = summary
        self.details = details
        self.section = section
        self.maintainer = maintainer
        self.installedSize = installedSize
        self.downloadSize = downloadSize
        self.priority = priority
        self.homepage = homepage
        self.isEssential = isEssential
        self.dependencies = dependencies
    }
}

/// The maintainer of a package: a person or, more often, a team.
public struct Maintainer: Sendable, Hashable {
    public var name: String
    /// The address in lower case, or nil if the field has none.
    public var email: String?

    /// The identity of a maintainer: the address, because names are spelled in several ways with
    /// one address. Without an address it is the name.
    public var id: String { email ?? name }

    public init(name: String, email: String?) {
        self.name = name
        self.email = email
    }

    /// Reads a `Maintainer` field, `Name <address>`. Quotes around the name are dropped. Text
    /// without an address in angle brackets is a name. Nil if there is neither.
    public init?(field: String) {
        let field = field[...].trimmed
        var name = field
        var email: String?
        if field.hasSuffix(">"), let bracket = field.lastIndex(of: "<") {
            name = field[..<bracket]
            let address = field[field.index(after: bracket)...].dropLast().trimmed
            email = address.isEmpty ? nil : address.lowercased()
        }
        name = name.trimmed
        if name.count >= 2, name.first == "\"", name.last == "\"" {
            name = name.dropFirst().dropLast().trimmed
        }
        guard let shown = name.isEmpty ? email : String(name) else { return nil }
        self.init(name: shown, email: email)
    }
}

extension Substring {
    /// Without blanks at both ends.
    fileprivate var trimmed: Substring {
        let head = drop { $0 == " " || $0 == "\t" }
        guard let last = head.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return head }
        return head[...last]
    }
}
