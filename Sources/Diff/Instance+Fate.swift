extension Instance {
    /// How its life ended, or is to end.
    var fate: Closure? {
        if case .closed(let cause) = phase { cause } else { ending }
    }
}

extension Instance.Phase {
    /// Whether there is, or may be, something on the device or on its way to it.
    public var isOpen: Bool { self == .queued || isOnDevice }

    /// Whether the device shows it, or may show it.
    var isOnDevice: Bool { self == .outstanding || self == .running }

    /// Whether the person may have seen it.
    var wasShown: Bool {
        switch self {
        case .outstanding, .running: true
        case .closed(let cause): cause != .duplicate && cause != .replaced
        case .queued, .failed, .cancelled: false
        }
    }
}

/// How a life ended decides what may follow.
extension Instance.Closure {
    /// Whether this life does not come back on the same device.
    var forbidsRelaunch: Bool {
        switch self {
        case .person, .declaredEnd, .expired, .gone, .removal: true
        case .logout, .revoked, .duplicate, .replaced: false
        }
    }

    /// Whether there is no first launch of this life any more, on any device.
    var closesLife: Bool {
        switch self {
        case .person, .declaredEnd, .expired: true
        case .gone, .removal, .logout, .revoked, .duplicate, .replaced: false
        }
    }

    /// The reason of the end push that it causes.
    var reason: Reason {
        switch self {
        case .declaredEnd: .declaredEnd
        case .removal: .removal
        case .logout, .revoked: .loggedOut
        case .duplicate: .duplicate
        case .replaced: .replaced
        case .person, .expired, .gone: .declaredEnd
        }
    }
}
