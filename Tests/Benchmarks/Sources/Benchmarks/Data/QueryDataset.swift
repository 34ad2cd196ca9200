/// What the works about queries store besides the rows that all works share; made from a seed
/// of its own.
struct QueryDataset {
    static let seriesCount = 20_000
    static let publisherCount = 500
    static let levelCount = 1_000
    static let boxCount = 100_000
    static let articleCount = 100_000
    /// How many rows `range-count` finds.
    static let rangeCount = 10_000

    /// Of each row: its rank, level and series.
    let volumes: [(rank: Int, level: Double, series: Int)]
    let boxes: [[Int]]
    let articles: [String]
    /// The two words that `full-text` looks for.
    let words: (String, String)

    init(rowCount: Int) {
        var random = SplitMix64(seed: 0x11B2A27)
        var ranks = Array(0..<rowCount)
        ranks.shuffle(using: &random)
        let levels = (0..<Self.levelCount).map { Double($0) * 0.37 }
        volumes = ranks.map {
            (
                $0, levels.randomElement(using: &random)!,
                Int.random(in: 0..<Self.seriesCount, using: &random)
            )
        }
        boxes = (0..<min(rowCount, Self.boxCount)).map { _ in
            (0..<5).map { _ in Int.random(in: 0..<1_000, using: &random) }
        }
        // Few frequent words and many rare ones, as in texts of people.
        let vocabulary = (0..<5_000).map(Self.word)
        articles = (0..<min(rowCount, Self.articleCount)).map { _ in
            var text = ""
            while text.utf8.count < 200 {
                let share = Double.random(in: 0..<1, using: &random)
                text += vocabulary[Int(share * share * share * Double(vocabulary.count))] + " "
            }
            return text
        }
        words = (vocabulary[3], vocabulary[40])
    }

    /// A word of letters only, so that every engine takes it for one.
    private static func word(_ number: Int) -> String {
        var rest = number
        var letters = "word"
        repeat {
            letters.append(Character(UnicodeScalar(UInt8(97 + rest % 26))))
            rest /= 26
        } while rest > 0
        return letters
    }
}
