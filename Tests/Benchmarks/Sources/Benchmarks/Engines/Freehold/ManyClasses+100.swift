import Foundation
import Freehold

// Classes 100 to 149 of those that ManyClasses.swift says how to make.

final class Many100: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many101: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many102: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many103: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many104: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many105: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many106: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many107: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many108: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many109: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many110: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many111: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many112: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many113: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many114: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many115: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many116: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many117: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many118: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many119: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many120: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many121: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many122: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many123: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many124: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many125: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many126: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many127: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many128: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many129: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many130: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many131: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many132: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many133: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many134: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many135: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many136: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many137: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many138: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many139: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many140: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many141: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many142: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many143: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many144: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many145: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many146: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many147: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many148: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many149: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
