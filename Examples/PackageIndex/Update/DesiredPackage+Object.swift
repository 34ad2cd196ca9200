import DebianIndex
import Freehold

extension DesiredPackage {
    /// The values of a stored object. Reads every property; call it where the realm may be read.
    init(_ package: Package) {
        id = package.id
        name = package.name
        architecture = package.architecture
        version = package.version
        summary = package.summary
        details = package.details
        section = package.section?.name
        maintainer = package.maintainer.map {
            DebianIndex.Maintainer(name: $0.name, email: $0.email)
        }
        installedSize = package.installedSize
        downloadSize = package.downloadSize
        priority = package.priority
        homepage = package.homepage
        isEssential = package.isEssential
        dependencies = package.dependencies.map(\.id)
    }
}
