import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createFairSemaphore } from '#server/platform/semaphore.ts'

/** argon2id; each one at work takes 19 MiB and one thread of libuv's four. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** More than there are cores would not be faster; one thread stays free for files and names. */
const maxConcurrent = Math.min(availableParallelism(), 3)
/** Of a password that nobody has; checked for people who do not exist, so that the answer takes as long. */
const nobody = '$argon2id$v=19$m=19456,t=2,p=1$I0RcSPJSWNULv/zXsHVkyA$kyNsmzPkMLd6nAG+DrHx4eLOcYA49xGAStpDuaxeljo'

/** The last of so many waits about ten seconds; nobody would wait longer, and what is refused takes no memory. */
const semaphore = createFairSemaphore({ maxConcurrent, maxConcurrentPerCaller: maxConcurrent, waiting: 600, maxWaitingPerCaller: 300 })
const ours = 'panel'

/**
 * @param caller those of different callers take turns
 * @throws AppError too_many_attempts where too many wait already
 */
export const hashPassword = (plain: string, caller = ours): Promise<string> => semaphore(caller, () => hash(plain, cost))

/**
 * `stored` is null where there is no such person: the answer is then false, in the same time. Callers as of `hashPassword`.
 * @throws AppError too_many_attempts
 */
export async function verifyPassword(stored: string | null, plain: string, caller = ours): Promise<boolean> {
  const matches = await semaphore(caller, () => verify(stored ?? nobody, plain))
  return matches && stored !== null
}
