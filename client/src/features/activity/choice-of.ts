/** What details have one of a few values, each with words of its own under `values`. */
export const detailChoices = {
  sessions: ['all'],
  secondFactor: ['totp', 'passkey', 'recovery', 'all'],
  method: ['totp', 'passkey', 'recovery'],
  by: ['totp', 'passkey', 'recovery'],
  change: ['added', 'removed', 'renewed'],
  password: ['changed', 'removed'],
  apiKey: ['changed'],
  changed: ['password'],
  step: ['pause', 'resume', 'cancel', 'retry', 'start'],
  resetLink: ['made', 'used'],
  scope: ['read', 'write'],
  role: ['admin', 'user'],
  kind: ['global_key', 'api_token'],
  health: ['working', 'auth_error', 'api_error', 'unknown'],
  registration: ['open', 'closed'],
  twoFactor: ['optional', 'admins', 'everyone'],
  defaultLanguage: ['browser'],
} as const

export type DetailChoice = (typeof detailChoices)[keyof typeof detailChoices][number]

const all: Readonly<Partial<Record<string, readonly DetailChoice[]>>> = detailChoices

/** Null for what is anybody's own text: a name that is `all` stays that. */
export const choiceOf = (key: string, value: unknown): DetailChoice | null => all[key]?.find((each) => each === value) ?? null
