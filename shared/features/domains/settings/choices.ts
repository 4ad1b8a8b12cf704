export const sslModes = ['off', 'flexible', 'full', 'strict'] as const
export const tlsVersions = ['1.0', '1.1', '1.2', '1.3'] as const
/** `off` is available only on the highest plans and is not listed. */
export const securityLevels = ['essentially_off', 'low', 'medium', 'high', 'under_attack'] as const

/** What happens to AI crawlers, named as by the provider. */
export const aiBotChoices = ['disabled', 'only_on_ad_pages', 'block'] as const

/** The states of a zone's DNSSEC, named as by the provider. */
export const dnssecStatuses = ['disabled', 'pending', 'active', 'pending-disabled', 'error'] as const

/** In seconds: 1, 3, 6 and 12 months. */
export const hstsMaxAges = [2_592_000, 7_776_000, 15_552_000, 31_536_000] as const
export const hstsLongestAge = 63_072_000
