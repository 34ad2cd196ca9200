// swift-tools-version: 6.2
import PackageDescription

/// Warnings are errors here as in the package that is measured.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// A package of its own, so that the peers Freehold is compared with are no dependencies of
/// Freehold.
let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(name: "Freehold", path: "../.."),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    ],
    targets: [
        .systemLibrary(name: "CRawLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
        .target(name: "CMeasurement"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "CRawLMDB",
                "CMeasurement",
                .product(name: "Freehold", package: "Freehold"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict
        ),
    ],
    swiftLanguageModes: [.v6]
)
