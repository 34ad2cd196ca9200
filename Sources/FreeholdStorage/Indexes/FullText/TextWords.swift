/// Finds the folded words of a text: the words that full-text indexes store and queries name.
///
/// Words follow Unicode's UAX #29, as far as the standard library's scalar properties tell
/// (``WordClass``). A word is a run of letters and digits, or of Katakana. Connectors (`_`)
/// join any of these. Inside a word, `'`, `.` and `:` may stand between letters, and `'`, `.`,
/// `,` and `;` between digits; so may their relatives outside of ASCII. In scripts without
/// spaces (ideographs, Hiragana, Thai and its neighbours), each character is one word, so a
/// search for several is a phrase. Other punctuation and emoji are not words.
///
/// Folding is that of ``TextFolding``, ignoring case and diacritics. Invisible formatting (soft
/// hyphens, joiners) is dropped. A word longer than ``longestWord`` is truncated.
///
/// The words of a text must never change, because stored indexes contain them. Scalars newer
/// than Unicode 15.0 therefore count as punctuation, whatever the standard library knows of
/// them.
///
/// Confined to one thread; reused, so that buffers are allocated once.
final class TextWords {
    /// The greatest length of a word in bytes. Index keys store such words whole.
    static let longestWord = 100

    private let folding = TextFolding(
        options: [.caseInsensitive, .diacriticInsensitive], isBytes: false)
    private let folded = ByteBuffer()
    private let words = ByteBuffer()
    /// The range of each word in `words`, in the order of the text.
    private(set) var ranges: ContiguousArray<Range<Int>> = []

    init() {}

    var count: Int { ranges.count }

    /// A word in UTF-8. Valid until the next call of ``find(in:)``.
    subscript(index: Int) -> UnsafeRawBufferPointer { bytes(ranges[index]) }

    private func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: words.contents[range])
    }

    /// Copies of the words.
    var all: [[UInt8]] { ranges.map { Array(bytes($0)) } }

    /// Finds the words of a text. O(text).
    func find(in text: UnsafeRawBufferPointer) {
        words.count = 0
        ranges.removeAll(keepingCapacity: true)
        var builder = WordBuilder()
        if TextFolding.isASCII(text) {
            folding.fold(text, into: folded)
            for byte in folded.contents {
                add(WordClass.ascii(byte), &builder) { words.append(byte) }
            }
        } else {
            var known = String(decoding: text, as: UTF8.self)
            if known.unicodeScalars.contains(where: { !WordClass.isKnown($0) }) {
                known = String(
                    String.UnicodeScalarView(
                        known.unicodeScalars.map { WordClass.isKnown($0) ? $0 : " " }))
            }
            known.withUTF8 { folding.fold(UnsafeRawBufferPointer($0), into: folded) }
            for scalar in String(decoding: folded.contents, as: UTF8.self).unicodeScalars {
                let scalar = WordClass.normalized(scalar)
                add(WordClass(scalar), &builder) {
                    for byte in UTF8.encode(scalar).unsafelyUnwrapped { words.append(byte) }
                }
            }
        }
        end(&builder)
    }

    /// Sorts the words by their bytes and removes duplicates. O(words log words).
    func sortAndRemoveDuplicates() {
        ranges.sort { ByteComparison.compare(bytes($0), bytes($1)) < 0 }
        var kept = 0
        for index in ranges.indices
        where kept == 0 || !ByteComparison.areEqual(bytes(ranges[kept - 1]), bytes(ranges[index])) {
            ranges[kept] = ranges[index]
            kept += 1
        }
        ranges.removeLast(ranges.count - kept)
    }

    // MARK: Putting words together

    /// The state of the word that is being assembled.
    private struct WordBuilder {
        /// The start of the word; nil between words.
        var start: Int?
        /// The class of its last scalar that is not a mark.
        var last = WordClass.other
        /// The end of the word without a trailing scalar that may turn out to be punctuation.
        var end = 0
        /// The trailing scalar, which belongs to the word only if more of the word follows.
        var middle: WordClass?
        /// Whether the word contains anything except connectors.
        var hasContent = false
    }

    /// - Parameter write: Appends the scalar to `words`.
    @inline(__always)
    private func add(_ kind: WordClass, _ builder: inout WordBuilder, _ write: () -> Void) {
        switch kind {
        case .format: return
        case .mark:
            // A mark belongs to the preceding scalar.
            if builder.start != nil, builder.middle == nil {
                write()
                note(&builder)
            }
            return
        case .middleOfLetters, .middleOfNumbers, .middleOfBoth:
            if builder.start != nil, builder.middle == nil, kind.mayFollow(builder.last) {
                builder.middle = kind
                write()
                return
            }
            end(&builder)
            return
        case .other:
            end(&builder)
            return
        case .letter, .digit, .connector, .katakana, .single: break
        }
        if builder.start != nil {
            let continues =
                builder.middle == nil ? kind.continues(builder.last) : kind == builder.last
            if !continues { end(&builder) }
        }
        if builder.start == nil { builder = WordBuilder(start: words.count) }
        builder.middle = nil
        builder.last = kind
        if kind != .connector { builder.hasContent = true }
        write()
        note(&builder)
    }

    /// Extends the word to the last written scalar, unless it is too long.
    @inline(__always)
    private func note(_ builder: inout WordBuilder) {
        if let start = builder.start, words.count - start <= Self.longestWord {
            builder.end = words.count
        }
    }

    private func end(_ builder: inout WordBuilder) {
        guard let start = builder.start else { return }
        if builder.hasContent {
            ranges.append(start..<builder.end)
            words.count = builder.end
        } else {
            words.count = start
        }
        builder.start = nil
        builder.middle = nil
    }
}
