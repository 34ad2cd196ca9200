import Foundation
import Freehold

// Classes 50 to 99 of those that ManyClasses.swift says how to make.

final class Many50: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many51: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many52: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many53: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many54: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many55: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many56: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many57: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many58: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many59: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many60: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many61: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many62: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many63: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many64: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many65: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many66: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many67: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many68: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many69: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many70: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many71: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many72: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many73: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many74: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many75: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many76: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many77: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many78: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many79: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many80: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many81: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many82: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many83: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many84: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many85: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many86: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many87: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many88: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many89: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many90: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many91: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many92: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many93: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many94: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many95: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many96: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many97: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many98: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many99: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
