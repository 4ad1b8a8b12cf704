import { parseIpAccessLines, type IpAccessLines, type IpAccessMode } from '#shared/features/domains/ip-access/values.ts'

/** As the schema of the server, which would be loaded with it. */
export const mostIpAccessValues = 100

export const expiryChoices = ['never', 'hour', 'day', 'week', 'month'] as const
type ExpiryChoice = (typeof expiryChoices)[number]

/** What a person has entered. */
export interface IpAccessDraft {
  readonly mode: IpAccessMode
  readonly note: string
  readonly expiry: ExpiryChoice | 'keep'
}
export const emptyDraft: IpAccessDraft = { mode: 'block', note: '', expiry: 'never' }

export type ReadIpAccess = IpAccessLines
export const readIpAccess = (text: string): ReadIpAccess => parseIpAccessLines(text)

/** Whether it can be submitted. */
export const isComplete = ({ values, lineErrors }: ReadIpAccess): boolean =>
  values.length > 0 && values.length <= mostIpAccessValues && lineErrors.length === 0

const hourMs = 3_600_000
const lengths = { hour: hourMs, day: 24 * hourMs, week: 7 * 24 * hourMs, month: 30 * 24 * hourMs } as const

/** How long a new rule lasts, which counts from its creation; null: forever. */
export const secondsOf = (choice: IpAccessDraft['expiry']): number | null =>
  choice === 'keep' || choice === 'never' ? null : lengths[choice] / 1_000

/** When the chosen time ends; undefined: the present one is kept. */
export function expiryOf(choice: IpAccessDraft['expiry'], nowMs = Date.now()): string | null | undefined {
  if (choice === 'keep') return undefined
  return choice === 'never' ? null : new Date(nowMs + lengths[choice]).toISOString()
}
