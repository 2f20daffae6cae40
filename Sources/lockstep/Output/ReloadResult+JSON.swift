import Diff
import JSON

extension ReloadResult {
    /// For programs: `{ id, ok, code?, reason? }`.
    var value: Value {
        var object = Object()
        object["id"] = .string(id.text)
        object["ok"] = .bool(obstacle == nil)
        object["code"] = obstacle.map { .string($0.code.rawValue) }
        object["reason"] = obstacle?.reason.map(Value.string)
        return .object(object)
    }
}
