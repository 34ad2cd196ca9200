package import Foundation
package import Freehold

/// A file whose history has a damaged entry.
package enum DamagedHistory {
    package final class Note: Object {
        @Persisted package var text = ""
        override package class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    /// Makes a file with five transactions, whose authors are their numbers. That of number 2
    /// cannot be read.
    package static func make(at url: URL) throws {
        let marker = "2, the author of a damaged transaction"
        try fill(url, marker)
        var bytes = try Data(contentsOf: url)
        var start = bytes.startIndex
        while let found = bytes.range(of: Data(marker.utf8), in: start..<bytes.endIndex) {
            bytes[found.lowerBound] ^= 1
            start = found.upperBound
        }
        precondition(start > 0, "the author is in the file")
        try bytes.write(to: url)
    }

    /// The realm's file is closed when this returns.
    private static func fill(_ url: URL, _ marker: String) throws {
        var configuration = configuration(url)
        configuration.history = .kept(for: .forever, values: true)
        let realm = try Realm(configuration: configuration)
        for number in 0..<5 {
            try realm.write(author: number == 2 ? marker : "\(number)") {
                // Too long to share a row with others.
                let text = String(repeating: "text", count: number == 2 ? 10_000 : 1)
                realm.add(Note(value: ["text": text]))
            }
        }
    }

    package static func configuration(_ url: URL) -> Realm.Configuration {
        Realm.Configuration(fileURL: url, objectTypes: [Note.self])
    }
}
