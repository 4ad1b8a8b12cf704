import type { Database } from '#server/db/client.ts'
import { mostConfirmations } from '#shared/features/sync/disappearances/confirmations.ts'
import { isMassDisappearance } from './disappearance.policy.ts'
import { findHeld, storeHeld } from './disappearances.repo.ts'
import type { Subject } from './disappearances.repo.ts'

export interface Missing {
  readonly keys: readonly string[]
  /** How many were known before. */
  readonly known: number
  /** How many of them were looked up individually (`pickSample`), and how many of these still exist. */
  readonly sampled: number
  readonly stillThere: number
}

export interface HeldList {
  readonly missing: number
  /** Nothing was held before. */
  readonly isNew: boolean
  /** A person decided to keep them, so that the list says all that can be known. */
  readonly isKept: boolean
  /** When the next list should be read; null if not urgent. */
  readonly nextSeconds: number | null
}

/**
 * Decides about what a list lacks: too much of it is held (`isMassDisappearance`), and so is what was held before, however little is left of it.
 */
export async function splitMissing<Key extends string>(
  db: Pick<Database, 'orm'>,
  subject: Subject,
  missing: readonly Key[],
  known: number,
): Promise<{ readonly gone: readonly Key[]; readonly held: readonly Key[] }> {
  if (missing.length === 0) return { gone: [], held: [] }
  const earlier = new Set<string>((await findHeld(db.orm, subject))?.keys)
  const [held, others] = [missing.filter((key) => earlier.has(key)), missing.filter((key) => !earlier.has(key))]
  return isMassDisappearance(others.length, known - held.length) ? { gone: [], held: missing } : { gone: others, held }
}

/** A list contradicted by single look-ups is read again after this time. */
const disprovedSeconds = 300

/**
 * Handles what a list lacks and is held: two more lists are read at least ten minutes apart, and everything
 * is kept until it is listed again or a person decides.
 */
export async function holdDisappearance(db: Pick<Database, 'orm'>, subject: Subject, missing: Missing): Promise<HeldList> {
  const { keys, stillThere } = missing
  const before = await findHeld(db.orm, subject)
  const earlier = new Set(before?.keys)
  // What earlier lists still contained is a new disappearance, even if a person decided to keep the rest.
  const isSame = before !== null && keys.every((key) => earlier.has(key))
  const begins = !isSame || before.stillThere > 0 || stillThere > 0
  const confirms = !begins && before.secondsLeft === 0 && before.confirmations < mostConfirmations
  await storeHeld(db.orm, subject, { ...missing, begins, confirms, asks: !isSame })
  const held = await findHeld(db.orm, subject)
  const isKept = held?.keptAt != null
  const waits = stillThere > 0 ? disprovedSeconds : Math.max(held?.secondsLeft ?? 0, 1)
  const needsList = !isKept && (stillThere > 0 || (held?.confirmations ?? 0) < mostConfirmations)
  return { missing: keys.length, isNew: before === null, isKept, nextSeconds: needsList ? waits : null }
}
