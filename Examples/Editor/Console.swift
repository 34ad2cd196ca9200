import ExampleSupport
import Foundation

/// Lines from a person or a script, and lines for them.
enum Console {
    /// Prints a line without buffering, even into a pipe.
    static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line.printable + "\n").utf8))
    }

    /// Returns the next line; nil at the end of the input.
    static func ask(_ prompt: String) -> String? {
        if isatty(STDIN_FILENO) == 1 {
            FileHandle.standardOutput.write(Data((prompt + " ").utf8))
        }
        return readLine()?.trimmingCharacters(in: .whitespaces)
    }
}

/// Why a command was not carried out.
struct Refusal: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// A command and its arguments.
struct Command {
    let name: String
    private let arguments: [Substring]

    init(_ line: String) {
        let words = line.split(separator: " ")
        name = words.first.map(String.init) ?? ""
        arguments = Array(words.dropFirst())
    }

    /// Returns one word of the arguments.
    func word(_ index: Int, _ meaning: String) throws -> String {
        guard index < arguments.count else { throw Refusal("\(name): the \(meaning) is missing") }
        return String(arguments[index])
    }

    /// Returns all words from one on.
    func rest(from index: Int = 0, _ meaning: String) throws -> String {
        _ = try word(index, meaning)
        return arguments[index...].joined(separator: " ")
    }

    /// Returns a number.
    func number(_ meaning: String) throws -> Int {
        guard let number = Int(try word(0, meaning)) else {
            throw Refusal("\(name): the \(meaning) is a number")
        }
        return number
    }
}
