import { buildWorld } from '#server/simulators/world.ts'
import type { AccountCredentials, WorldOptions } from '#server/simulators/world.ts'
import { isObject } from '#server/simulators/deliver.ts'
import { startCloudflareSimulator } from '#server/simulators/cloudflare/simulator.ts'
import type { CloudflareSimulatorOptions } from '#server/simulators/cloudflare/simulator.ts'

export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly result: unknown
  readonly info: unknown
  /** Code of the first error; null if there is none. */
  readonly code: number | null
}

type CallOptions = { readonly body?: unknown; readonly token?: string; readonly as?: AccountCredentials }

/** A simulator with a clock that only moves on request, and a caller with the first account's credential. */
export async function startTestSimulator(
  options: Partial<Omit<CloudflareSimulatorOptions, 'world' | 'now'>> & { readonly world?: Partial<WorldOptions> } = {},
) {
  const { world: worldOptions, ...rest } = options
  const clock = { nowMs: Date.UTC(2026, 10, 21) }
  const world = buildWorld({ zones: 12, accounts: 1, seed: 7, plain: true, nowMs: clock.nowMs, ...worldOptions })
  const simulator = await startCloudflareSimulator({ addressLimitPerSecond: null, ...rest, world, now: () => clock.nowMs })
  const credentials = (index: number): AccountCredentials => {
    const found = world.credentials[index]
    if (found === undefined) throw new Error(`no account ${index}`)
    return found
  }

  async function call(method: string, path: string, { body, token, as = credentials(0) }: CallOptions = {}): Promise<Answer> {
    const auth = token === undefined ? { 'x-auth-email': as.email, 'x-auth-key': as.globalKey } : { authorization: `Bearer ${token}` }
    const response = await fetch(simulator.url + path, {
      method,
      headers: { ...auth, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const envelope: unknown = await response.json()
    if (!isObject(envelope)) throw new Error('not an envelope')
    const first: unknown = Array.isArray(envelope['errors']) ? envelope['errors'][0] : undefined
    return {
      status: response.status,
      headers: response.headers,
      result: envelope['result'],
      info: envelope['result_info'],
      code: isObject(first) && typeof first['code'] === 'number' ? first['code'] : null,
    }
  }

  return { simulator, world, clock, call, credentials, owner: credentials(0), zones: [...simulator.state.zonesById.values()] }
}

/** The field of a response's result, or of each entry of a list. */
export function field(result: unknown, name: string): unknown {
  if (Array.isArray(result)) return result.map((entry: unknown) => field(entry, name))
  return isObject(result) ? result[name] : undefined
}
