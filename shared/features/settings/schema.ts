import { z } from 'zod'

/** Whose second factor is asked for at sign-in whether or not they set one up. */
export const twoFactorPolicy = z.enum(['optional', 'admins', 'everyone'])
export type TwoFactorPolicy = z.infer<typeof twoFactorPolicy>

/** A name of the IANA list; offsets such as +03:00 mean the opposite to PostgreSQL. */
const timeZone = z.string({ error: 'required' }).refine(isTimeZone, 'invalid_time_zone')

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const days = (most: number) => z.int({ error: 'invalid_number' }).min(1, 'too_few_days').max(most, 'too_many_days')

export const panelSettings = z.object({
  registration: z.enum(['open', 'closed']),
  /** What who has never chosen gets; `browser`: what their browser asks for, if there is such. */
  defaultLanguage: z.enum(['browser', 'ru', 'en']),
  /** Where days begin and end in what the server counts and exports. */
  timeZone,
  twoFactor: twoFactorPolicy,
  /** Days after the sign-in that a session ends at the latest. */
  sessionDays: days(365),
  /** How long entries of the activity log are kept. */
  activityRetentionDays: days(3650),
})
export type PanelSettings = z.infer<typeof panelSettings>
