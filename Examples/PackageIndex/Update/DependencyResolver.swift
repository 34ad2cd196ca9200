import DebianIndex

/// Finds the packages that the dependencies of others name.
///
/// A dependency is a name, or several alternatives. A name can mean packages of several
/// architectures. The architecture of the dependent package is preferred, then a package for every
/// architecture. Names that exist only because other packages provide them are left out.
struct DependencyResolver {
    /// By name, then architecture.
    private var ids: [String: [String: String]] = [:]

    init(_ records: [PackageRecord]) {
        for record in records { ids[record.name, default: [:]][record.architecture] = record.id }
    }

    /// The ids of a package's dependencies, each once, in the order of its record.
    func dependencies(of record: PackageRecord) -> [String] {
        var seen: Set<String> = []
        return record.dependencies.compactMap { alternatives in
            alternatives.lazy.compactMap { id(of: $0, for: record.architecture) }.first
        }.filter { $0 != record.id && seen.insert($0).inserted }
    }

    private func id(of name: String, for architecture: String) -> String? {
        guard let found = ids[name] else { return nil }
        return found[architecture] ?? found["all"] ?? found.min { $0.key < $1.key }?.value
    }
}
