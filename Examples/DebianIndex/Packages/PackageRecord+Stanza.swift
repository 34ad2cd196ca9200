extension PackageRecord {
    /// Reads a stanza of a `Packages` index or of dpkg's status file.
    ///
    /// Returns nil if the stanza says that the package is not installed: dpkg also lists removed
    /// packages. Throws `MalformedStanza` if a required field is missing, or a used field cannot be
    /// parsed. Ignores unused fields.
    public init?(_ stanza: Stanza) throws(MalformedStanza) {
        if let status = stanza["Status"], Self.isAbsent(status: status) { return nil }

        name = try stanza.required("Package")
        guard name.utf8.allSatisfy({ $0.isDigit || $0.isLetter || "+-._".utf8.contains($0) }) else {
            throw stanza.fault(in: "Package", "'\(name.prefix(80))' is not a package name")
        }
        architecture = try stanza.required("Architecture")
        guard architecture.utf8.allSatisfy({ $0.isDigit || $0.isLetter || $0 == UInt8(ascii: "-") })
        else {
            throw stanza.fault(
                in: "Architecture", "'\(architecture.prefix(80))' is not an architecture")
        }
        let versionText = try stanza.required("Version")
        do throws(InvalidVersion) {
            version = try DebianVersion(versionText)
        } catch {
            throw stanza.fault(
                in: "Version", "'\(versionText.prefix(80))' is not a version: \(error.reason)")
        }

        (summary, details) = Self.takeApart(description: stanza["Description"] ?? "")
        section = stanza.nonEmpty("Section")
        maintainer = stanza.nonEmpty("Maintainer").flatMap(Maintainer.init(field:))
        // Installed-Size counts units of 1,024 bytes.
        installedSize = try stanza.count("Installed-Size", unit: 1_024)
        downloadSize = try stanza.count("Size", unit: 1)
        priority = stanza.nonEmpty("Priority")
        homepage = stanza.nonEmpty("Homepage")
        isEssential = stanza["Essential"] == "yes"
        dependencies = ["Pre-Depends", "Depends"].flatMap {
            Self.alternatives(in: stanza[$0] ?? "")
        }
    }

    /// The names in a field such as `libc6 (>= 2.34), default-mta | mail-transport-agent,
    /// python3:any`. What is no name is left out.
    static func alternatives(in field: String) -> [[String]] {
        field.split(separator: ",").compactMap { need in
            let names = need.split(separator: "|").compactMap { alternative -> String? in
                let name = alternative.drop { $0.isWhitespace }.prefix {
                    $0.isLetter || $0.isNumber || "+-._".contains($0)
                }
                return name.isEmpty ? nil : String(name)
            }
            return names.isEmpty ? nil : names
        }
    }

    /// The last word of dpkg's `Status` is the state of the package. In these states its files are
    /// not installed.
    private static func isAbsent(status: String) -> Bool {
        let state = status.split(separator: " ").last ?? ""
        return state == "not-installed" || state == "config-files" || state == "half-installed"
    }

    /// Splits a description into its first line and the rest. In the rest, each line begins with a
    /// blank, and a lone dot means an empty line.
    static func takeApart(description: String) -> (summary: String, details: String?) {
        let lines = description.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count > 1 else { return (description, nil) }
        let details = lines.dropFirst().map { line in
            let line = line.dropFirst()
            return line == "." ? "" : line
        }
        return (String(lines[0]), details.joined(separator: "\n"))
    }
}

extension Stanza {
    /// The value of a field, or nil if it is missing or empty.
    fileprivate func nonEmpty(_ name: String) -> String? {
        guard let value = self[name], !value.isEmpty else { return nil }
        return value
    }

    /// The value of a required field.
    fileprivate func required(_ name: String) throws(MalformedStanza) -> String {
        guard let value = self[name] else {
            throw fault(in: name, "the field '\(name)' is missing")
        }
        guard !value.isEmpty else { throw fault(in: name, "the field '\(name)' is empty") }
        return value
    }

    /// The value of a field that counts units, in ones. Nil if the field is missing.
    fileprivate func count(_ name: String, unit: Int) throws(MalformedStanza) -> Int? {
        guard let value = self[name] else { return nil }
        guard let number = Int(value), number >= 0,
            case let (result, false) = number.multipliedReportingOverflow(by: unit)
        else { throw fault(in: name, "the field '\(name)' is not a count") }
        return result
    }

    /// A fault on the line of a field, or on the stanza's first line if the field is missing.
    fileprivate func fault(in name: String, _ reason: String) -> MalformedStanza {
        MalformedStanza(
            firstLine: firstLine,
            line: line(of: name) ?? firstLine,
            reason: reason,
            packageName: nonEmpty("Package")
        )
    }
}
