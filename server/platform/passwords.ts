import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createGate } from '#server/platform/gate.ts'

/** argon2id; each one at work takes 19 MiB and one thread of libuv's four. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** More than there are cores would not be faster; one thread stays free for files and names. */
const atOnce = Math.min(availableParallelism(), 3)
/** Of a password that nobody has; checked for people who do not exist, so that the answer takes as long. */
const nobody = '$argon2id$v=19$m=19456,t=2,p=1$I0RcSPJSWNULv/zXsHVkyA$kyNsmzPkMLd6nAG+DrHx4eLOcYA49xGAStpDuaxeljo'

/** Whoever waits here holds no memory but their password. */
const inTurn = createGate(atOnce)

export const hashPassword = (plain: string): Promise<string> => inTurn(() => hash(plain, cost))

/** `stored` is null where there is no such person: the answer is then false, in the same time. */
export async function verifyPassword(stored: string | null, plain: string): Promise<boolean> {
  const matches = await inTurn(() => verify(stored ?? nobody, plain))
  return matches && stored !== null
}
