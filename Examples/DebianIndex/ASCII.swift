/// Character classes of the index format, which is ASCII outside its free text.
extension UInt8 {
    /// 0 to 9.
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// a to z and A to Z.
    var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercased) }

    /// Space and tab, the white space that can occur inside a line.
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

    /// The lower case letter for an upper case one; every other byte unchanged.
    var lowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}
