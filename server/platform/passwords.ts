import { hash, verify } from '@node-rs/argon2'

/** argon2id; each one at work takes 19 MiB and one thread of libuv's four. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const atOnce = 2
/** Of a password that nobody has; checked for people who do not exist, so that the answer takes as long. */
const nobody = '$argon2id$v=19$m=19456,t=2,p=1$I0RcSPJSWNULv/zXsHVkyA$kyNsmzPkMLd6nAG+DrHx4eLOcYA49xGAStpDuaxeljo'

let free = atOnce
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (free > 0) free -= 1
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }
}

export const hashPassword = (plain: string): Promise<string> => inTurn(() => hash(plain, cost))

/** `stored` is null where there is no such person: the answer is then false, in the same time. */
export async function verifyPassword(stored: string | null, plain: string): Promise<boolean> {
  const matches = await inTurn(() => verify(stored ?? nobody, plain))
  return matches && stored !== null
}
