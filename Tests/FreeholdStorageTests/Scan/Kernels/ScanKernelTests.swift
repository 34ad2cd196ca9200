@testable import FreeholdStorage
import FreeholdTestSupport
import Glibc
import Testing

/// The parts that the engine is made of, on their own.
@Suite struct ScanKernelTests {
    @Test func searcherFindsWhatANaiveSearchFinds() {
        var random = Seed.random()
        for _ in 0..<3000 {
            let alphabet: [UInt8] = random.pick([
                [0x61, 0x62], [0x61, 0x41, 0x40, 0x60], [0x39], Array(0x20...0x7E),
                [0, 0xFF, 0xC3, 0xA9],
            ])
            let text = (0..<random.int(0...300)).map { _ in random.pick(alphabet) }
            let ignoresCase = random.once(in: 2)
            func fold(_ byte: UInt8) -> UInt8 {
                ignoresCase && (0x41...0x5A).contains(byte) ? byte + 0x20 : byte
            }
            var needle = (0..<random.pick([1, 1, 2, 3, 5, 16, 40])).map { _ in
                fold(random.pick(alphabet))
            }
            if random.once(in: 2), text.count >= needle.count {
                let start = random.int(0...text.count - needle.count)
                needle = text[start..<start + needle.count].map(fold)
            }
            let searcher = ByteSearcher(needle, ignoresASCIICase: ignoresCase)
            let from = random.int(0...text.count)
            let to = random.int(from...text.count)
            let expected =
                to - from < needle.count
                ? nil
                : (from...to - needle.count).first { start in
                    needle.indices.allSatisfy { fold(text[start + $0]) == needle[$0] }
                }
            let found = text.withUnsafeBytes { bytes in
                bytes.baseAddress.map { searcher.firstMatch(in: $0, from: from, to: to) } ?? -1
            }
            #expect(found == expected ?? -1, "FREEHOLD_SEED=\(random.seed)")
        }
    }

    @Test func radixSortIsStable() {
        var random = Seed.random()
        for count in [0, 1, 2, 191, 192, 193, 5000] {
            for mask in [UInt64.max, 0, 0xFF, 0x7FF << 33, 1 << 63, 0xFFFF_0000_0000_0000] {
                var records = (0..<count).map {
                    SortRecord(rank: random.next() & mask, payload: Int64($0))
                }
                var scratch = records
                let expected = records.sorted {
                    $0.rank == $1.rank ? $0.payload < $1.payload : $0.rank < $1.rank
                }.map(\.payload)
                records.withUnsafeMutableBufferPointer { records in
                    scratch.withUnsafeMutableBufferPointer { RadixSort.sort(records, scratch: $0) }
                }
                #expect(
                    records.map(\.payload) == expected,
                    "FREEHOLD_SEED=\(random.seed), \(count), \(mask)")
            }
        }
    }

    @Test func integerSetsAnswerLikeSets() {
        var random = Seed.random()
        for spread in [10, 1000, 1_000_000, Int.max / 2] {
            let values =
                (0..<500).map { _ in Int64(random.int(-spread...spread)) }
                + (spread > 1_000_000 ? [.min, .max] : [])
            let set = IntegerSet(values)
            let expected = Set(values)
            #expect(Array(set.values) == expected.sorted())
            for _ in 0..<2000 {
                let value =
                    random.once(in: 2)
                    ? random.pick(values) &+ Int64(random.int(-1...1))
                    : Int64(random.int(-spread...spread))
                #expect(
                    set.contains(value) == expected.contains(value), "FREEHOLD_SEED=\(random.seed)")
            }
        }
        #expect(!IntegerSet([]).contains(0))
    }

    @Test func masksSumBeyondAByteALane() {
        let count = 255 * 16 * 3 + 5
        let mask = MaskBytes.allocate(capacity: Mask.capacity(for: count))
        defer { mask.deallocate() }
        mask.initialize(repeating: 1, count: Mask.capacity(for: count))
        #expect(Mask.sum(mask, count: count) == count)
        #expect(Mask.isAllOne(mask, count: count))
        mask[count - 1] = 0
        #expect(!Mask.isAllOne(mask, count: count))
        Mask.invert(mask, count: count)
        #expect(Mask.firstMatch(mask, from: 0, count: count) == count - 1)
        #expect(Mask.isZero(mask, count: count - 1))
    }

    /// A column may end where the file's map does, and a mask where its buffer does.
    @Test func kernelsStayInsideOfTheirColumns() throws {
        let size = Int(getpagesize())
        let (column, mask, decoded) = (
            try GuardedMemory(count: size), try GuardedMemory(count: size),
            try GuardedMemory(count: size)
        )
        func end(_ memory: GuardedMemory, _ count: Int) -> UnsafeMutableRawPointer {
            UnsafeMutableRawPointer(mutating: memory.start) + (size - count)
        }
        for count in 1...130 {
            let bytes = end(mask, Mask.capacity(for: count)).assumingMemoryBound(to: UInt8.self)
            for (width, encoding) in [
                (1, ColumnEncoding.delta8), (2, .delta16), (4, .delta32), (8, .integer64),
            ] {
                let data = end(column, count * width)
                for row in 0..<count {
                    let number = UInt64(row * 7 % 100)
                    withUnsafeBytes(of: number.littleEndian) {
                        (data + row * width).copyMemory(
                            from: $0.baseAddress.unsafelyUnwrapped, byteCount: width)
                    }
                }
                let view = ColumnView(
                    encoding: encoding, data: UnsafeRawPointer(data), count: count,
                    isNullable: false)
                let expected = (0..<count).map { $0 * 7 % 100 }
                IntegerKernels.within(20, 60, inverted: false, in: view, count: count, into: bytes)
                #expect(
                    (0..<count).map { bytes[$0] == 1 } == expected.map { (20...60).contains($0) })
                let marked = SumKernels.integers(view, count, bytes)
                #expect(
                    marked.sum == Int128(expected.filter { (20...60).contains($0) }.reduce(0, +)))
                IntegerKernels.within(20, 60, inverted: true, in: view, count: count, into: bytes)
                #expect(
                    (0..<count).map { bytes[$0] == 1 } == expected.map { !(20...60).contains($0) })
                if let found = IntegerKernels.count(within: 20, 60, in: view, count: count) {
                    #expect(found == expected.filter { (20...60).contains($0) }.count)
                }
                #expect(SumKernels.integers(view, count, nil).sum == Int128(expected.reduce(0, +)))
                let values = end(decoded, count * 8).assumingMemoryBound(to: Int64.self)
                view.decodeIntegers(count: count, into: values)
                #expect((0..<count).map { Int(values[$0]) } == expected)
            }
            let sequence = ColumnView(
                encoding: .sequence, data: ColumnView.nowhere, count: count, isNullable: false,
                base: 5)
            let values = end(decoded, count * 8).assumingMemoryBound(to: Int64.self)
            sequence.decodeIntegers(count: count, into: values)
            #expect((0..<count).allSatisfy { values[$0] == Int64($0 + 5) })
            let doubles = end(column, count * 8).assumingMemoryBound(to: Double.self)
            for row in 0..<count { doubles[row] = Double(row) }
            #expect(
                SumKernels.doubles(UnsafeRawPointer(doubles), count, nil)
                    == Double(count * (count - 1) / 2))
            let floats = end(column, count * 4).assumingMemoryBound(to: Float.self)
            for row in 0..<count { floats[row] = Float(row) }
            #expect(
                SumKernels.floats(UnsafeRawPointer(floats), count, nil)
                    == Double(count * (count - 1) / 2))
        }
    }
}

@Suite struct DecimalOrderTests {
    @Test func keysOrderLikeTheNumbers() {
        var random = Seed.random()
        for _ in 0..<20_000 {
            guard case .decimal(let low, let high) = ModelValues.decimal(using: &random),
                case .decimal(let otherLow, let otherHigh) = ModelValues.decimal(using: &random)
            else { continue }
            let order = DecimalOrder.compare((low, high), (otherLow, otherHigh))
            let isNaN = (
                DecimalOrder.key(low: low, high: high) == DecimalOrder.notANumber,
                DecimalOrder.key(low: otherLow, high: otherHigh) == DecimalOrder.notANumber
            )
            if let expected = ModelScan.order(.decimal(low, high), .decimal(otherLow, otherHigh)) {
                #expect(
                    order == expected,
                    "FREEHOLD_SEED=\(random.seed): \(low) \(high), \(otherLow) \(otherHigh)")
                #expect(!isNaN.0 && !isNaN.1)
            } else {
                // NaN is below everything, and all NaN are one.
                #expect(
                    order == (isNaN.0 && isNaN.1 ? 0 : isNaN.0 ? -1 : 1),
                    "FREEHOLD_SEED=\(random.seed)")
            }
        }
    }

    @Test func extremes() {
        let largest = (low: UInt64(0x378D_8E63_FFFF_FFFF), high: UInt64(0x5FFF_ED09_BEAD_87C0))
        let smallest = (low: UInt64(1), high: UInt64(0))
        let zero = (low: UInt64(0), high: UInt64(0x3040_0000_0000_0000))
        let infinity = (low: UInt64(0), high: UInt64(0x7800_0000_0000_0000))
        #expect(DecimalOrder.compare(largest, infinity) == -1)
        #expect(DecimalOrder.compare(zero, smallest) == -1)
        #expect(DecimalOrder.compare((smallest.low, smallest.high | 1 << 63), zero) == -1)
        #expect(
            DecimalOrder.compare(
                (infinity.low, infinity.high | 1 << 63), (largest.low, largest.high | 1 << 63))
                == -1)
        #expect(DecimalOrder.compare((0, 1 << 63), (0, 5 << 49)) == 0)
        #expect(DecimalOrder.key(10) == DecimalOrder.key(low: 1, high: 6177 << 49))
    }
}
