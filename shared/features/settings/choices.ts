/** Which users must have a second factor at sign-in. */
export const twoFactorPolicies = ['optional', 'admins', 'everyone'] as const

/** The language of users who have never chosen one; `browser`: that of their browser, if supported. */
export const defaultLanguages = ['browser', 'ru', 'en'] as const

/** The default until another is set. */
export const defaultSessionDays = 30
export const defaultPurchaseProofUsd = 50
