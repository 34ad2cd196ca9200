import Foundation
import Freehold
import FreeholdImport
import FreeholdWorkload

/// Whatever a file says, it is imported whole and the realm is sound, or it is refused and the
/// realm is what it was.
///
/// The first byte chooses: JSON or the CSV of a class, and the options.
enum ImportTarget: FuzzTarget {
    static let name = "import"

    /// Protected by nothing: libFuzzer has one thread.
    nonisolated(unsafe) private static let realm: Realm = {
        do {
            return try Realm(
                configuration: Realm.Configuration(
                    inMemoryIdentifier: "fuzz", objectTypes: EveryType.objectTypes))
        } catch {
            finding("No realm: \(error)")
        }
    }()

    private static var isEmpty: Bool {
        realm.objects(EveryType.Thing.self).isEmpty && realm.objects(EveryType.Note.self).isEmpty
            && realm.objects(EveryType.Tag.self).isEmpty
    }

    static func run(_ bytes: UnsafeRawBufferPointer) {
        var input = FuzzInput(bytes)
        let choice = input.byte()
        var options = ImportOptions()
        options.ignoresUnknownClasses = choice & 16 != 0
        options.ignoresUnknownProperties = choice & 32 != 0
        options.existingObjects = choice & 64 != 0 ? .modified : choice & 128 != 0 ? .all : .error
        let data = Data(input.rest)
        do {
            let source =
                choice & 3 == 0
                ? try RealmStudioImport(json: data)
                : try RealmStudioImport(
                    csv: data, className: ["Thing", "Note", "Tag"][(choice & 3) - 1])
            let summary = try source.importAll(into: realm, options: options)
            let count =
                realm.objects(EveryType.Thing.self).count + realm.objects(EveryType.Note.self).count
                + realm.objects(EveryType.Tag.self).count
            expect(summary.objectCount >= count, "\(summary) for \(count) objects.")
            guard count > 0 else { return }
            let problems = try realm.check()
            expect(problems.isEmpty, "An import left a file that is not sound: \(problems)")
            // Reads what stands there, as descriptions do.
            for thing in realm.objects(EveryType.Thing.self) { _ = thing.description.count }
            try realm.write { realm.deleteAll() }
        } catch let error as ImportError {
            _ = error.description.count
            expect(
                !realm.isInWriteTransaction && isEmpty, "A refused import left something: \(error)")
        } catch {
            // Realm's own: a text that is too long, say.
            expect(
                !realm.isInWriteTransaction && isEmpty,
                "An import that failed left something: \(error)")
        }
    }

    static var seeds: [[UInt8]] {
        let json = [
            #"""
            {"Thing":[{"id":1,"int":5,"small":-3,"bool":true,"float":1.5,"double":2.5,\#
            "text":"a\u00e9","data":"aGk=","date":"2021-02-03T10:20:30.005Z",\#
            "objectId":"507f1f77bcf86cd799439011","uuid":"6ba7b810-9dad-11d1-80b4-00c04fd430c8",\#
            "decimal":{"$numberDecimal":"1E+3"},"optionalInt":null,"ints":[1,2],"texts":["x",\#
            null],"words":["a","b"],"scores":{"a":1},"any":{"k":[1,"two",null]},\#
            "place":{"name":"p","inner":{"name":"i"}}}]}
            """#,
            #"""
            {"Thing":[{"$refId":"1","id":1,"next":{"$refId":"2","id":2,"next":{"$ref":"1"}},\#
            "things":[{"$ref":"2"}]}],"Note":[{"text":"the \#
            note","number":4,"thing":{"$ref":"1"}}],"Tag":[{"name":null,"weight":2}]}
            """#,
            #"""
            [{"Thing":"1","Tag":"2"},["3"],["4"],{"id":7,"text":"5","tags":"2","next":"3",\#
            "optionalText":null},{"name":"5","weight":1},"five"]
            """#,
            #"""
            {"Thing":[{"id":{"$numberLong":"9"},"date":1612347630005,\#
            "optionalDate":{"$date":"2021-02-03T10:20:30Z"},\#
            "objectId":{"$oid":"507f1f77bcf86cd799439011"},"notes":{"n":{"text":"t",\#
            "number":1}},"places":[{"name":"q","floor":3}]}]}
            """#,
        ]
        let csv: [(UInt8, String)] = [
            (
                1,
                """
                id,int,text,optionalText,date,ints,scores,next,place\n1,5,"a,""b"\n",,\
                2021-02-03T10:20:30.005Z,"[1,2]","{""a"":1}",,"{""name"":""p""}"\r\n2,6,x,"",,,,1,\n
                """
            ),
            (2, "text,number\nhello,1\n\"\",2"), (3, "name,weight\na,1\n,2\n"),
        ]
        var seeds: [[UInt8]] = []
        for text in json { seeds.append([0] + Array(text.utf8)) }
        for (choice, text) in csv { seeds.append([choice] + Array(text.utf8)) }
        seeds.append([0x70] + Array(json[0].utf8))
        seeds.append([0xB0] + Array(json[1].utf8))
        return seeds
    }
}
