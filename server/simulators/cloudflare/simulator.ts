import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'

import { deliver } from '../deliver.ts'
import { createFaults } from '../faults.ts'
import type { FaultEffect, Faults } from '../faults.ts'
import { createJournal } from '../journal.ts'
import type { Journal } from '../journal.ts'
import { listen } from '../listen.ts'
import { hash32, randomFrom } from '../random.ts'
import { stopped } from '../serve.ts'
import type { World } from '../world.ts'
import { actorOf, isLogged } from './audit-log-calls.ts'
import type { Call } from './call.ts'
import { getZone, identify, requirePermission } from './caller.ts'
import type { Caller } from './caller.ts'
import { control, isControl } from './control.ts'
import { createLimits } from './limits.ts'
import type { Budget, Limits } from './limits.ts'
import { CloudflareError, errorReply, refusalsFor } from './reply.ts'
import type { Reply } from './reply.ts'
import { route } from './router.ts'
import type { Match } from './router.ts'
import { State } from './state.ts'

export type CloudflareSimulatorOptions = {
  readonly world: World
  /** 0 (the default) selects a free one. */
  readonly port?: number
  readonly host?: string
  /** Added to every response. */
  readonly latencyMs?: number | { readonly min: number; readonly max: number }
  /** Calls per user in a sliding window; null: no limit. Default 1200 in 5 minutes. */
  readonly budget?: Budget | null
  /** Calls per IP address and second; null: no limit. Default 200. */
  readonly addressLimitPerSecond?: number | null
  readonly now?: () => number
  /** Seed for latency and faults; default the world's. */
  readonly seed?: number
}

export type CloudflareSimulator = {
  /** Ends in /client/v4. */
  readonly url: string
  readonly port: number
  /** A new object after a reset. */
  readonly state: State
  readonly journal: Journal
  readonly faults: Faults
  /** Resets state, budgets, faults and journal to the world's initial content, or to another world's. */
  reset(world?: World): void
  close(): Promise<void>
}

const BASE = '/client/v4'

/** Starts a local Cloudflare simulator. It responds over HTTP like the real one and discards its state when closed. */
export async function startCloudflareSimulator(options: CloudflareSimulatorOptions): Promise<CloudflareSimulator> {
  const now = options.now ?? Date.now
  const seed = options.seed ?? options.world.seed
  const latency = randomFrom(hash32(seed, 1000))
  const journal = createJournal()
  const faults = createFaults(randomFrom(hash32(seed, 1001)), now)
  let current = options.world
  let state = new State(current, now)
  let limits = newLimits(options)
  let callerOf = createCallers(state)

  function reset(world = current): void {
    current = world
    state = new State(current, now)
    limits = newLimits(options)
    callerOf = createCallers(state)
    journal.reset()
    faults.clear()
  }

  function answer(request: IncomingMessage, response: ServerResponse, rawBody: Buffer): void {
    const nowMs = now()
    const method = request.method ?? 'GET'
    const url = request.url ?? '/'
    const queryAt = url.indexOf('?')
    const path = queryAt === -1 ? url : url.slice(0, queryAt)
    const query = new URLSearchParams(queryAt === -1 ? '' : url.slice(queryAt + 1))
    if (isControl(path)) {
      deliver(response, control({ state, journal, faults, reset }, method, path, rawBody), null)
      return
    }

    let template = '(none)'
    let changed: ReturnType<typeof subjectOf> = null
    let caller: Caller | null = null
    let headers: Record<string, string> = {}
    let effect: FaultEffect | null = null
    let reply: Reply | Promise<Reply>
    try {
      limits.takeAddress(request.socket.remoteAddress ?? '', nowMs)
      if (!path.startsWith(`${BASE}/`)) throw new CloudflareError(404, [{ code: 7000, message: 'No route for that URI' }])
      const innerPath = innerPathOf(path)
      const found = identifyRoute(method, innerPath)
      template = found instanceof CloudflareError ? '(none)' : found.route.path
      caller = callerOf(request)
      const budget = limits.takeUser(caller.budgetKey, nowMs)
      headers = budget.headers
      if (budget.refusal !== null) throw budget.refusal
      changed = method === 'GET' ? null : subjectOf(state, innerPath, query, caller)
      const accountId = accountIdOf(state, innerPath, query)
      effect = faults.find({ method, path: innerPath, accountId, userId: caller.budgetKey })
      const refusal = effect === null ? null : stopped(effect, refusalsFor(caller.token !== null))
      if (refusal !== null) reply = refusal
      else if (found instanceof CloudflareError) throw found
      else reply = handle(found, { state, caller, nowMs, query, rawBody, contentType: request.headers['content-type'] ?? '' })
    } catch (error) {
      if (!(error instanceof CloudflareError)) throw error
      reply = errorReply(error)
    }
    const finish = (done: Reply) => {
      const status = effect?.kind === 'reset' ? 0 : done.status
      journal.add({ method, path: template, status, userId: caller?.budgetKey ?? null, atMs: nowMs, url })
      if (caller !== null && changed !== null && isLogged(method, innerPathOf(path), query, done.status)) {
        state.auditLog.log({
          ...(createdZone(state, method, path, done) ?? changed),
          method,
          uri: path,
          actor: actorOf(caller),
          userAgent: headerText(request, 'user-agent'),
        })
      }
      const waitMs = latencyMs(options.latencyMs, latency) + (effect?.kind === 'slow' ? effect.delayMs : 0)
      const send = () => deliver(response, { ...done, headers: { ...headers, ...done.headers } }, effect)
      if (waitMs > 0) setTimeout(send, waitMs)
      else send()
    }
    const refuse = (error: unknown) => (error instanceof CloudflareError ? finish(errorReply(error)) : fail(response, error))
    if (reply instanceof Promise) reply.then(finish, refuse)
    else finish(reply)
  }

  const server = createServer({ keepAliveTimeout: 65_000, noDelay: true }, (request, response) => {
    readBody(request, (rawBody) => {
      try {
        answer(request, response, rawBody)
      } catch (error) {
        fail(response, error)
      }
    })
  })
  const host = options.host ?? '127.0.0.1'
  const { port, close } = await listen(server, options.port, host)

  return {
    url: `http://${host}:${port}${BASE}`,
    port,
    get state() {
      return state
    },
    journal,
    faults,
    reset,
    close,
  }
}

function fail(response: ServerResponse, error: unknown): void {
  response.writeHead(500, { 'content-type': 'text/plain' })
  response.end(`simulator fault: ${error instanceof Error ? error.stack : String(error)}`)
}

/** The caller, cached until credentials change. */
function createCallers(state: State): (request: IncomingMessage) => Caller {
  const callers = new Map<string, Caller>()
  let version = state.credentialsVersion
  return (request) => {
    const { authorization } = request.headers
    const email = headerText(request, 'x-auth-email')
    const key = headerText(request, 'x-auth-key')
    if (version !== state.credentialsVersion) callers.clear()
    version = state.credentialsVersion
    const cacheKey = `${authorization ?? ''}\n${email ?? ''}\n${key ?? ''}`
    const caller = callers.get(cacheKey) ?? identify(state, { authorization, email, key })
    callers.set(cacheKey, caller)
    return caller
  }
}

function handle({ route: target, ids }: Match, input: Omit<Call, 'param' | 'innerParam' | 'thirdParam'>): Reply | Promise<Reply> {
  const { state, caller, nowMs } = input
  if (target.anyOf !== null) requirePermission(caller, target.anyOf, nowMs)
  const [param = '', innerParam = '', thirdParam = ''] = target.scope === 'zone' ? ids.slice(1) : ids
  const call = { ...input, param, innerParam, thirdParam }
  return target.scope === 'zone' ? target.handle(call, getZone(state, caller, ids[0] ?? '')) : target.handle(call)
}

function newLimits(options: CloudflareSimulatorOptions): Limits {
  return createLimits({
    budget: options.budget === undefined ? { limit: 1200, windowMs: 300_000 } : options.budget,
    addressLimitPerSecond: options.addressLimitPerSecond === undefined ? 200 : options.addressLimitPerSecond,
  })
}

/** The match or the error: a call to an unknown path must still authenticate first. */
function identifyRoute(method: string, path: string): Match | CloudflareError {
  try {
    return route(method, path)
  } catch (error) {
    if (error instanceof CloudflareError) return error
    throw error
  }
}

const innerPathOf = (path: string) => path.slice(BASE.length)

/** The account and the zone that a call changes, as they were before it; a call outside both is that of the caller's first account. */
function subjectOf(state: State, path: string, query: URLSearchParams, caller: Caller) {
  const [, group, id = ''] = path.split('/')
  const zone = group === 'zones' ? (state.zonesById.get(id) ?? null) : null
  const account = zone?.account ?? state.accountsById.get(accountIdOf(state, path, query) ?? [...caller.accountIds][0] ?? '')
  return account === undefined ? null : { account, zone }
}

/** What a call to `POST /zones` created. */
function createdZone(state: State, method: string, path: string, { body }: Reply) {
  if (method !== 'POST' || path !== `${BASE}/zones`) return null
  const { result } = JSON.parse(body) as { readonly result: { readonly id: string } }
  const zone = state.zonesById.get(result.id) ?? null
  return zone === null ? null : { account: zone.account, zone }
}

function accountIdOf(state: State, path: string, query: URLSearchParams): string | null {
  const [, group, id] = path.split('/')
  if (group === 'zones' && id !== undefined) return state.zonesById.get(id)?.account.id ?? null
  if (group === 'accounts' && id !== undefined) return id
  return query.get('account.id')
}

function latencyMs(setting: CloudflareSimulatorOptions['latencyMs'], random: () => number): number {
  if (setting === undefined || typeof setting === 'number') return setting ?? 0
  return setting.min + random() * (setting.max - setting.min)
}

function headerText(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

function readBody(request: IncomingMessage, done: (body: Buffer) => void): void {
  const { headers } = request
  if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') {
    request.resume()
    done(EMPTY)
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => done(Buffer.concat(chunks)))
}

const EMPTY = Buffer.alloc(0)
