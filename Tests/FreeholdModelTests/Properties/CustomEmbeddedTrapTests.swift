import Freehold
import FreeholdRealmTestSupport
import Testing

/// Values stored as embedded objects: what ends the process.
@Suite struct CustomEmbeddedTrapTests {
    @Test func storedValueThatDoesNotConvert() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(CustomEmbedded.days) { realm in
                let day = try realm.write {
                    realm.create(CustomEmbedded.Day.self, value: ["id": 1])
                }
                try realm.write { (day["open"] as? SpanRecord)?.upper = 0 }
                _ = day.open
            }
        }
        expectMessage(
            result, "Failed to convert persisted value 'SpanRecord {",
            "to type 'Span' in a non-optional context.",
            "An object of class 'CustomEmbedded_Day' holds a value")
    }

    @Test func nilLinkWhoseDefaultDoesNotConvert() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(CustomEmbedded.days) { realm in
                let day = try realm.write {
                    realm.create(CustomEmbedded.Day.self, value: ["id": 1])
                }
                try realm.write { if let open = day["open"] as? SpanRecord { realm.delete(open) } }
                _ = day.open
            }
        }
        expectMessage(
            result, "Failed to convert persisted value 'SpanRecord {",
            "to type 'Span' in a non-optional context.")
    }

    @Test func elementThatDoesNotConvert() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(CustomEmbedded.days) { realm in
                let day = try realm.write {
                    realm.create(
                        CustomEmbedded.Day.self,
                        value: ["id": 1, "spans": [[1, 2]]] as [String: Any])
                }
                try realm.write { day.spans.setValue(0, forKey: "upper") }
                _ = day.spans[0]
            }
        }
        expectMessage(
            result, "Could not convert value 'SpanRecord {", "to type 'Span'.",
            "A collection holds a value that its type does not know")
    }

    @Test func resultThatDoesNotConvert() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(CustomEmbedded.days) { realm in
                let day = try realm.write {
                    realm.create(
                        CustomEmbedded.Day.self,
                        value: ["id": 1, "spans": [[1, 2]]] as [String: Any])
                }
                try realm.write { day.spans.setValue(0, forKey: "upper") }
                _ = day.spans.sorted(byKeyPath: "lower").first
            }
        }
        expectMessage(
            result, "Could not convert value 'SpanRecord {", "to type 'Span'.",
            "A collection holds a value that its type does not know")
    }

    @Test func defaultThatDoesNotConvert() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = CustomEmbedded.WithoutDefault().span
        }
        expectMessage(
            result,
            """
            Failed to default construct a Span using the default value for persisted type \
            SpanRecord. This conversion must either succeed
            """
        )
    }

    @Test func refusedLiteral() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = CustomEmbedded.Day(value: ["open": 5])
        }
        expectMessage(
            result,
            "Invalid value '5' of type 'Int' for 'SpanRecord' property 'CustomEmbedded_Day.open'.")
    }

    @Test func createdFromARefusedValue() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(CustomEmbedded.days) { realm in
                try realm.write {
                    _ = realm.create(
                        CustomEmbedded.Day.self, value: ["id": 1, "pause": "noon"] as [String: Any])
                }
            }
        }
        expectMessage(
            result,
            """
            Invalid value 'noon' of type 'String' for 'SpanRecord?' property \
            'CustomEmbedded_Day.pause'.
            """
        )
    }

    @Test func literalThatDoesNotConvert() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = CustomEmbedded.Day(value: ["open": ["lower": 2, "upper": 1]])
        }
        expectMessage(result, "for 'SpanRecord' property 'CustomEmbedded_Day.open'.")
    }

    @Test func nilForOneThatIsNotOptional() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            CustomEmbedded.Day()["open"] = nil
        }
        expectMessage(
            result,
            """
            Failed to default construct a Span using the default value for persisted type \
            SpanRecord.
            """
        )
    }

    @Test func outsideOfATransaction() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(CustomEmbedded.days) { realm in
                let day = try realm.write {
                    realm.create(CustomEmbedded.Day.self, value: ["id": 1])
                }
                day.open = Span(1, 2)
            }
        }
        expectMessage(result, "Attempting to modify object outside of a write transaction")
    }

    // MARK: Values that hand the same object out twice

    @Test func objectInTwoProperties() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(CustomEmbedded.kept) { realm in
                let kept = CustomEmbedded.Kept(), record = SpanRecord(value: [1, 2])
                (kept.first, kept.second) = (Holder(record), Holder(record))
                try realm.write { realm.add(kept) }
            }
        }
        expectMessage(result, "Can't set link to existing managed embedded object")
    }

    @Test func objectInAConvertedAndAPlainProperty() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(CustomEmbedded.kept) { realm in
                let kept = CustomEmbedded.Kept(), record = SpanRecord(value: [1, 2])
                (kept.first, kept.plain) = (Holder(record), record)
                try realm.write { realm.add(kept) }
            }
        }
        expectMessage(result, "Can't set link to existing managed embedded object")
    }

    @Test func objectInTwoElements() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(CustomEmbedded.kept) { realm in
                let kept = CustomEmbedded.Kept(), record = SpanRecord(value: [1, 2])
                try realm.write {
                    realm.add(kept)
                    kept.all.append(Holder(record))
                    kept.all.append(Holder(record))
                }
            }
        }
        expectMessage(result, "Cannot add an existing managed embedded object to a List")
    }
}
