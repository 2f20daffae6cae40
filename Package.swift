// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

// Tests may use Foundation and unchecked corners of the platform; the product may not.
let testSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

func system(_ name: String, _ pkgConfig: String, apt package: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

let package = Package(
    name: "lockstep",
    products: [.executable(name: "lockstep", targets: ["lockstep"])],
    targets: [
        system("CSQLite", "sqlite3", apt: "libsqlite3-dev"),
        system("CCurl", "libcurl", apt: "libcurl4-openssl-dev"),
        system("COpenSSL", "openssl", apt: "libssl-dev"),
        system("CJansson", "jansson", apt: "libjansson-dev"),
        system("CNGHTTP2", "libnghttp2", apt: "libnghttp2-dev"),
        system("CGit2", "libgit2", apt: "libgit2-dev"),
        .systemLibrary(name: "CLinux"),
        // C++ behind a C interface: valijson is a library of templates, which Swift does not import.
        .target(name: "CValijson", cxxSettings: [.treatAllWarnings(as: .error)]),

        // The standard library's own rounding calls libm, which a target that imports Glibc would link by itself.
        .target(name: "JSON", swiftSettings: settings, linkerSettings: [.linkedLibrary("m")]),
        .target(name: "Time", swiftSettings: settings),
        .target(name: "Diff", dependencies: ["JSON", "Time"], swiftSettings: settings),
        .target(
            name: "Foreign",
            dependencies: [
                "JSON", "Time", "CSQLite", "CCurl", "COpenSSL", "CJansson", "CNGHTTP2", "CLinux", "CValijson",
            ],
            swiftSettings: settings,
        ),
        .target(name: "Git", dependencies: ["CGit2"], swiftSettings: settings),
        .target(name: "APNs", dependencies: ["JSON", "Time", "Foreign"], swiftSettings: settings),
        .target(
            name: "Source",
            dependencies: ["JSON", "Time", "Diff", "Foreign", "Git"],
            swiftSettings: settings
        ),
        .target(name: "Ledger", dependencies: ["JSON", "Time", "Diff", "Foreign"], swiftSettings: settings),
        .target(
            name: "Reconcile",
            dependencies: ["JSON", "Time", "Diff", "Foreign", "Source", "Ledger", "APNs"],
            swiftSettings: settings
        ),
        .target(name: "Simulator", dependencies: ["JSON", "Time", "Foreign"], swiftSettings: settings),
        .executableTarget(
            name: "lockstep",
            dependencies: ["JSON", "Time", "Diff", "Foreign", "APNs", "Source", "Ledger", "Reconcile", "Simulator"],
            swiftSettings: settings,
        ),

        // Servers that we did not write, temporary directories and certificates, for tests of the network.
        .target(
            name: "TestServers",
            path: "Tests/TestServers",
            exclude: ["push_server.py"],
            swiftSettings: testSettings
        ),
        .testTarget(name: "TimeTests", dependencies: ["Time"], swiftSettings: testSettings),
        // The same random numbers and JSON values for the same seed.
        .target(name: "TestSeeds", dependencies: ["JSON"], path: "Tests/TestSeeds", swiftSettings: testSettings),
        // Declarations by their typed members, as no file has them.
        .target(
            name: "TestDeclarations",
            dependencies: ["Diff", "JSON", "Time"],
            path: "Tests/TestDeclarations",
            swiftSettings: testSettings
        ),
        // A project in a temporary directory.
        .target(name: "TestProjects", path: "Tests/TestProjects", swiftSettings: testSettings),
        .testTarget(
            name: "JSONTests",
            dependencies: ["JSON", "Foreign", "TestSeeds"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "DiffTests",
            dependencies: ["Diff", "JSON", "TestDeclarations", "TestSeeds", "Time"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "ForeignTests",
            dependencies: ["Foreign", "JSON", "TestServers", "Time"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "APNsTests",
            dependencies: ["APNs", "Foreign", "JSON", "TestServers", "Time"],
            swiftSettings: testSettings,
        ),
        .testTarget(
            name: "SourceTests",
            dependencies: ["Source", "Diff", "Foreign", "JSON", "TestProjects", "TestSeeds", "Time"],
            swiftSettings: testSettings,
        ),
        .testTarget(
            name: "LedgerTests",
            dependencies: ["Ledger", "Diff", "JSON", "TestDeclarations", "TestSeeds", "Time"],
            swiftSettings: testSettings,
        ),
        .testTarget(
            name: "ReconcileTests",
            dependencies: [
                "Reconcile", "Ledger", "Source", "Diff", "APNs", "Foreign", "JSON", "TestDeclarations", "TestProjects",
                "TestSeeds", "Time",
            ],
            swiftSettings: testSettings,
        ),
        .testTarget(
            name: "SimulatorTests",
            dependencies: ["Simulator", "Foreign", "JSON", "Time"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "WorldTests",
            dependencies: [
                "APNs", "Diff", "Foreign", "JSON", "Ledger", "Reconcile", "Simulator", "Source", "TestSeeds", "Time",
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "lockstep", "Diff", "Foreign", "JSON", "Ledger", "Reconcile", "Source", "TestDeclarations", "TestSeeds",
                "TestServers", "Time",
            ],
            swiftSettings: testSettings
        ),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17,
)
