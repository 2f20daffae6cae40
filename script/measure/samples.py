"""Holds the measuring against samples of Swift, so that it can fail."""

from .baseline import Baseline
from .house import House
from .swift import Reader

SAMPLE = r'''
internal import struct Glibc.stat
import JSON
// Where a comment begins badly.
// What goes on is the same comment.
/* Whatever /* nests */ } is no code */
struct Owner<Key: Hashable>: Equatable where Key: Sendable {  // How it ends
    let text = "{ \(name(of: ["}": "\("{")"]) + ")") SELECT"
    let raw = #"{ " \( "#, long = """
        { CREATE TRIGGER t "quoted" \(Inner.count)
        """
    var computed: Int { 1 }
    init?(_ a: Int, b: [Int: (Int, Int)], c d: Dictionary<Int, Int>) { self.init() }
    subscript(key: String, at index: Int) -> Int { 0 }
    static func == (left: Self, right: Self) -> Bool { func local() {}; return true }
    enum Inner { case func1(Int, Int); static let count = 1 }
}
/// Owners that are extended.
///
/// - Parameter step: What is done.
/// - Returns: Rows, and what comes first.
extension Owner {
    func act<T>(_ step: @escaping (Int, Int) -> Void = { _, _ in }, _: T) async throws(Problem) -> [T] where T: Any {

        step(1, 2)
    }
    class func none() {}
}
extension Owner.Inner { func more() {} }
protocol Rows { func one(_ a: Int) -> Int
    func two() throws
    var x: Int { get }
}
struct Fields {
    init(a: Int, b: Int, c: Int, d: Int, e: Int, f: Int) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.e = e
        self.f = f
    }
    init(a: Int, b: Int, c: Int, d: Int, e: Int, more: Int) { self.a = more }
}
func free(a: Int) {}
'''


def read(**texts: str) -> House:
    """The house of the files of a target T; a double underscore stands for a slash."""
    return House([Reader(f"Sources/{name.replace('__', '/')}.swift", text).file for name, text in texts.items()])


def self_test() -> list[str]:
    """The samples that were measured wrongly."""
    wrong = []

    def expect(claim: str, found: object, wanted: object) -> None:
        if found != wanted:
            wrong.append(f"script/shape --self-test: {claim}: found {found}, and not {wanted}")

    house = read(T__Owner=SAMPLE)
    file = house.files[0]
    figures = {
        rule: {name: measure.figure for name, measure in named.items()} for rule, named in house.measures.items()
    }
    expect("functions are counted by type", figures["functions of a type"],
           {"Owner": 5, "Owner.Inner": 1, "Rows": 2, "Fields": 2})
    expect("lines of a type are those with code, in all its bodies", figures["lines of a type"],
           {"Owner": 17, "Owner.Inner": 2, "Rows": 4, "Fields": 11})
    expect("parameters are counted, but for those that are only stored", figures["parameters"], {
        "Owner.init(_:b:c:)": 3, "Owner.subscript(_:at:)": 2, "Owner.==(left:right:)": 2, "Owner.local()": 0,
        "Owner.act(_:_:)": 2, "Owner.none()": 0, "Owner.Inner.more()": 0, "Rows.one(_:)": 1, "Rows.two()": 0,
        "Fields.init(a:b:c:d:e:f:)": 0, "Fields.init(a:b:c:d:e:more:)": 6, "free(a:)": 1,
    })
    expect("labels are told apart", figures["unlabelled parameters"]["Owner.act(_:_:)"], 2)
    expect("a function's lines include the blank ones", figures["lines of a function"]["Owner.act(_:_:)"], 4)
    expect("imports are modules", file.imports, {"Glibc", "JSON"})
    expect("a target that nobody knows may import nothing", figures["imports"],
           {"T imports Glibc": 1, "T imports JSON": 1})
    expect("comments and their fields count once, by their first word", len(file.comments), 3)
    expect("SQL is found in strings", (file.statements, file.triggers), (2, 1))

    rooms = read(Ledger__SQLite__A='let a = "SELECT"', Foreign__Sorter='let a = "SELECT"', Ledger__A='let a = "DELETE"')
    expect("SQL has rooms", rooms.measures["SQL outside its rooms"]["Sources"].details, ("1 in Ledger/Ledger",))

    circle = read(T__a__A="struct A { struct In {} }", T__b__B="struct B { let a: A }", T__c__C="struct C { let b: B }",
                  T__d__D="struct D { struct E {}; let e: E }", T__e__E="struct E { let d: D }")
    expect("a line is no circle", circle.measures["folders in circles"]["T"].figure, 0)
    circle = read(T__a__A="struct A { let c: C }", T__b__B="struct B { let a: A }", T__c__C="struct C { let b: [B] }")
    expect("a circle goes through others", circle.measures["folders in circles"]["T"].details, ("a, b, c",))
    pair = read(T__a__A="enum A {}; extension B { struct In {} }", T__b__B='enum B { let a = "\\(A.self)"; let i: In }')
    expect("a pair names its types", pair.measures["folders that use each other"]["T: a and b"].details,
           ("a uses of b: B", "b uses of a: A, B.In"))

    long = read(T__A=f"struct A {{ {'func a() {} ' * 32} }}").measures
    rule = "functions of a type"
    expect("a new figure fails", Baseline({}, {}).worse(long),
           ["Sources/T/A.swift:1: A has 32 functions (30 allowed): divide it by what it knows"])
    expect("a figure that grew fails", Baseline({rule: {"A": 31}}, {}).worse(long), [
        "Sources/T/A.swift:1: A has 32 functions (31 allowed by script/shape.json, 30 by the house): "
        "divide it by what it knows",
    ])
    expect("a figure that stays passes", Baseline({rule: {"A": 32}}, {}).worse(long), [])
    expect("an exception passes", Baseline({}, {f"{rule}: A": "It is one thing."}).worse(long), [])
    expect("an exception needs a reason", len(Baseline({}, {f"{rule}: A": " "}).worse(long)), 1)
    expect("an exception about nothing fails", len(Baseline({rule: {"A": 32}}, {f"{rule}: B": "Gone."}).worse(long)), 1)
    expect("recording lowers", Baseline({rule: {"A": 40, "B": 31}}, {}).tightened(long).figures, {rule: {"A": 32}})
    expect("recording never raises", Baseline({rule: {"A": 31}}, {}).tightened(long).figures, {rule: {"A": 31}})
    return wrong
