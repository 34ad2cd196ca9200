// swift-tools-version: 6.2
import PackageDescription

/// A program that depends on the library without its trait "Encryption": swift-crypto is
/// neither fetched nor built.
let package = Package(
    name: "Unencrypted",
    dependencies: [.package(name: "Freehold", path: "../..", traits: [])],
    targets: [
        .executableTarget(
            name: "WithoutEncryption",
            dependencies: [.product(name: "Freehold", package: "Freehold")])
    ],
    swiftLanguageModes: [.v6]
)
