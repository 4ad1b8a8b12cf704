/** When a rule expires: never, at a time, or a while after it is created. */
export type RuleExpiry = Date | null | RelativeExpiry

export interface RelativeExpiry {
  readonly afterMs: number
  /** When the first attempt began. A rule that lasts until so long after this time is not extended by another attempt. */
  readonly since: Date
}

const isRelative = (expiry: RuleExpiry): expiry is RelativeExpiry => expiry !== null && !(expiry instanceof Date)

/** The expiry of a rule that is created at this time. */
export const expiryFrom = (expiry: RuleExpiry, createdAtMs: number): Date | null =>
  isRelative(expiry) ? new Date(createdAtMs + expiry.afterMs) : expiry

/** Whether a rule that expires then is to be kept longer. One that never expires, or was not made by the panel, already lasts. */
export function isTooShort(known: Date | undefined, wanted: RuleExpiry): boolean {
  const least = isRelative(wanted) ? expiryFrom(wanted, wanted.since.getTime()) : wanted
  return known !== undefined && (least === null || least > known)
}

/** Whether a rule may have to be kept longer by an operation that starts later. */
export const mayBeTooShort = (known: Date | undefined, wanted: RuleExpiry): boolean =>
  isRelative(wanted) ? known !== undefined : isTooShort(known, wanted)
