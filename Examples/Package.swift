// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "Examples",
    dependencies: [
        .package(name: "Freehold", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // Only for the server.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    ],
    targets: [
        .target(name: "DebianIndex", path: "DebianIndex", swiftSettings: strict),
        .target(name: "ExampleSupport", path: "ExampleSupport", swiftSettings: strict),
        .executableTarget(
            name: "Hello",
            dependencies: [.product(name: "Freehold", package: "Freehold")],
            path: "Hello",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "todo",
            dependencies: [
                .product(name: "Freehold", package: "Freehold"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Todo",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "job-queue",
            dependencies: [
                .product(name: "Freehold", package: "Freehold"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "JobQueue",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "Rekey",
            dependencies: [.product(name: "Freehold", package: "Freehold")],
            path: "Rekey",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "PackageIndex",
            dependencies: [
                "DebianIndex",
                "ExampleSupport",
                .product(name: "Freehold", package: "Freehold"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "PackageIndex",
            resources: [.copy("Sample")],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "Actors",
            dependencies: [.product(name: "Freehold", package: "Freehold")],
            path: "Actors",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "Editor",
            dependencies: [
                "ExampleSupport",
                .product(name: "Freehold", package: "Freehold"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Editor",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "inventory",
            dependencies: [
                .product(name: "Freehold", package: "Freehold"),
                .product(name: "FreeholdPostgres", package: "Freehold"),
                .product(name: "FreeholdSharing", package: "Freehold"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Inventory",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "Migrations",
            dependencies: [.product(name: "Freehold", package: "Freehold")],
            path: "Migrations",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "Server",
            dependencies: [
                .product(name: "Freehold", package: "Freehold"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Server",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "import-realm",
            dependencies: [
                .product(name: "Freehold", package: "Freehold"),
                .product(name: "FreeholdImport", package: "Freehold"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "ImportRealm",
            resources: [.copy("Sample")],
            swiftSettings: strict
        ),
        .testTarget(
            name: "DebianIndexTests",
            dependencies: ["DebianIndex"],
            path: "Tests/DebianIndexTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "ExampleSupportTests",
            dependencies: ["ExampleSupport"],
            path: "Tests/ExampleSupportTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "PackageIndexTests",
            dependencies: [
                "DebianIndex", "PackageIndex", .product(name: "Freehold", package: "Freehold"),
            ],
            path: "Tests/PackageIndexTests",
            swiftSettings: strict
        ),
    ],
    swiftLanguageModes: [.v6]
)
