// swift-tools-version: 6.2
import PackageDescription

/// Warnings are errors in every target of the package itself; dependents are not affected.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "Freehold",
    products: [
        .library(name: "Freehold", targets: ["Freehold"]),
        .library(name: "FreeholdOpenCombine", targets: ["FreeholdOpenCombine"]),
    ],
    dependencies: [
        // Of FreeholdOpenCombine alone: who does not use that neither fetches nor builds it.
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
        .target(name: "FreeholdStorage", dependencies: ["CLMDB"], swiftSettings: strict),
        .target(name: "Freehold", dependencies: ["FreeholdStorage"], swiftSettings: strict),
        .target(
            name: "FreeholdOpenCombine",
            dependencies: [
                "Freehold", "FreeholdStorage", .product(name: "OpenCombine", package: "OpenCombine"),
                .product(name: "OpenCombineDispatch", package: "OpenCombine"),
            ],
            swiftSettings: strict),
        .target(name: "FreeholdTestSupport", path: "Tests/FreeholdTestSupport", swiftSettings: strict),
        .testTarget(name: "FreeholdStorageTests", dependencies: ["FreeholdStorage", "FreeholdTestSupport"], swiftSettings: strict),
        .testTarget(name: "FreeholdTests", dependencies: ["Freehold", "FreeholdStorage", "FreeholdTestSupport"], swiftSettings: strict),
        .testTarget(
            name: "FreeholdOpenCombineTests", dependencies: ["Freehold", "FreeholdOpenCombine", .product(name: "OpenCombine", package: "OpenCombine")],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
