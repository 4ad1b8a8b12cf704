import type { Database } from '#server/db/client.ts'
import { pickSample } from './disappearance.policy.ts'
import { findHeld, storeHeld } from './disappearances.repo.ts'
import type { Subject } from './disappearances.repo.ts'

export interface Missing {
  readonly keys: readonly string[]
  /** How many were known before. */
  readonly known: number
  /** Looks up each of these at the provider; resolves with those that are really gone. */
  confirm(keys: readonly string[]): Promise<readonly string[]>
}

interface HeldList {
  /** The keys confirmed by two lists, far enough apart, and by a sample of single look-ups. */
  readonly gone: readonly string[]
  /** Nothing was held before. */
  readonly isNew: boolean
  /** When the next list should be read; null if not urgent. */
  readonly nextSeconds: number | null
}

/** A list contradicted by single look-ups is read again after this time. */
const disprovedSeconds = 300

/**
 * Handles a list that lacks too many zones to be believed (`isMassDisappearance`): a sample is looked up individually, and everything is
 * kept until a list at least ten minutes later confirms it, or a user decides.
 */
export async function holdDisappearance(db: Pick<Database, 'orm'>, subject: Subject, missing: Missing): Promise<HeldList> {
  const sample = pickSample(missing.keys)
  const gone = await missing.confirm(sample)
  const stillThere = sample.length - gone.length
  const before = await findHeld(db.orm, subject)
  // A list contradicted by single look-ups confirms nothing.
  const earlier = new Set(before?.stillThere === 0 ? before.keys : [])
  const inBoth = missing.keys.filter((key) => earlier.has(key))
  if (before !== null && before.keptAt === null && before.secondsLeft === 0 && stillThere === 0 && inBoth.length > 0)
    return { gone: inBoth, isNew: false, nextSeconds: null }
  // Zones that the earlier list still contained start a new waiting time.
  const begins = stillThere > 0 || inBoth.length === 0
  await storeHeld(db.orm, subject, {
    keys: begins ? missing.keys : inBoth,
    known: missing.known,
    sampled: sample.length,
    stillThere,
    begins,
  })
  if (stillThere > 0) return { gone: [], isNew: before === null, nextSeconds: disprovedSeconds }
  const held = await findHeld(db.orm, subject)
  return { gone: [], isNew: before === null, nextSeconds: held === null || held.keptAt !== null ? null : Math.max(held.secondsLeft, 1) }
}
