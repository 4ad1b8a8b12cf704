import type { Database } from '#server/db/client.ts'
import { pickSample } from './disappearance.policy.ts'
import { findHeld, storeHeld } from './disappearances.repo.ts'
import type { Subject } from './disappearances.repo.ts'

export interface Missing {
  readonly keys: readonly string[]
  /** So many there were before. */
  readonly known: number
  /** Asks the provider for each of these; resolves with those that are really gone. */
  confirm(keys: readonly string[]): Promise<readonly string[]>
}

interface HeldList {
  /** What two lists, far enough apart, and a sample of single answers agree on. */
  readonly gone: readonly string[]
  /** Nothing was held before. */
  readonly isNew: boolean
  /** When the next list is worth reading; null: there is no hurry. */
  readonly nextSeconds: number | null
}

/** A list that single answers disprove is read again after so long. */
const disprovedSeconds = 300

/**
 * What is done where a list lacks so many that it is not believed (`isMassDisappearance`): a sample is asked for one by one, and everything is kept until a
 * list read ten minutes later says the same, or a person decides.
 */
export async function holdDisappearance(db: Pick<Database, 'orm'>, subject: Subject, missing: Missing): Promise<HeldList> {
  const sample = pickSample(missing.keys)
  const gone = await missing.confirm(sample)
  const stillThere = sample.length - gone.length
  const before = await findHeld(db.orm, subject)
  // A list that single answers disproved is no witness.
  const earlier = new Set(before?.stillThere === 0 ? before.keys : [])
  const inBoth = missing.keys.filter((key) => earlier.has(key))
  if (before !== null && before.keptAt === null && before.secondsLeft === 0 && stillThere === 0 && inBoth.length > 0)
    return { gone: inBoth, isNew: false, nextSeconds: null }
  // Nothing counts as missing since then that an earlier list still had.
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
