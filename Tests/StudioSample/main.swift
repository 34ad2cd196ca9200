import Foundation
import Freehold

// A file for the tests and pictures of Studio, and a process that changes it.
//
//   StudioSample FILE create EVENTS [KEYFILE]   makes the file
//   StudioSample FILE commit [KEYFILE]          commits once for each line of the standard input
//   StudioSample FILE ask QUERY…                prints the seconds until the first 50 events of
//                                               each query are read

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2 else { fatalError("StudioSample FILE create|commit|ask …") }

func open(key: String?) throws -> Realm {
    var configuration = Realm.Configuration(
        fileURL: URL(fileURLWithPath: arguments[0]), objectTypes: Sample.types)
    if let key { configuration.encryptionKey = try Data(contentsOf: URL(fileURLWithPath: key)) }
    return try Realm(configuration: configuration)
}

switch arguments[1] {
case "create":
    let realm = try open(key: arguments.count > 3 ? arguments[3] : nil)
    try SampleData.create(in: realm, events: Int(arguments[2]) ?? 1000)
case "commit":
    let realm = try open(key: arguments.count > 2 ? arguments[2] : nil)
    var number = 0
    while readLine() != nil {
        number += 1
        try SampleData.change(number, in: realm)
        FileHandle.standardOutput.write(Data("\(number)\n".utf8))
    }
case "ask":
    let realm = try open(key: nil)
    for query in arguments.dropFirst(2) {
        print(try SampleData.seconds(ofAsking: query, in: realm))
    }
default: fatalError("StudioSample FILE create|commit|ask …")
}
