internal import Diff
internal import JSON

extension FileSchema {
    static let subscriberText = #"""
        {
          "$schema": "http://json-schema.org/draft-07/schema#",
          "title": "Lockstep: a state file",
          "if": { "type": "array" },
          "then": { "items": { "$ref": "#/definitions/document" } },
          "else": { "$ref": "#/definitions/document" },
          "definitions": {
            "document": {
              "description": "What one subscriber's widgets and Live Activities are to show",
              "type": "object",
              "required": ["subscriber"],
              "additionalProperties": false,
              "properties": {
                "$schema": {},
                "$comment": {},
                "subscriber": { "description": "Your own id of the user, or an anon_… id", "$ref": "#/definitions/name" },
                "app": { "description": "Its bundle id; may be left out where there is one app", "type": "string" },
                "widgets": {
                  "type": "object",
                  "properties": { "$schema": {}, "$comment": {} },
                  "propertyNames": { "$ref": "#/definitions/name" },
                  "additionalProperties": { "$ref": "#/definitions/widget" }
                },
                "liveActivities": {
                  "type": "object",
                  "properties": { "$schema": {}, "$comment": {} },
                  "propertyNames": { "$ref": "#/definitions/name" },
                  "additionalProperties": { "$ref": "#/definitions/activity" }
                }
              }
            },
            "widget": {
              "type": "object",
              "required": \#(WidgetDeclaration.table.requiredKeys),
              "additionalProperties": false,
              "properties": {
                "$schema": {},
                "$comment": {},
                \#(WidgetDeclaration.table.schema(column: 8))
              }
            },
            "activity": {
              "type": "object",
              "required": \#(ActivityDeclaration.table.requiredKeys),
              "if": { "required": ["start"], "properties": { "start": { "const": "app" } } },
              "else": { "required": ["alert"] },
              "additionalProperties": false,
              "properties": {
                "$schema": {},
                "$comment": {},
                \#(ActivityDeclaration.table.schema(column: 8))
              }
            },
            "alert": {
              "type": "object",
              "required": ["title", "body"],
              "additionalProperties": false,
              "properties": {
                "$schema": {},
                "$comment": {},
                "title": { "$ref": "#/definitions/words" },
                "body": { "$ref": "#/definitions/words" },
                "sound": { "type": "string" }
              }
            },
            "words": {
              "type": ["string", "object"],
              "required": ["loc-key"],
              "additionalProperties": false,
              "properties": {
                "$schema": {},
                "$comment": {},
                "loc-key": { "type": "string" },
                "loc-args": { "type": "array", "items": { "type": "string" } }
              }
            },
            "name": { "type": "string", "minLength": 1, "maxLength": 256 },
            "template": {
              "description": "NAME@VERSION of its template",
              "type": "string",
              "pattern": "^[A-Za-z0-9_-][A-Za-z0-9_.-]*@[A-Za-z0-9_-][A-Za-z0-9_.-]*$"
            },
            "duration": {
              "description": "A length of time: 90s, 15m, 8h",
              "type": "string"
            },
            "time": {
              "description": "RFC 3339 with Z or an offset: 2026-11-30T10:30:00Z",
              "type": "string",
              "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$"
            }
          }
        }
        """#
}

extension FieldTable {
    /// The keys that must be there, as a JSON array.
    fileprivate var requiredKeys: String {
        "[" + rows.filter { $0.required != nil }.map { Value.string($0.key).canonical }.joined(separator: ", ") + "]"
    }

    /// The schema of each field by its key.
    fileprivate var properties: String {
        rows.map { "\(Value.string($0.key).canonical): {\($0.parts.joined(separator: ","))}" }.joined(separator: ",")
    }

    /// The schema of each field by its key, laid out as lines that begin at a column; the first is without its space.
    fileprivate func schema(column: Int) -> String {
        var layout = Layout()
        layout.brokenLevels = 1
        layout.width -= column - layout.indentation
        // A test holds every schema to be JSON.
        let text = (try? layout.laidOut(Array("{\(properties)}".utf8))) ?? []
        let lines = text.split(separator: UInt8(ascii: "\n")).dropFirst().dropLast()
        let space = String(repeating: " ", count: column - layout.indentation)
        let indented = lines.map { space + String(decoding: $0, as: UTF8.self) }
        return String(indented.joined(separator: "\n").dropFirst(column))
    }
}

extension Field {
    /// The members of its schema.
    fileprivate var parts: [String] {
        (about.map { ["\"description\": \(Value.string(Text($0)).canonical)"] } ?? []) + rule.parts
    }
}

extension Field.Rule {
    fileprivate var parts: [String] {
        switch self {
        case .any: []
        case .object: [#""type": "object""#]
        case .attributes: [#""type": "object""#, #""not": { "required": ["launchRequestId"] }"#]
        case .alert: [##""$ref": "#/definitions/alert""##]
        case .text: [#""type": "string""#]
        case .name: [##""$ref": "#/definitions/name""##]
        case .template: [##""$ref": "#/definitions/template""##]
        case .number: [#""type": "number""#]
        case .flag: [#""type": "boolean""#]
        case .choice(let words): [#""enum": \#(Value.array(words.map(Value.string)).canonical)"#]
        case .duration: [##""$ref": "#/definitions/duration""##]
        case .time: [##""$ref": "#/definitions/time""##]
        case .timeOrNow: [##""anyOf": [{ "const": "now" }, { "$ref": "#/definitions/time" }]"##]
        case .fields(let table):
            [
                #""type": "object""#, #""additionalProperties": false"#,
                #""properties": {"$schema": {}, "$comment": {}, \#(table.properties)}"#,
            ]
        }
    }
}
