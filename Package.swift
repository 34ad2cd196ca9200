// swift-tools-version: 6.2
import PackageDescription

/// Warnings are errors in every target of the package itself; dependents are not affected.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Which tests are built, by FREEHOLD_TESTS. A sanitizer's slice need not compile all others,
/// and a package that depends on this one sees none of its test tools.
enum BuiltTests: String {
    case all
    /// Those of the storage layer.
    case storage
    /// Tests/torture: the tools that kill, cut power, fail and damage.
    case torture
    /// Tests/fuzz: what libFuzzer drives.
    case fuzz
    /// Tests/Benchmarks/Postgres: sharing beside a bare program of libpq.
    case sharing
}
let builtTests = Context.environment["FREEHOLD_TESTS"].flatMap(BuiltTests.init) ?? .all
/// The only rooms whose tests are built, by FREEHOLD_ROOMS ("Drafts,Storage"): a change of the
/// library builds the tests of all rooms again. Nil for all.
let builtRooms = Context.environment["FREEHOLD_ROOMS"]?.split(separator: ",").map(String.init)

// Statements of declared types: the compiler of Swift 6.2 gives up on one expression with all
// of them.
var products: [Product] = [
    .library(name: "Freehold", targets: ["Freehold"]),
    .library(name: "FreeholdOpenCombine", targets: ["FreeholdOpenCombine"]),
    .library(name: "FreeholdLogging", targets: ["FreeholdLogging"]),
    .library(name: "FreeholdImport", targets: ["FreeholdImport"]),
    .library(name: "FreeholdSharing", targets: ["FreeholdSharing"]),
    .library(name: "FreeholdPostgres", targets: ["FreeholdPostgres"]),
    .library(name: "FreeholdService", targets: ["FreeholdService"]),
    .executable(name: "freehold", targets: ["FreeholdCommand"]),
]
if builtTests == .torture {
    products += [
        // Preloaded into processes of the torture tools.
        .library(name: "KillShim", type: .dynamic, targets: ["KillShim"]),
        .library(name: "RecordingShim", type: .dynamic, targets: ["RecordingShim"]),
        .library(name: "FaultShim", type: .dynamic, targets: ["FaultShim"]),
    ]
}

var targets: [Target] = [
    .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
    .systemLibrary(name: "CThread"),
    .target(
        name: "FreeholdStorage",
        dependencies: [
            "CLMDB", "CThread",
            .product(
                name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Encryption"])),
        ],
        swiftSettings: strict),
    .target(name: "Freehold", dependencies: ["FreeholdStorage"], swiftSettings: strict),
    .target(
        name: "FreeholdOpenCombine",
        dependencies: [
            "Freehold", "FreeholdStorage", .product(name: "OpenCombine", package: "OpenCombine"),
            .product(name: "OpenCombineDispatch", package: "OpenCombine"),
        ],
        swiftSettings: strict),
    .target(
        name: "FreeholdLogging",
        dependencies: ["Freehold", .product(name: "Logging", package: "swift-log")],
        swiftSettings: strict),
    .target(name: "FreeholdImport", dependencies: ["Freehold"], swiftSettings: strict),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
    // Realms that several machines share; knows no engine.
    .target(
        name: "FreeholdSharing", dependencies: ["Freehold", "FreeholdStorage", "CZstd"],
        swiftSettings: strict),
    .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(
        name: "FreeholdPostgres",
        dependencies: ["FreeholdSharing", "FreeholdStorage", "CPostgres"],
        swiftSettings: strict),
    .target(
        name: "FreeholdService",
        dependencies: [
            "FreeholdSharing",
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        ],
        swiftSettings: strict),
    // What the command and Studio share.
    .target(
        name: "FreeholdInspection",
        dependencies: ["Freehold", "FreeholdStorage", "FreeholdImport"],
        swiftSettings: strict),
    // The page of `freehold studio`, and its server.
    .target(
        name: "FreeholdStudio",
        dependencies: [
            "Freehold", "FreeholdImport", "FreeholdInspection", "FreeholdStorage",
            .product(name: "FlyingFox", package: "FlyingFox"),
            .product(name: "FlyingSocks", package: "FlyingFox"),
        ],
        // In the executable, which is then installed as one file.
        resources: [.embedInCode("Page")], swiftSettings: strict),
    .executableTarget(
        name: "FreeholdCommand",
        dependencies: [
            "Freehold", "FreeholdInspection", "FreeholdPostgres", "FreeholdSharing",
            "FreeholdStorage", "FreeholdStudio",
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
        ], swiftSettings: strict),
    .target(name: "FreeholdTestStart", path: "Tests/FreeholdTestStart"),
    .target(
        name: "FreeholdTestProcesses", dependencies: ["FreeholdStorage"],
        path: "Tests/FreeholdTestProcesses", swiftSettings: strict),
    .target(
        name: "FreeholdTestSupport",
        dependencies: ["FreeholdStorage", "FreeholdTestProcesses", "FreeholdTestStart"],
        path: "Tests/FreeholdTestSupport", swiftSettings: strict),
    .target(
        name: "FreeholdRealmTestSupport", dependencies: ["Freehold", "FreeholdTestSupport"],
        path: "Tests/FreeholdRealmTestSupport", swiftSettings: strict),
]
if builtRooms?.contains("Storage") ?? true {
    targets += [
        .testTarget(
            name: "FreeholdStorageTests",
            dependencies: ["FreeholdStorage", "FreeholdTestProcesses", "FreeholdTestSupport"],
            swiftSettings: strict)
    ]
}
if builtTests == .all || builtTests == .torture {
    targets += [
        .target(
            name: "FreeholdPrograms", dependencies: ["Freehold"], path: "Tests/FreeholdPrograms",
            swiftSettings: strict)
    ]
}
if builtTests == .torture || builtTests == .fuzz {
    targets += [
        .target(
            name: "FreeholdWorkload",
            dependencies: ["Freehold", "FreeholdStorage", "FreeholdTestSupport"],
            path: "Tests/Torture/Workload", swiftSettings: strict)
    ]
}
if builtTests == .fuzz {
    targets += [
        // libFuzzer has the `main`: only Tests/fuzz builds it.
        .executableTarget(
            name: "fuzz",
            dependencies: ["Freehold", "FreeholdStorage", "FreeholdImport", "FreeholdWorkload"],
            path: "Tests/Torture/Fuzz/Fuzz", swiftSettings: strict)
    ]
}
if builtTests == .torture {
    targets += [
        .target(name: "KillShim", path: "Tests/Torture/KillShim"),
        .target(name: "RecordingShim", path: "Tests/Torture/RecordingShim"),
        .target(name: "FaultShim", path: "Tests/Torture/FaultShim"),
        .target(name: "TortureCalls", path: "Tests/Torture/Calls"),
        .executableTarget(
            name: "torture",
            dependencies: [
                "Freehold", "FreeholdStorage", "FreeholdPrograms", "FreeholdWorkload",
                "FreeholdTestSupport", "TortureCalls",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/Torture/Torture", swiftSettings: strict),
    ]
}
if builtTests == .all {
    // A target for each room of Freehold: a changed file builds its own target again.
    let rooms: [(name: String, exclude: [String])] = [
        ("Collections", []), ("Documentation", []), ("Drafts", []), ("History", []), ("Model", []),
        ("Notifications", []),
        ("Query", []), ("Realm", []), ("Threads", []), ("Values", ["Decimal128/Fixtures"]),
    ]
    targets += rooms.filter { builtRooms?.contains($0.name) ?? true }.map { room in
        .testTarget(
            name: "Freehold\(room.name)Tests",
            // The documents' code uses the other products.
            dependencies: [
                "Freehold", "FreeholdStorage", "FreeholdImport", "FreeholdPrograms",
                "FreeholdTestSupport", "FreeholdRealmTestSupport",
            ]
                + (room.name == "Documentation"
                    ? ["FreeholdPostgres", "FreeholdService", "FreeholdTestProcesses"] : []),
            exclude: room.exclude, swiftSettings: strict)
    }
}
if builtTests == .all, builtRooms?.contains("Studio") ?? true {
    targets += [
        // Another process than Studio, with a file to look into.
        .executableTarget(
            name: "StudioSample", dependencies: ["Freehold"], path: "Tests/StudioSample",
            swiftSettings: strict),
        .testTarget(
            name: "FreeholdStudioTests",
            dependencies: [
                "FreeholdStudio", "FreeholdCommand", "StudioSample", "FreeholdTestProcesses",
                "FreeholdTestSupport", "FreeholdRealmTestSupport",
            ],
            swiftSettings: strict),
    ]
}
let buildsUpstreams = ["Sharing", "Postgres", "Command"].contains {
    builtRooms?.contains($0) ?? true
}
if (builtTests == .all && buildsUpstreams) || builtTests == .sharing {
    targets += [
        // A server of a test.
        .target(
            name: "PostgresServer", dependencies: ["FreeholdStorage", "FreeholdTestProcesses"],
            path: "Tests/PostgresServer", swiftSettings: strict),
        // What every upstream must do.
        .target(
            name: "UpstreamConformance", dependencies: ["FreeholdSharing"],
            path: "Tests/UpstreamConformance", swiftSettings: strict),
    ]
}
if builtTests == .sharing {
    targets += [
        .target(
            name: "BareLibpq", dependencies: ["CPostgres"],
            path: "Tests/Benchmarks/Postgres/BareLibpq"),
        .executableTarget(
            name: "postgres-benchmark",
            dependencies: [
                "Freehold", "FreeholdSharing", "FreeholdPostgres", "PostgresServer", "BareLibpq",
            ],
            path: "Tests/Benchmarks/Postgres/Benchmark", swiftSettings: strict),
    ]
}
if builtTests == .all, builtRooms?.contains("Sharing") ?? true {
    targets += [
        .testTarget(
            name: "FreeholdSharingTests",
            dependencies: [
                "Freehold", "FreeholdStorage", "FreeholdSharing", "FreeholdTestSupport",
                "FreeholdRealmTestSupport", "PostgresServer", "UpstreamConformance",
            ],
            swiftSettings: strict)
    ]
}
if builtTests == .all, builtRooms?.contains("Postgres") ?? true {
    targets += [
        // A client in a process of its own, which tests kill.
        .executableTarget(
            name: "SharingProgram",
            dependencies: [
                "Freehold", "FreeholdSharing", "FreeholdPostgres", "FreeholdTestSupport",
            ],
            path: "Tests/SharingProgram", swiftSettings: strict),
        .testTarget(
            name: "FreeholdPostgresTests",
            dependencies: [
                "Freehold", "FreeholdSharing", "FreeholdPostgres", "FreeholdStorage",
                "FreeholdTestProcesses", "FreeholdTestSupport", "FreeholdRealmTestSupport",
                "PostgresServer", "SharingProgram", "UpstreamConformance",
            ],
            swiftSettings: strict),
    ]
}
if builtTests == .all, builtRooms?.contains("Service") ?? true {
    targets += [
        .testTarget(
            name: "FreeholdServiceTests",
            dependencies: [
                "Freehold", "FreeholdSharing", "FreeholdService", "FreeholdTestSupport",
                "FreeholdRealmTestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict)
    ]
}
if builtTests == .all, builtRooms?.contains("Command") ?? true {
    targets += [
        .testTarget(
            name: "FreeholdCommandTests",
            dependencies: [
                "Freehold", "FreeholdStorage", "FreeholdImport", "FreeholdInspection",
                "FreeholdCommand", "FreeholdPostgres", "FreeholdSharing", "FreeholdTestProcesses",
                "FreeholdTestSupport", "FreeholdRealmTestSupport", "PostgresServer",
            ],
            swiftSettings: strict)
    ]
}
if builtTests == .all, builtRooms?.contains("Lifecycle") ?? true {
    targets += [
        .testTarget(
            name: "FreeholdLifecycleTests",
            dependencies: [
                "Freehold", "FreeholdStorage", "FreeholdLogging", "FreeholdCommand",
                "FreeholdTestProcesses", "FreeholdTestSupport", "FreeholdRealmTestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict)
    ]
}
if builtTests == .all, builtRooms == nil {
    targets += [
        .testTarget(
            name: "FreeholdImportTests",
            dependencies: [
                "Freehold", "FreeholdImport", "FreeholdRealmTestSupport", "FreeholdTestSupport",
            ], swiftSettings: strict),
        .testTarget(
            name: "FreeholdOpenCombineTests",
            dependencies: [
                "Freehold", "FreeholdOpenCombine",
                .product(name: "OpenCombine", package: "OpenCombine"),
            ],
            swiftSettings: strict),
    ]
}

let package = Package(
    name: "Freehold",
    products: products,
    traits: [
        .trait(
            name: "Encryption",
            description:
                """
                Encrypted realms. Without it swift-crypto, C and C++ for the most part, is \
                neither fetched nor built, and keys are refused.
                """
        ),
        .default(enabledTraits: ["Encryption"]),
    ],
    dependencies: [
        // A package that depends on this one fetches all of these, swift-crypto excepted where the
        // trait is off, and builds those of the products that it uses. Of FreeholdOpenCombine
        // alone.
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        // Of the library, by its trait "Encryption"; Decisions/0021.
        .package(url: "https://github.com/apple/swift-crypto", "3.12.3"..<"5.0.0"),
        // Of FreeholdService alone.
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
        // Of FreeholdLogging alone.
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        // Of the command-line tools alone.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        // Of FreeholdStudio alone, whose page it serves.
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: targets,
    swiftLanguageModes: [.v6]
)
