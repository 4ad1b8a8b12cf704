import { randomUUID } from 'node:crypto'
import type { Panel } from '../panel.ts'
import { arrange, ArrangeError } from '../rest/arrange.ts'
import type { RestRequest } from '../rest/arrange.ts'
import { searchCalls } from '../rest/calls.ts'
import type { RestCall } from '../rest/calls.ts'
import type { Rest } from '../rest/rest.ts'
import { InputError } from './check-input.ts'
import { isOrder, reads, refusalOf, schema, text } from './tool.ts'
import type { Arguments, Scope, Shown, Tool } from './tool.ts'

/**
 * Calls that assistants cannot make, with the reason. A person makes them in the panel or with `zonedeck api`:
 * the operator of an assistant can store everything that passes through it.
 */
export const notForAssistants: Readonly<Record<string, string>> = {
  'accounts.reveal': 'returns a key',
  'apiTokens.create': 'returns a token',
  'auth.askConfirmation': 'requires a person to confirm their identity',
  'auth.confirm': 'requires a password',
  'auth.login': 'requires a password',
  'auth.logout': 'ends the session of a user',
  'auth.register': 'requires a password',
  'auth.secondFactor': 'requires a second factor',
  'me.changePassword': 'requires a password',
  'me.export': 'exports all data of a user as a file',
  'originCertificates.issue': 'returns a key',
  'originCertificates.reveal': 'returns a key',
  'registrars.reveal': 'returns a key',
  'trackers.reveal': 'returns a key',
  'users.createResetLink': 'returns a link that grants access',
  'users.resetByLink': 'requires a password',
}

const mostFound = 40
/** Longer responses are truncated so that one call does not fill the context of the assistant. */
const longestAnswer = 60_000

const offered = async (rest: Rest): Promise<readonly RestCall[]> => (await rest.calls()).filter(({ name }) => !(name in notForAssistants))

/** @throws InputError if the call does not exist or is not available to assistants */
async function findCall(rest: Rest, given: unknown): Promise<RestCall> {
  const name = String(given)
  const why = Object.hasOwn(notForAssistants, name) ? notForAssistants[name] : undefined
  if (why !== undefined) throw new InputError(`${name} ${why}, so the user must do it in the panel`)
  const call = (await offered(rest)).find((each) => each.name === name)
  if (call === undefined) throw new InputError(`unknown call ${name}; use search_calls to find calls`)
  return call
}

const inputOf = ({ input = {} }: Arguments) => input as Readonly<Record<string, unknown>>

/** @throws InputError for unknown and missing fields */
function requestOf(call: RestCall, given: Arguments, preview = false): RestRequest {
  try {
    return arrange(call, inputOf(given), preview)
  } catch (error) {
    throw error instanceof ArrangeError ? new InputError(error.message) : error
  }
}

/** Truncates a long response and says so. */
function bounded(data: unknown): unknown {
  const whole = JSON.stringify(data) ?? 'null'
  if (whole.length <= longestAnswer) return data
  return {
    cut: `The response has ${whole.length} characters; these are the first ${longestAnswer}. Narrow it down with filters, limit and cursor.`,
    text: whole.slice(0, longestAnswer),
  }
}

/** The description of a call without what only programs need. */
function brief({ parameters, body, ...call }: RestCall) {
  const { name, method, path, summary, description, reads: readsOnly, drafts, previews, examples } = call
  return {
    name,
    method,
    path: `/api${path}`,
    summary,
    ...(description !== '' && { description }),
    tool: readsOnly && !drafts ? 'read_call' : 'prepare_call',
    ...(previews && { previews: true }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== null && { body }),
    example: examples.find(({ lang }) => lang === 'TypeScript')?.source,
  }
}

const input = { type: 'object', description: 'Parameters and body fields of the call, as describe_call lists them' } as const

/** Access to the rest of the API in three steps: search, describe, call. */
export function apiTools(panel: Panel, rest: Rest, shown: Shown, scope: Scope): readonly Tool[] {
  /** The response of `prepare_call`: what was shown, with the ID to apply it, or why this token cannot. */
  const prepared = (previewId: string, kind: string | null, apply: RestRequest, answer: object, keyed = false): unknown => {
    const refusal = refusalOf(scope, kind)
    if (refusal !== null) return bounded({ note: refusal, ...answer })
    shown.set(previewId, async () => (await rest.send(apply, keyed ? previewId : undefined)).data)
    return bounded({ previewId, ...answer })
  }
  return [
    {
      name: 'search_calls',
      description:
        'Search the API for calls that no other tool covers, such as monitoring, registrars, trackers, sharing, settings, and undo',
      inputSchema: schema(
        { words: text('Words that must all occur in the name, path, summary, or description of a call, for example "incident mute"') },
        ['words'],
      ),
      annotations: reads,
      async run({ words }) {
        const found = searchCalls(await offered(rest), [String(words)])
        const calls = found
          .slice(0, mostFound)
          .map(({ name, method, path, summary, reads: only }) => `${name}: ${summary} (${method} /api${path}${only ? '' : ', changes'})`)
        return { found: found.length, calls }
      },
    },
    {
      name: 'describe_call',
      description: 'Describe the parameters and the body of an API call, with an example',
      inputSchema: schema({ name: text('Name of a call from search_calls, for example zoneSettings.update') }, ['name']),
      annotations: reads,
      run: async ({ name }) => bounded(brief(await findCall(rest, name))),
    },
    {
      name: 'read_call',
      description: 'Make an API call that changes no data and return its response',
      inputSchema: schema({ name: text('Name of a call from search_calls, for example zoneSettings.update'), input }, ['name']),
      annotations: reads,
      async run(given) {
        const call = await findCall(rest, given['name'])
        if (!call.reads) throw new InputError(`${call.name} makes changes: use prepare_call to preview it`)
        if (call.drafts) throw new InputError(`${call.name} previews a change: use prepare_call`)
        return bounded((await rest.send(requestOf(call, given))).data)
      },
    },
    {
      name: 'prepare_call',
      description: `Show what a call that makes changes would send, with its preview, prices, and totals if available; nothing is sent. The response has a previewId for apply_preview if this token may apply it.${scope === 'read' ? ' This token is read-only: the user makes changes in the panel.' : ''}`,
      inputSchema: schema({ name: text('Name of a call from search_calls, for example zoneSettings.update'), input }, ['name']),
      annotations: reads,
      async run(given) {
        const call = await findCall(rest, given['name'])
        if (call.reads && !call.drafts) throw new InputError(`${call.name} changes nothing: use read_call`)
        const request = requestOf(call, given)
        if (call.name === 'operations.start') {
          const draft = String(inputOf(given)['id'])
          const { operation } = await panel.operations.items({ id: draft, limit: 1 })
          const preview = { operation, ...(isOrder(operation.kind) && { totals: await totalsOf(panel, draft) }) }
          return prepared(draft, operation.kind, request, {
            summary: call.summary,
            request,
            preview,
            examples: await examplesOf(panel, draft),
          })
        }
        // The preview of a bulk change is a draft, and applying it starts that draft.
        const planned = call.drafts
          ? (await rest.send(request)).data
          : call.previews
            ? (await rest.send(requestOf(call, given, true))).data
            : null
        const draft = draftIn(planned)
        const shownToo = { summary: call.summary, request, ...(planned !== null && { preview: planned }) }
        if (draft === null) return prepared(randomUUID(), null, request, shownToo, call.keyed)
        const start = { method: 'POST', path: `/operations/${draft.id}/start`, body: {} }
        return prepared(draft.id, draft.kind, start, { ...shownToo, examples: await examplesOf(panel, draft.id) })
      },
    },
  ]
}

function draftIn(data: unknown): { readonly id: string; readonly kind: string } | null {
  type Draft = { readonly id?: unknown; readonly kind?: unknown; readonly state?: unknown }
  const operation = (data as { readonly operation?: Draft } | null)?.operation
  return operation?.state === 'draft' && typeof operation.id === 'string' ? { id: operation.id, kind: String(operation.kind) } : null
}

const examplesShown = 20

/** The first items of a draft. */
export async function examplesOf(panel: Panel, id: string) {
  const { items } = await panel.operations.items({ id, limit: examplesShown })
  return items.map(({ domain, code, plan: { before, after, dangers } }) => ({
    domain,
    before,
    after,
    warnings: dangers,
    ...(code !== null && { skipped: code }),
  }))
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

/** The price of a planned purchase or renewal. */
function priceIn(after: unknown): { readonly minor: number; readonly currency: string } | null {
  const order = isRecord(after) ? (after['purchase'] ?? after['renewal']) : undefined
  const price = isRecord(order) ? order['price'] : undefined
  if (!isRecord(price) || typeof price['minor'] !== 'number' || typeof price['currency'] !== 'string') return null
  return { minor: price['minor'], currency: price['currency'] }
}

/** What a draft of purchases or renewals costs, per currency in its smallest unit. */
async function totalsOf(panel: Panel, id: string) {
  const totals = new Map<string, { names: number; minor: number }>()
  for await (const { state, plan } of panel.operations.items.all({ id })) {
    const price = priceIn(plan.after)
    if (state === 'skipped' || price === null) continue
    const { names, minor } = totals.get(price.currency) ?? { names: 0, minor: 0 }
    totals.set(price.currency, { names: names + 1, minor: minor + price.minor })
  }
  return [...totals].map(([currency, { names, minor }]) => ({ names, total: { minor, currency } }))
}
