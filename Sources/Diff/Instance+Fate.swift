internal import Time

extension Instance {
    /// The cause by which its life ended, or is to end; a launch that the device never reported was no life.
    public var fate: Closure? {
        if case .closed(let cause) = phase { neverReported ? nil : cause } else { ending }
    }

    /// Notes that it is to end for a cause that came at a moment: what was over by then ended before, and not for that.
    mutating func end(because cause: Closure, at moment: Moment) {
        ending = isExpired(at: moment) ? .expired : cause
    }

    /// True where it was closed because its token was found dead: no end arrived, and it may be there still.
    var lostItsToken: Bool {
        if case .closed = phase { activityID != nil && token == nil } else { false }
    }

    /// True where it was launched and closed, or is overdue, without the device having reported it.
    var neverReported: Bool {
        phase == .unconfirmed || phase == .closed(.expired) && registeredAt == .never
    }
}

extension Instance.Phase {
    /// True where there is, or may be, something on the device or on its way to it.
    public var isOpen: Bool { self == .queued || isOnDevice }

    /// True where the device shows it, or may show it.
    public var isOnDevice: Bool { isUnreported || self == .running }

    /// True where its start was sent and the device has not reported it.
    var isUnreported: Bool { self == .outstanding || self == .unconfirmed }

    /// True where the person may have seen it.
    var wasShown: Bool {
        switch self {
        case .outstanding, .unconfirmed, .running: true
        case .closed(let cause): cause != .duplicate && cause != .replaced
        case .queued, .failed, .cancelled: false
        }
    }
}

/// The consequences of the way in which a life ended.
extension Instance.Closure {
    /// True where this life does not come back on the same device, unless (its 8 hours) it is renewed.
    func forbidsRelaunch(renews: Bool) -> Bool {
        switch self {
        case .person, .declaredEnd, .gone, .removal: true
        case .expired: !renews
        case .logout, .revoked, .duplicate, .replaced: false
        }
    }

    /// True where there is no first launch of this life any more, on any device, unless (its 8 hours) it is renewed.
    func closesLife(renews: Bool) -> Bool {
        switch self {
        case .person, .declaredEnd: true
        case .expired: !renews
        case .gone, .removal, .logout, .revoked, .duplicate, .replaced: false
        }
    }

    /// True where nothing holds its end: not pause, not quota, not an interval.
    public var isUrgent: Bool { self == .logout || self == .revoked }

    /// The reason of the end push that it causes.
    var reason: Reason {
        switch self {
        case .declaredEnd: .declaredEnd
        case .removal: .removal
        case .logout: .loggedOut
        case .revoked: .revocation
        case .duplicate: .duplicate
        case .replaced: .replaced
        case .person, .expired, .gone: .declaredEnd
        }
    }
}
