internal import Diff
internal import JSON

extension PushEnvironment {
    fileprivate static let names = allCases.map(\.rawValue.string)
}

extension Fields {
    /// A path: a string that is not empty and holds no NUL.
    func path(_ key: Text) -> String? {
        guard let text = text(key, as: "a path") else { return nil }
        if let fault = Self.fault(ofPath: text) {
            add("'\(key)' \(fault)", at: key)
            return nil
        }
        return text.string
    }

    /// An array of at least one path.
    func paths(_ key: Text) -> [String]? {
        guard let elements = read(key, as: "an array of paths, such as [\"state\"]", \.array) else { return nil }
        if elements.isEmpty { add("'\(key)' is empty; name at least one path", at: key) }
        var paths: [String] = []
        for (index, element) in elements.enumerated() {
            let fault = element.text.map(Self.fault(ofPath:)) ?? "must be a path, not \(element.described)"
            if let fault {
                findings.add("'\(key)' \(fault)", at: pointer.appending(key).appending(index))
            } else if let path = element.text {
                paths.append(path.string)
            }
        }
        return paths
    }

    private static func fault(ofPath text: Text) -> String? {
        if text.string.isEmpty { return "cannot be empty" }
        return text.string.utf8.contains(0) ? "cannot hold a NUL" : nil
    }

    /// An identifier of Apple's: ten capital letters and digits.
    func tenCharacters(_ key: Text, of what: String) -> Text? {
        guard required(key, "\"\(key)\", the ten characters of \(what)") != nil, let text = text(key) else {
            return nil
        }
        let isRight = text.string.utf8.allSatisfy { byte in
            UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte || 0x30...0x39 ~= byte
        }
        if isRight, text.string.utf8.count == 10 { return text }
        add("'\(key)' has ten capital letters and digits, such as ABCDE12345, not '\(text.shown)'", at: key)
        return nil
    }

    /// The place of a secret: `{ "file": PATH }` or `{ "env": NAME }`.
    ///
    /// Its messages never quote the value.
    func secret(_ key: Text) -> Secret? {
        let shape = "{ \"file\": PATH } or { \"env\": NAME }"
        guard let value = required(key, "\"\(key)\" as \(shape)") else { return nil }
        guard value.object != nil, let fields = fields(key) else {
            add("a secret is never in the file: '\(key)' must be \(shape)", at: key)
            return nil
        }
        fields.check(known: ["file", "env"])
        switch (fields.object["file"], fields.object["env"]) {
        case (.some, .some), (nil, nil):
            add("'\(key)' must be \(shape), one of the two", at: key)
            return nil
        case (.some, nil): return fields.path("file").map { .file($0) }
        case (nil, .some):
            guard let name = fields.text("env", as: "the name of an environment variable") else { return nil }
            if name.string.isEmpty || name.string.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "=") }) {
                fields.add("'env' must be the name of an environment variable", at: "env")
                return nil
            }
            return .environment(name.string)
        }
    }

    /// The objects under `production` and `sandbox`.
    func byEnvironment<Result>(_ reading: (Fields) -> Result?) -> [PushEnvironment: Result] {
        var results: [PushEnvironment: Result] = [:]
        for member in members {
            let pointer = pointer.appending(member.key)
            guard let environment = PushEnvironment(rawValue: member.key) else {
                // Apple's own older word for it.
                let isOldName = member.key == "development"
                let meant = isOldName ? "sandbox" : closest(to: member.key.string, in: PushEnvironment.names)
                let hint = meant.map { "; did you mean '\($0)'?" }
                findings.add(
                    "'\(member.key.shown)' is no environment of APNs\(hint ?? ": those are production and sandbox")",
                    at: pointer,
                    part: .key
                )
                continue
            }
            if let fields = Fields(member.value, at: pointer, as: "'\(member.key)'", findings) {
                results[environment] = reading(fields)
            }
        }
        return results
    }
}
