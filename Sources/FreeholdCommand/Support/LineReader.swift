import Foundation
import FreeholdInspection

/// Reads a file or the standard input line by line, in constant memory.
final class LineReader {
    private static let blockSize = 1 << 18

    private let handle: FileHandle
    private let byteCount: Int?
    private var buffer: [UInt8] = []
    private var position = 0
    private var readCount = 0
    private var isAtEnd = false
    private var peeked: [UInt8]?
    /// The number of the line that was returned last, from 1.
    private(set) var line = 0

    init(_ path: String) throws {
        if path == "-" {
            handle = .standardInput
            byteCount = nil
            return
        }
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw InspectionError("The input \"\(path)\" does not exist.")
        }
        if isDirectory.boolValue { throw InspectionError("The input \"\(path)\" is a directory.") }
        do {
            handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        } catch {
            throw InspectionError(
                "The input \"\(path)\" cannot be read: \(error.localizedDescription)")
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        byteCount = attributes?[.size] as? Int
    }

    /// The part of the input that was read, from 0 to 1; nil for the standard input.
    var part: Double? {
        byteCount.map { Double(readCount - (buffer.count - position)) / Double(max($0, 1)) }
    }

    /// The next line, which `next` then returns.
    func peek() throws -> [UInt8]? {
        if peeked == nil { peeked = try read() }
        return peeked
    }

    /// The next line without its end; nil after the last one.
    func next() throws -> [UInt8]? {
        if let text = peeked {
            peeked = nil
            line += 1
            return text
        }
        guard let text = try read() else { return nil }
        line += 1
        return text
    }

    /// The next lines that belong together, because quotes are open at the ends of the others.
    func nextRecord() throws -> [UInt8]? {
        guard var text = try next() else { return nil }
        while text.count(where: { $0 == UInt8(ascii: "\"") }) % 2 == 1, let more = try next() {
            text.append(0x0A)
            text.append(contentsOf: more)
        }
        return text
    }

    private func read() throws -> [UInt8]? {
        var searched = position
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) {
                defer { position = end + 1 }
                return Array(buffer[position..<end])
            }
            if isAtEnd {
                defer { position = buffer.count }
                return position < buffer.count ? Array(buffer[position...]) : nil
            }
            searched = buffer.count - position
            buffer.removeFirst(position)
            position = 0
            let block = try handle.read(upToCount: Self.blockSize) ?? Data()
            if block.isEmpty { isAtEnd = true }
            readCount += block.count
            buffer.append(contentsOf: block)
        }
    }
}
