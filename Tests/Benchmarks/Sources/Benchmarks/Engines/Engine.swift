import ArgumentParser
import Foundation

/// The engines that are compared. The raw values are the names on the command line, in the
/// table and in the JSON file.
enum EngineName: String, CaseIterable, ExpressibleByArgument {
    case freehold
    case grdb
    case lmdb
}

/// A database under measurement.
///
/// An engine owns a folder. `init` fills a store in it with all rows of the data set, the *base
/// store*, which the reading works share and no work changes. A work that writes gets a copy of
/// the base store, synced to disk before the clock starts and removed afterwards, so all its
/// samples begin alike and none pays for the copy.
///
/// All calls come from the main thread.
protocol Engine: AnyObject {
    static var name: EngineName { get }

    /// The works the engine has a counterpart for.
    static var works: Set<Work> { get }

    /// - Parameter directory: An empty folder that is the engine's alone.
    init(dataset: Dataset, directory: URL) throws

    /// Does `work` once, which is one of `works`.
    func sample(_ work: Work) throws -> Sample
}
