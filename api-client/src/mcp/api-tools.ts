import { randomUUID } from 'node:crypto'
import { arrange, ArrangeError } from '../rest/arrange.ts'
import type { RestRequest } from '../rest/arrange.ts'
import { searchCalls } from '../rest/calls.ts'
import type { RestCall } from '../rest/calls.ts'
import type { Rest } from '../rest/rest.ts'
import { InputError } from './check-input.ts'
import { reads, schema, text } from './tool.ts'
import type { Arguments, Shown, Tool } from './tool.ts'

/**
 * Calls that an assistant is not offered, and why. A person makes them in the panel, or with `zonedeck api`.
 * What passes through an assistant is kept by whoever runs it.
 */
export const notForAssistants: Readonly<Record<string, string>> = {
  'accounts.reveal': 'answers with a key',
  'apiTokens.create': 'answers with a token',
  'auth.askConfirmation': 'a person proves who they are',
  'auth.confirm': 'takes a password',
  'auth.login': 'takes a password',
  'auth.logout': 'ends the session of a person',
  'auth.register': 'takes a password',
  'auth.secondFactor': 'takes a second factor',
  'me.changePassword': 'takes a password',
  'me.export': 'is everything that a person has, as a file',
  'registrars.reveal': 'answers with a key',
  'trackers.reveal': 'answers with a key',
  'users.createResetLink': 'answers with a link that lets somebody in',
  'users.resetByLink': 'takes a password',
}

const mostFound = 40
/** An answer that is longer is cut, so that one call does not fill what the assistant can hold. */
const longestAnswer = 60_000

const offered = async (rest: Rest): Promise<readonly RestCall[]> => (await rest.calls()).filter(({ name }) => !(name in notForAssistants))

/** @throws InputError where there is none, or none for assistants */
async function findCall(rest: Rest, given: unknown): Promise<RestCall> {
  const name = String(given)
  const why = Object.hasOwn(notForAssistants, name) ? notForAssistants[name] : undefined
  if (why !== undefined) throw new InputError(`${name} ${why}, so it is left to a person in the panel`)
  const call = (await offered(rest)).find((each) => each.name === name)
  if (call === undefined) throw new InputError(`there is no call ${name}; search_calls finds calls`)
  return call
}

const inputOf = ({ input = {} }: Arguments) => input as Readonly<Record<string, unknown>>

/** @throws InputError for fields that the call has not, or lacks */
function requestOf(call: RestCall, given: Arguments, preview = false): RestRequest {
  try {
    return arrange(call, inputOf(given), preview)
  } catch (error) {
    throw error instanceof ArrangeError ? new InputError(error.message) : error
  }
}

/** What does not fit is cut, and said to be. */
function bounded(data: unknown): unknown {
  const whole = JSON.stringify(data) ?? 'null'
  if (whole.length <= longestAnswer) return data
  return {
    cut: `The answer has ${whole.length} characters; these are the first ${longestAnswer}. Narrow it by filters, limit and cursor.`,
    text: whole.slice(0, longestAnswer),
  }
}

/** What is left of a schema when it is read, not checked. */
function brief({ parameters, body, ...call }: RestCall) {
  const { name, method, path, summary, reads: readsOnly, previews, examples } = call
  return {
    name,
    method,
    path: `/api${path}`,
    summary,
    tool: readsOnly ? 'read_call' : 'prepare_call',
    ...(previews && { previews: true }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== null && { body }),
    example: examples.find(({ lang }) => lang === 'TypeScript')?.source,
  }
}

/** Everything that the panel can do and the other tools do not name, three steps at a time: search, describe, call. */
export const apiTools = (rest: Rest, shown: Shown | null): readonly Tool[] => [
  {
    name: 'search_calls',
    description:
      'Finds calls of the panel’s API for anything the other tools do not do (monitoring, registrars, trackers, sharing, settings, undo …)',
    inputSchema: schema({ words: text('all of them have to be in its name, path or summary: "incident mute"') }, ['words']),
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
    description: 'What a call takes, with an example',
    inputSchema: schema({ name: text('from search_calls') }, ['name']),
    annotations: reads,
    run: async ({ name }) => bounded(brief(await findCall(rest, name))),
  },
  {
    name: 'read_call',
    description: 'Makes a call that changes nothing, and answers with what it says',
    inputSchema: schema({ name: text('from search_calls'), input: { type: 'object' } }, ['name']),
    annotations: reads,
    async run(given) {
      const call = await findCall(rest, given['name'])
      if (!call.reads) throw new InputError(`${call.name} changes something: prepare_call shows what it would do`)
      return bounded((await rest.send(requestOf(call, given))).data)
    },
  },
  {
    name: 'prepare_call',
    description:
      shown === null
        ? 'Shows what a call that changes something would send, and its preview where it has one. This token only reads: the person makes changes in the panel.'
        : 'Shows what a call that changes something would send, and its preview where it has one; nothing is sent. The answer has a previewId for apply_preview.',
    inputSchema: schema({ name: text('from search_calls'), input: { type: 'object' } }, ['name']),
    annotations: reads,
    async run(given) {
      const call = await findCall(rest, given['name'])
      if (call.reads) throw new InputError(`${call.name} changes nothing: use read_call`)
      const request = requestOf(call, given)
      // A preview of many domains is a draft, and what runs is the draft.
      const planned = call.previews ? (await rest.send(requestOf(call, given, true))).data : null
      const draft = draftIn(planned)
      const previewId = draft ?? randomUUID()
      if (draft === null) shown?.set(previewId, async () => (await rest.send(request, call.keyed ? previewId : undefined)).data)
      else shown?.set(previewId, async () => (await rest.send({ method: 'POST', path: `/operations/${draft}/start`, body: {} })).data)
      return bounded({
        ...(shown !== null && { previewId }),
        summary: call.summary,
        request,
        ...(planned !== null && { preview: planned }),
      })
    },
  },
]

function draftIn(data: unknown): string | null {
  const operation = (data as { readonly operation?: { readonly id?: unknown; readonly state?: unknown } } | null)?.operation
  return operation?.state === 'draft' && typeof operation.id === 'string' ? operation.id : null
}
