import Foundation
import Glibc

// What libFuzzer calls. Its own `main` is the program's.

/// Protected by nothing: set once by `LLVMFuzzerInitialize`, before anything is run; libFuzzer
/// has one thread.
nonisolated(unsafe) var target: any FuzzTarget.Type = ClusterTarget.self

/// `--target=NAME` chooses; `--seeds=DIRECTORY` writes the inputs to begin with, and ends.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
    let targets: [any FuzzTarget.Type] = [
        ClusterTarget.self, KeyTarget.self, PredicateTarget.self, ImportTarget.self,
        OperationsTarget.self, ImageTarget.self,
    ]
    var seeds: String?
    for index in 1..<max(Int(count.pointee), 1) {
        guard let argument = arguments.pointee[index].map({ String(cString: $0) }) else { continue }
        if argument.hasPrefix("--target=") {
            guard let named = targets.first(where: { $0.name == argument.dropFirst(9) }) else {
                print(
                    """
                    There is no target \(argument.dropFirst(9)), only \
                    \(targets.map { $0.name }.joined(separator: ", ")).
                    """
                )
                exit(2)
            }
            target = named
        }
        if argument.hasPrefix("--seeds=") { seeds = String(argument.dropFirst(8)) }
    }
    if let seeds { write(target.seeds, to: seeds) }
    return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.run(UnsafeRawBufferPointer(start: start, count: count))
    return 0
}

private func write(_ seeds: [[UInt8]], to directory: String) -> Never {
    do {
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        for (number, seed) in seeds.enumerated() {
            try Data(seed).write(to: URL(fileURLWithPath: "\(directory)/seed-\(number)"))
        }
    } catch {
        print("The seeds could not be written: \(error)")
        exit(2)
    }
    exit(0)
}

/// Something that takes bytes and must neither trap nor contradict itself.
protocol FuzzTarget {
    static var name: String { get }
    /// Inputs to begin with.
    static var seeds: [[UInt8]] { get }
    /// Ends the process where something is wrong.
    static func run(_ bytes: UnsafeRawBufferPointer)
}

/// Ends the process: libFuzzer keeps the input.
func finding(_ text: @autoclosure () -> String, file: StaticString = #file, line: UInt = #line)
    -> Never
{ fatalError(text(), file: file, line: line) }

func expect(
    _ condition: Bool, _ text: @autoclosure () -> String, file: StaticString = #file,
    line: UInt = #line
) {
    if !condition { finding(text(), file: file, line: line) }
}

/// Decisions and values, taken from an input byte by byte; zeros where it has ended.
struct FuzzInput {
    private(set) var rest: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func integer<Value: FixedWidthInteger & BitwiseCopyable>(_: Value.Type) -> Value {
        var value: Value = 0
        let size = min(MemoryLayout<Value>.size, rest.count)
        withUnsafeMutableBytes(of: &value) {
            $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<size]))
        }
        rest = UnsafeRawBufferPointer(rebasing: rest[size...])
        return value
    }

    mutating func byte() -> Int { Int(integer(UInt8.self)) }

    mutating func below(_ bound: Int) -> Int { byte() % bound }

    mutating func bytes(_ count: Int) -> UnsafeRawBufferPointer {
        let size = min(count, rest.count)
        defer { rest = UnsafeRawBufferPointer(rebasing: rest[size...]) }
        return UnsafeRawBufferPointer(rebasing: rest[..<size])
    }
}
