import Foreign
import Testing

struct GlobTests {
    @Test(arguments: [
        ("state/*.json", "state/a.json", true), ("state/*.json", "state/a/b.json", false),
        ("state/*.json", "state/.json", false), ("state/*.json", "state/.a.json", false),
        ("state/.*.json", "state/.a.json", true), ("state/?.json", "state/a.json", true),
        ("state/?.json", "state/ab.json", false), ("state/?.json", "state/é.json", true),
        ("state/**/*.json", "state/a.json", true), ("state/**/*.json", "state/a/b/c.json", true),
        ("state/**/*.json", "state/.git/c.json", false), ("**/x.json", "x.json", true),
        ("**/x.json", "a/b/x.json", true), ("state/**", "state/a/b", true), ("state/**/**/b", "state/b", true),
        ("a/**/b/**/c", "a/x/b/y/b/c", true), ("a/**/b/**/c", "a/x/c", false),
        ("*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false), ("*", "", true), ("state", "state", true),
        ("state", "State", false), ("a*", "a", true), ("*/a", "b/a", true), ("state/*", "state/", true),
    ])
    func matchesWholePaths(_ pattern: String, _ path: String, _ matches: Bool) {
        #expect(Glob(pattern).matches(path) == matches)
    }

    @Test(arguments: [
        ("state/*.json", "state"), ("state/eu/**/x?.json", "state/eu"), ("*.json", "."), ("/srv/*/a", "/srv"),
        ("/*", "/"), ("state/a.json", "state/a.json"), ("../x/*", "../x"),
    ])
    func knowsTheDirectoryOfEverythingItMatches(_ pattern: String, _ base: String) {
        #expect(Glob(pattern).base == base)
    }
}
