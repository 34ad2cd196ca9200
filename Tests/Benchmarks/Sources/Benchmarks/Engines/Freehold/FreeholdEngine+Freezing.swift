import Foundation
import Freehold

/// `freeze…`: freezing a realm, an object and results.
///
/// Of a realm with 200 classes, but for `freeze`. A call lets go of what the one before froze, as
/// a program does that hands out one value after another; `freeze-first` is the first call of a
/// version, of which each commit makes another.
extension FreeholdEngine {
    func freeze() -> Sample { freezing { base.freeze().isFrozen } }

    func freezeObject() throws -> Sample {
        let object = try objectOfManyClasses()
        return freezing { object.freeze().isFrozen }
    }

    func freezeResults() throws -> Sample {
        guard let realm = try objectOfManyClasses().realm else { return .init(value: 0, answer: 0) }
        let results = realm.objects(Many7.self)
        return freezing { results.freeze().isFrozen }
    }

    @inline(__always) private func freezing(_ isFrozen: () -> Bool) -> Sample {
        let calls = 100_000
        var frozen = 0
        let value = nanoseconds(per: calls) {
            for _ in 0..<calls where isFrozen() { frozen += 1 }
        }
        return Sample(value: value, answer: frozen)
    }

    func freezeFirst() throws -> Sample {
        let object = try objectOfManyClasses()
        guard let realm = object.realm else { return Sample(value: 0, answer: 0) }
        var times: [Double] = []
        for round in 0..<500 {
            try realm.write { object.p0 = round }
            // The first read of a version finds the row, which freezing does not have to.
            precondition(object.p0 == round)
            times.append(nanoseconds(per: 1) { withExtendedLifetime(object.freeze()) {} })
        }
        return Sample(value: times.sorted()[times.count / 2], answer: times.count)
    }

    private func objectOfManyClasses() throws -> Many7 {
        if manyClasses == nil { _ = try openManyClasses() }
        guard let realm = manyClasses else { fatalError("openManyClasses() opens it.") }
        if let known = realm.objects(Many7.self).first { return known }
        return try realm.write { realm.create(Many7.self) }
    }
}
