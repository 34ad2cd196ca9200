import Foundation

/// What the recording shim wrote.
struct RecordedLog {
    enum Event {
        /// `isDurable`: it was on the medium when the call returned.
        case write(inode: UInt64, at: Int, bytes: Range<Int>, isDurable: Bool)
        case sync(inode: UInt64)
        case size(inode: UInt64, Int)
        case create(inode: UInt64, name: String)
        case rename(String, String)
        case exchange(String, String)
        case unlink(String)
        case link(String, String)
        case directorySync
        case promise(PowerPromise)
    }

    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    /// The whole log; events say where their bytes are in it.
    let data: Data
    let events: [Event]

    init(_ path: String) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        self.data = data
        var events: [Event] = []
        var place = 0
        while place < data.count {
            guard place + 32 <= data.count else {
                throw Unreadable(description: "The log ends in an event.")
            }
            func number<Value: FixedWidthInteger>(_ offset: Int, _: Value.Type) -> Value {
                data.withUnsafeBytes {
                    $0.loadUnaligned(fromByteOffset: place + offset, as: Value.self)
                }
            }
            let inode = number(8, UInt64.self)
            let offset = Int(number(16, UInt64.self))
            let bytes = place + 32..<place + 32 + Int(number(24, UInt64.self))
            func names() -> [String] {
                data[bytes].split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            }
            switch number(0, UInt32.self) {
            case 1:
                events.append(
                    .write(
                        inode: inode, at: offset, bytes: bytes,
                        isDurable: number(4, UInt32.self) & 1 != 0))
            case 2: events.append(.sync(inode: inode))
            case 3: events.append(.size(inode: inode, offset))
            case 4: events.append(.create(inode: inode, name: names()[0]))
            case 5: events.append(.rename(names()[0], names()[1]))
            case 6: events.append(.unlink(names()[0]))
            case 7: events.append(.link(names()[0], names()[1]))
            case 8: events.append(.directorySync)
            case 9: events.append(.promise(try PowerPromise(note: data[bytes])))
            case 11: events.append(.exchange(names()[0], names()[1]))
            case 10:
                throw Unreadable(
                    description: "The workload did what cannot be replayed: \(names()).")
            case let kind:
                throw Unreadable(
                    description: "Event \(events.count) of the log has the kind \(kind).")
            }
            place = bytes.upperBound
        }
        self.events = events
        try verifyFilesAreKnown()
    }

    /// A shim that does not see how a file comes into the directory would leave an empty one in
    /// each image.
    private func verifyFilesAreKnown() throws {
        var inodes: Set<UInt64> = []
        var names: Set<String> = []
        for (number, event) in events.enumerated() {
            var isKnown = true
            switch event {
            case .write(let inode, _, _, _), .sync(let inode), .size(let inode, _):
                isKnown = inodes.contains(inode)
            case .create(let inode, let name):
                inodes.insert(inode)
                names.insert(name)
            case .rename(let from, let to):
                isKnown = names.remove(from) != nil
                names.insert(to)
            case .link(let from, let to):
                isKnown = names.contains(from)
                names.insert(to)
            case .exchange(let first, let second):
                isKnown = names.contains(first) && names.contains(second)
            case .unlink(let name): isKnown = names.remove(name) != nil
            case .directorySync, .promise: break
            }
            if !isKnown {
                throw Unreadable(
                    description:
                        "Event \(number), \(event), is of a file whose creation was not recorded.")
            }
        }
    }
}
