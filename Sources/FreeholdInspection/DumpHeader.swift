import Foundation

/// The first line of a dump.
package struct DumpHeader: Codable, Sendable {
    /// The version of the dump's form.
    package static let format = 1

    package enum CodingKeys: String, CodingKey {
        case format = "$freehold"
        case version, schema
    }

    package var format = DumpHeader.format
    /// The version of the file that was dumped.
    package var version: UInt64
    package var schema: SchemaDescription

    package init(version: UInt64, schema: SchemaDescription) {
        self.version = version
        self.schema = schema
    }

    /// Reads a line; nil if it is not the first one of a dump.
    package init?(line: [UInt8]) throws {
        guard line.starts(with: Array("{\"$freehold\":".utf8)) else { return nil }
        do {
            self = try JSONDecoder().decode(DumpHeader.self, from: Data(line))
        } catch {
            throw InspectionError("The first line of the dump cannot be read: \(error)")
        }
        if format != DumpHeader.format {
            throw InspectionError(
                "The dump has the form \(format), and this program knows \(DumpHeader.format).",
                remedy: "Update freehold.")
        }
    }

    package var line: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            // "$freehold" sorts before the others.
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return [UInt8](try encoder.encode(self))
        }
    }
}
