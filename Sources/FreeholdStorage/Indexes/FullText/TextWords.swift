/// Finds the words of a text, folded: what full-text indexes have, and searches ask for.
///
/// Words are those of Unicode's UAX #29 as far as the standard library's properties of scalars
/// tell them (`WordClass`): runs of letters, digits and connectors (`_`), inside of which an
/// apostrophe, a period or a colon may stand between letters, and a period, a comma or an
/// apostrophe between digits. What is written without spaces (ideographs, Hiragana, Thai and
/// its neighbours) is one word a character, so a search for several is one for a phrase.
/// Punctuation and emoji are no words.
///
/// Folding is that of ``TextFolding`` without case and without diacritics. Invisible formatting
/// (soft hyphens, joiners) is left out. Of a word that is longer than ``longestWord`` only the
/// beginning counts.
///
/// What the words of a text are must not change: stored indexes say so. Scalars that are
/// younger than Unicode 15.0 are therefore taken for punctuation, whatever the standard library
/// knows of them.
///
/// Confined to one thread; used again and again, so that buffers are allocated once.
final class TextWords {
    /// In bytes. Index keys hold it whole.
    static let longestWord = 100

    private let folding = TextFolding(
        options: [.caseInsensitive, .diacriticInsensitive], isBytes: false)
    private let folded = ByteBuffer()
    private let words = ByteBuffer()
    /// Where each word is in `words`, in the order of the text.
    private(set) var ranges: ContiguousArray<Range<Int>> = []

    init() {}

    var count: Int { ranges.count }

    /// A word in UTF-8. Valid until the next call of ``find(in:)``.
    subscript(index: Int) -> UnsafeRawBufferPointer { bytes(ranges[index]) }

    private func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: words.contents[range])
    }

    /// The words as values of their own.
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

    /// Sorts the words by their bytes and leaves each out that comes again. O(words log words).
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

    /// What is known of the word that is being put together.
    private struct WordBuilder {
        /// Where it begins; nil between words.
        var start: Int?
        /// The class of its last scalar that is not a mark.
        var last = WordClass.other
        /// Where it would end without what may turn out to be punctuation behind it.
        var end = 0
        /// What stands there and belongs to the word if more of it follows.
        var middle: WordClass?
        /// Whether there is anything but connectors in it.
        var hasContent = false
    }

    /// - Parameter write: Appends the scalar to `words`.
    @inline(__always)
    private func add(_ kind: WordClass, _ builder: inout WordBuilder, _ write: () -> Void) {
        switch kind {
        case .format: return
        case .mark:
            // A mark belongs to what it stands behind.
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

    /// Notes that the word has what was written last, as long as it is not too long.
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
