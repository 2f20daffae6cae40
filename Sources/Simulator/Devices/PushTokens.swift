internal import Time

/// The push tokens that Apple ever gave out, and its record of each.
struct PushTokens {
    private var records: [PushToken: TokenRecord] = [:]

    /// The record of a token; `nil` where it was never given out.
    subscript(token: PushToken) -> TokenRecord? { records[token] }

    /// Gives out a new token: 64 digits, an activity's 160.
    mutating func give(
        to app: InstalledApp,
        on phone: Phone,
        for purpose: TokenPurpose,
        from random: inout Random
    ) -> PushToken {
        var count = 32
        if case .activity = purpose { count = 80 }
        let token = PushToken(bytes: random.bytes(count))
        records[token] = TokenRecord(phone: phone, app: app.bundle, purpose: purpose, environment: app.environment)
        return token
    }

    /// Lets a token die; Apple learns of it as soon as the phone is in reach.
    mutating func kill(_ token: PushToken?, of phone: Phone, _ reason: Reason, at time: Moment) {
        guard let token else { return }
        let death = TokenRecord.Death(reason: reason, at: time)
        guard phone.isReachable else {
            phone.unknownDeaths.append((token, death))
            return
        }
        note(death, of: token)
    }

    /// Apple learns which tokens died while the phone was out of reach.
    mutating func learnDeaths(of phone: Phone) {
        for (token, death) in phone.unknownDeaths { note(death, of: token) }
        phone.unknownDeaths = []
    }

    private mutating func note(_ death: TokenRecord.Death, of token: PushToken) {
        if records[token]?.death == nil { records[token]?.death = death }
    }

    /// Takes the app's widget and push-to-start tokens out of use.
    ///
    /// They answer 410 from now on where that is `knownToApple`; else they are accepted and show nothing.
    mutating func retireAll(of app: InstalledApp, on phone: Phone, knownToApple: Bool, at now: Moment) {
        for token in [app.widgetToken].compactMap({ $0 }) + app.startTokens.values {
            retire(token, of: phone, knownToApple: knownToApple, at: now)
        }
        app.widgetToken = nil
        app.startTokens = [:]
    }

    /// Takes one token out of use.
    mutating func retire(_ token: PushToken, of phone: Phone, knownToApple: Bool, at now: Moment) {
        if knownToApple { kill(token, of: phone, .unregistered, at: now) } else { records[token]?.isForgotten = true }
    }
}
