/** Which users must have a second factor at sign-in. */
export const twoFactorPolicies = ['optional', 'admins', 'everyone'] as const

/** The default until another is set. */
export const defaultSessionDays = 30
export const defaultPurchaseProofUsd = 50
