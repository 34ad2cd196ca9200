// swift-tools-version: 6.2
import PackageDescription

/// Warnings are errors in every target of the package itself; dependents are not affected.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// With FREEHOLD_TESTS=storage, only the storage layer's tests are built: a sanitizer's slice of them need not compile all others.
let testsStorageAlone = Context.environment["FREEHOLD_TESTS"] == "storage"

let package = Package(
    name: "Freehold",
    products: [
        .library(name: "Freehold", targets: ["Freehold"]),
        .library(name: "FreeholdOpenCombine", targets: ["FreeholdOpenCombine"]),
        .library(name: "FreeholdLogging", targets: ["FreeholdLogging"]),
        .library(name: "FreeholdImport", targets: ["FreeholdImport"]),
    ],
    dependencies: [
        // Of FreeholdOpenCombine alone: who does not use that neither fetches nor builds it.
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        // Of the library: encryption.
        .package(url: "https://github.com/apple/swift-crypto", "3.12.3"..<"5.0.0"),
        // Of FreeholdLogging alone, likewise.
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    ],
    targets: [
        .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
        .target(name: "FreeholdStorage", dependencies: ["CLMDB", .product(name: "Crypto", package: "swift-crypto")], swiftSettings: strict),
        .target(name: "Freehold", dependencies: ["FreeholdStorage"], swiftSettings: strict),
        .target(
            name: "FreeholdOpenCombine",
            dependencies: [
                "Freehold", "FreeholdStorage", .product(name: "OpenCombine", package: "OpenCombine"),
                .product(name: "OpenCombineDispatch", package: "OpenCombine"),
            ],
            swiftSettings: strict),
        .target(name: "FreeholdLogging", dependencies: ["Freehold", .product(name: "Logging", package: "swift-log")], swiftSettings: strict),
        .target(name: "FreeholdImport", dependencies: ["Freehold"], swiftSettings: strict),
        .target(name: "FreeholdTestStart", path: "Tests/FreeholdTestStart"),
        .target(name: "FreeholdTestSupport", dependencies: ["FreeholdStorage", "FreeholdTestStart"], path: "Tests/FreeholdTestSupport", swiftSettings: strict),
        .target(name: "FreeholdRealmTestSupport", dependencies: ["Freehold", "FreeholdTestSupport"], path: "Tests/FreeholdRealmTestSupport", swiftSettings: strict),
        .testTarget(name: "FreeholdStorageTests", dependencies: ["FreeholdStorage", "FreeholdTestSupport"], swiftSettings: strict),
    ] + (testsStorageAlone ? [] : [
        .testTarget(
            name: "FreeholdTests",
            // FreeholdImport: the documents' code uses it.
            dependencies: ["Freehold", "FreeholdStorage", "FreeholdImport", "FreeholdTestSupport", "FreeholdRealmTestSupport"], swiftSettings: strict),
        .testTarget(
            name: "FreeholdLifecycleTests",
            dependencies: [
                "Freehold", "FreeholdStorage", "FreeholdLogging", "FreeholdTestSupport", "FreeholdRealmTestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "FreeholdImportTests", dependencies: ["Freehold", "FreeholdImport", "FreeholdRealmTestSupport", "FreeholdTestSupport"], swiftSettings: strict),
        .testTarget(
            name: "FreeholdOpenCombineTests", dependencies: ["Freehold", "FreeholdOpenCombine", .product(name: "OpenCombine", package: "OpenCombine")],
            swiftSettings: strict),
    ]),
    swiftLanguageModes: [.v6]
)
