/// Why a question has no answer.
enum QuestionError: Error, Equatable, CustomStringConvertible {
    case noIndex(path: String)
    case noPackage(name: String, similar: [String])

    var description: String {
        switch self {
        case .noIndex(let path):
            return "There is no index at \(path) yet. Run 'PackageIndex update' first."
        case .noPackage(let name, let similar):
            let hint =
                similar.isEmpty
                ? "" : " Names that begin alike: \(similar.joined(separator: ", "))."
            return "There is no package '\(name)'.\(hint)"
        }
    }
}
