import Foundation

/// The rows all engines store and the keys all engines look up, made from one seed before
/// anything is measured.
struct Dataset {
    /// The rows in the order they are inserted, which is the order of their primary keys.
    let rows: [PersonRow]
    /// Random primary keys for `pk-read`.
    let lookupIdentifiers: [Int]
    /// Random names for `indexed-equal`; each is the name of ten rows.
    let lookupNames: [String]
    /// Distinct primary keys, spread over the table, one for each commit of `durable-commit`.
    let commitIdentifiers: [Int]
    /// For each row the one that it links to.
    let linkTargets: [Int]
    /// The row that `hot-read` reads.
    let hotIdentifier: Int

    /// How often `hot-read` reads its property in one sample.
    let hotReads = 5_000_000
    /// What `scan-contains` looks for; about six rows in 100,000 have it.
    let needle = "99999"

    /// - Complexity: O(`rowCount`).
    init(rowCount: Int, seed: UInt64 = 0x5EED_0F_F4EE_401D) {
        precondition(rowCount >= 10, "The benchmarks need at least ten rows.")
        var random = SplitMix64(seed: seed)
        let names = Dataset.makeNames(rowCount: rowCount, random: &random)
        rows = names.enumerated().map { id, name in
            Dataset.makeRow(id: id, name: name, random: &random)
        }
        let everyIdentifier = 0..<rowCount
        lookupIdentifiers = (0..<min(rowCount, 200_000)).map { _ in
            Int.random(in: everyIdentifier, using: &random)
        }
        lookupNames = (0..<min(rowCount, 20_000)).map { _ in
            names[Int.random(in: everyIdentifier, using: &random)]
        }
        let commits = min(rowCount, 200)
        let stride = rowCount / commits
        commitIdentifiers = (0..<commits).map { $0 * stride }
        linkTargets = (0..<rowCount).map { _ in Int.random(in: everyIdentifier, using: &random) }
        hotIdentifier = rowCount / 2
    }

    /// Ten rows to a name, in random order, so that equal names lie far apart and the index is
    /// not filled in order.
    private static func makeNames(rowCount: Int, random: inout SplitMix64) -> [String] {
        var groups = (0..<rowCount).map { $0 / 10 }
        groups.shuffle(using: &random)
        return groups.map { "Name " + padded($0, digits: 7) }
    }

    private static func makeRow(id: Int, name: String, random: inout SplitMix64) -> PersonRow {
        let first = pastimes.randomElement(using: &random)!
        let second = pastimes.randomElement(using: &random)!
        let number = padded(Int.random(in: 0..<10_000_000_000, using: &random), digits: 10)
        return PersonRow(
            id: id,
            name: name,
            age: Int.random(in: 0..<100, using: &random),
            score: Double(Int.random(in: 0..<(1 << 30), using: &random)) / Double(1 << 20),
            active: Bool.random(using: &random),
            bio: "Likes \(first) and \(second), member \(number)",
            joined: Date(
                timeIntervalSinceReferenceDate: Double(
                    Int.random(in: 0..<1_000_000_000, using: &random)))
        )
    }

    private static func padded(_ number: Int, digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    private static let pastimes = [
        "chess", "hiking", "sailing", "cooking", "pottery", "running", "reading", "singing",
    ]
}
