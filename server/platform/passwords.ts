import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createFairSemaphore } from '#server/platform/semaphore.ts'

/** argon2id; each running hash takes 19 MiB and one of libuv's four threads. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** More than the number of cores would not be faster; one thread stays free for files and DNS. */
const maxConcurrent = Math.min(availableParallelism(), 3)
/** The hash of a password that no one has; verified for unknown people, so that the response takes as long. */
const nobody = '$argon2id$v=19$m=19456,t=2,p=1$I0RcSPJSWNULv/zXsHVkyA$kyNsmzPkMLd6nAG+DrHx4eLOcYA49xGAStpDuaxeljo'

/** The last of this many waits about ten seconds, the longest acceptable time; refused calls take no memory. */
const semaphore = createFairSemaphore({ maxConcurrent, maxConcurrentPerCaller: maxConcurrent, waiting: 600, maxWaitingPerCaller: 300 })
const ours = 'panel'

/**
 * @param caller hashes of different callers take turns
 * @throws AppError too_many_attempts if too many are waiting
 */
export const hashPassword = (plain: string, caller = ours): Promise<string> => semaphore(caller, () => hash(plain, cost))

/**
 * `stored` is null for an unknown person: the result is then false after the same time. Callers as in `hashPassword`.
 * @throws AppError too_many_attempts
 */
export async function verifyPassword(stored: string | null, plain: string, caller = ours): Promise<boolean> {
  const matches = await semaphore(caller, () => verify(stored ?? nobody, plain))
  return matches && stored !== null
}
