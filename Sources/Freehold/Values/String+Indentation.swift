extension String {
    /// The text with a tab after each line feed, for nesting in descriptions. O(bytes). The
    /// general text replacement costs many times as much, and nested text is indented once a
    /// level.
    var withIndentedLines: String {
        let lineFeed = UInt8(ascii: "\n")
        var text = self
        return text.withUTF8 { bytes in
            let feeds = bytes.reduce(into: 0) { if $1 == lineFeed { $0 += 1 } }
            return String(unsafeUninitializedCapacity: bytes.count + feeds) { result in
                var end = 0
                for byte in bytes {
                    result[end] = byte
                    end += 1
                    if byte == lineFeed {
                        result[end] = UInt8(ascii: "\t")
                        end += 1
                    }
                }
                return end
            }
        }
    }
}
