import Foundation

/// The packages of this Debian, as a dump with the classes of the example PackageIndex.
struct DebianIndex {
    private static let path = "/var/lib/dpkg/status"
    static var isThere: Bool { FileManager.default.isReadableFile(atPath: path) }

    private typealias Members = [String: Any]

    private let stanzas: [[String: String]]

    init() throws {
        let text = try String(contentsOfFile: Self.path, encoding: .utf8)
        stanzas = text.components(separatedBy: "\n\n").compactMap { stanza in
            var fields: [String: String] = [:]
            var last = ""
            for line in stanza.split(separator: "\n") {
                if line.hasPrefix(" ") {
                    fields[last, default: ""] += "\n" + line.dropFirst()
                } else if let colon = line.firstIndex(of: ":") {
                    last = String(line[..<colon])
                    fields[last] = line[line.index(after: colon)...]
                        .trimmingCharacters(in: .whitespaces)
                }
            }
            return fields["Package"] == nil ? nil : fields
        }
    }

    func dump() throws -> Data {
        var lines = [Self.header]
        var maintainers: [String: Int] = [:]
        var sections: [String: Int] = [:]
        let ids = Dictionary(
            stanzas.map { ($0["Package"] ?? "", Self.id($0)) },
            uniquingKeysWith: { first, _ in first })
        for stanza in stanzas {
            maintainers[stanza["Maintainer"] ?? "nobody", default: 0] += 1
            sections[stanza["Section"] ?? "none", default: 0] += 1
            lines.append(package(stanza, ids))
        }
        for (name, count) in maintainers {
            lines.append(
                [
                    "$class": "Maintainer", "id": name,
                    "name": name.prefix { $0 != "<" }.trimmingCharacters(in: .whitespaces),
                    "email": NSNull(), "packageCount": count,
                ])
        }
        for (name, count) in sections {
            lines.append(["$class": "Section", "name": name, "packageCount": count])
        }
        var data = Data()
        for line in lines {
            data += try JSONSerialization.data(withJSONObject: line, options: .sortedKeys)
            data.append(0x0A)
        }
        return data
    }

    private static func id(_ stanza: [String: String]) -> String {
        "\(stanza["Package"] ?? ""):\(stanza["Architecture"] ?? "")"
    }

    private func package(_ stanza: [String: String], _ ids: [String: String]) -> Members {
        let description = (stanza["Description"] ?? "").split(separator: "\n", maxSplits: 1)
        let required = (stanza["Depends"] ?? "").split(separator: ",").compactMap { choice in
            let name = choice.trimmingCharacters(in: .whitespaces)
                .prefix { $0 != " " && $0 != "|" && $0 != ":" }
            return ids[String(name)]
        }
        return [
            "$class": "Package", "id": Self.id(stanza), "name": stanza["Package"] ?? "",
            "architecture": stanza["Architecture"] ?? "", "version": stanza["Version"] ?? "",
            "summary": description.first.map(String.init) ?? "",
            "details": description.count > 1 ? String(description[1]) as Any : NSNull(),
            "section": stanza["Section"] ?? "none", "maintainer": stanza["Maintainer"] ?? "nobody",
            "installedSize": (stanza["Installed-Size"].flatMap { Int($0) } ?? 0) * 1024,
            "priority": stanza["Priority"] ?? "", "isEssential": stanza["Essential"] == "yes",
            "homepage": stanza["Homepage"] as Any? ?? NSNull(), "dependencies": required,
        ]
    }

    private static var header: Members {
        func property(
            _ name: String, _ kind: String, target: String? = nil, collection: String? = nil,
            isOptional: Bool = false, isIndexed: Bool = false
        ) -> Members {
            var made: Members = ["name": name, "kind": kind, "isOptional": isOptional]
            made["target"] = target
            made["collection"] = collection
            if isIndexed { made["index"] = "ordered" }
            return made
        }
        func made(_ name: String, key: String, _ properties: [Members]) -> Members {
            ["name": name, "isEmbedded": false, "primaryKey": key, "properties": properties]
        }
        let classes = [
            made(
                "Package", key: "id",
                [
                    property("id", "string"), property("name", "string", isIndexed: true),
                    property("architecture", "string"), property("version", "string"),
                    property("summary", "string"), property("details", "string", isOptional: true),
                    property("section", "object", target: "Section", isOptional: true),
                    property("maintainer", "object", target: "Maintainer", isOptional: true),
                    property("installedSize", "int"), property("priority", "string"),
                    property("homepage", "string", isOptional: true),
                    property("isEssential", "bool"),
                    property("dependencies", "object", target: "Package", collection: "list"),
                ]),
            made(
                "Maintainer", key: "id",
                [
                    property("id", "string"), property("name", "string"),
                    property("email", "string", isOptional: true), property("packageCount", "int"),
                ]),
            made(
                "Section", key: "name",
                [property("name", "string"), property("packageCount", "int")]),
        ]
        return [
            "$freehold": 1, "version": 1,
            "schema": ["schemaVersion": 1, "classes": classes] as Members,
        ]
    }
}
