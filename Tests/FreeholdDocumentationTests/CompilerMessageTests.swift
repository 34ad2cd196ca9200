import Foundation
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// The page "What the compiler says, and what to do" quotes the compiler, and its remedies compile.
///
/// A section of the page has messages in ````
/// ```text ````, programs that have them in ```` ```swift refused ````, and programs that
/// compile in ```` ```swift ````. An indented line continues a message. Each program is
/// compiled alone, with the declarations in the comment at the page's head.
///
/// One after the other, on threads of their own: compilers take long, and other tests need the
/// pool's threads.
@Suite(.serialized) struct CompilerMessageTests {
    static let sections = (try? MessageSection.all()) ?? []

    @Test func thePageHasSections() {
        #expect(CompilerMessageTests.sections.count > 25)
        for section in CompilerMessageTests.sections {
            #expect(
                !section.messages.isEmpty && !section.refused.isEmpty && !section.remedies.isEmpty,
                "\(section.title)")
        }
    }

    @Test(arguments: sections)
    func theCompilerSaysWhatThePageSays(_ section: MessageSection) async throws {
        var said: Set<String> = []
        for program in section.refused {
            let errors = try await awaitThread { try section.errors(of: program) }
            #expect(!errors.isEmpty, "This compiles:\n\(program)")
            said.formUnion(errors)
        }
        #expect(said == Set(section.messages))
    }

    @Test(arguments: sections)
    func theRemediesCompile(_ section: MessageSection) async throws {
        for program in section.remedies {
            let errors = try await awaitThread { try section.errors(of: program) }
            #expect(errors.isEmpty, "\(program)")
        }
    }
}

struct MessageSection: Sendable, CustomTestStringConvertible {
    let title: String
    /// What stands at the head of every program.
    let imports: String
    /// The models, in a file of their own: of several files none is a script, so the programs
    /// are those of a library.
    let models: String
    var messages: [String] = []
    var refused: [String] = []
    var remedies: [String] = []

    var testDescription: String { title }

    static func all() throws -> [MessageSection] {
        let page = SwiftCompiler.packageRoot.appendingPathComponent(
            "Sources/Freehold/Freehold.docc/CompilerMessages.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let context =
            text.components(separatedBy: "<!-- context of every program\n").last?.components(
                separatedBy: "-->"
            ).first ?? ""
        let imports =
            context.components(separatedBy: "\n").filter { $0.hasPrefix("import ") }.joined(
                separator: "\n") + "\n"
        return text.components(separatedBy: "\n### ").dropFirst().map { part in
            var section = MessageSection(
                title: part.components(separatedBy: "\n")[0], imports: imports, models: context)
            // Between fences, texts and blocks take turns.
            for (number, block) in part.components(separatedBy: "\n```").enumerated()
            where number % 2 == 1 {
                let lines = block.components(separatedBy: "\n")
                let body = lines.dropFirst().joined(separator: "\n")
                switch lines[0] {
                case "text":
                    // An indented line continues the message above it.
                    section.messages += body.replacingOccurrences(of: "\n  ", with: " ")
                        .components(separatedBy: "\n")
                case "swift refused": section.refused.append(body)
                case "swift": section.remedies.append(body)
                default:
                    Issue.record(
                        "A block of \(section.title) is neither text nor Swift: \(lines[0])")
                }
            }
            return section
        }
    }

    /// The errors of a program, without their places and the names of their groups.
    func errors(of program: String) throws -> Set<String> {
        let compiler = try #require(
            SwiftCompiler(), "There is no swiftc on the PATH or in /opt/swift/usr/bin.")
        return try withTemporaryDirectory { directory in
            let (models, file) = (directory.file("models.swift"), directory.file("program.swift"))
            try self.models.write(to: models, atomically: false, encoding: .utf8)
            try (imports + program + "\n").write(to: file, atomically: false, encoding: .utf8)
            let (status, output) = try compiler.check([models, file], followsValues: true)
            let errors = output.components(separatedBy: "\n").compactMap { line -> String? in
                guard line.hasPrefix("/") || line.hasPrefix("<unknown>"),
                    let place = line.range(of: ": error: ")
                else { return nil }
                let message = String(line[place.upperBound...])
                return message.range(of: " [#").map { String(message[..<$0.lowerBound]) } ?? message
            }
            #expect((status != 0) == !errors.isEmpty, "The compiler failed otherwise: \(output)")
            return Set(errors)
        }
    }
}
