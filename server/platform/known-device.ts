import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Actor } from '#server/platform/actor.ts'
import type { Ctx } from '#server/platform/context.ts'

type Asking = Pick<Ctx<Actor | null>, 'cookies' | 'secrets'>

/** Maximum number of people remembered per browser. */
const mostPeople = 5
const form = /^[\w-]{22}(\.[\w-]{43}){1,5}$/

const proofOf = ({ secrets }: Asking, id: string, userId: string) => secrets.fingerprint(`device:${userId}:${id}`)
const equal = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** The cookie is `id.proof…`: the browser and a proof for each person who has signed in there. Proofs cannot be forged. */
function read({ cookies }: Asking): { readonly id: string; readonly proofs: readonly string[] } | null {
  const value = cookies?.get('device') ?? ''
  if (!form.test(value)) return null
  const [id = '', ...proofs] = value.split('.')
  return { id, proofs }
}

/** The requesting browser, if this person has signed in there before: other people's guesses elsewhere cannot slow it down. */
export function findKnownDevice(ctx: Asking, userId: string): string | null {
  const device = read(ctx)
  if (device === null) return null
  const proof = proofOf(ctx, device.id, userId)
  return device.proofs.some((each) => equal(each, proof)) ? device.id : null
}

/** Called after a sign-in; does nothing for API clients. */
export function rememberDevice(ctx: Asking, userId: string): void {
  if (!ctx.cookies) return
  const { id, proofs } = read(ctx) ?? { id: randomBytes(16).toString('base64url'), proofs: [] }
  const proof = proofOf(ctx, id, userId)
  const others = proofs.filter((each) => !equal(each, proof)).slice(1 - mostPeople)
  ctx.cookies.set('device', [id, ...others, proof].join('.'))
}
