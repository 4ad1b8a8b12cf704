/** Whose second factor is asked for at sign-in, set up or not yet. */
export const twoFactorPolicies = ['optional', 'admins', 'everyone'] as const

/** What who has never chosen a language gets; `browser`: what their browser asks for, if there is such. */
export const defaultLanguages = ['browser', 'ru', 'en'] as const

/** As long as nobody has set another. */
export const defaultSessionDays = 30
export const defaultPurchaseProofUsd = 50
