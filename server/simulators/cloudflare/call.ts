import { isObject } from '../deliver.ts'
import type { Caller } from './caller.ts'
import type { SimZone } from './model.ts'
import type { Reply, ResultInfo } from './reply.ts'
import { refuse } from './reply.ts'
import type { State } from './state.ts'

/** One authenticated request passed to a handler. */
export type Call = {
  readonly state: State
  readonly caller: Caller
  readonly nowMs: number
  readonly query: URLSearchParams
  readonly rawBody: Buffer
  readonly contentType: string
  /** The identifier after the zone: a record, a setting, a pack. Empty when the path has none beyond the zone. */
  readonly param: string
  /** A rule of the ruleset `param`, a version; below an account its list or ruleset. Likewise empty. */
  readonly innerParam: string
  /** Below an account: a rule of the ruleset `innerParam`. Likewise empty. */
  readonly thirdParam: string
}

/** A promise for a handler that signs a certificate. */
export type PlainHandler = (call: Call) => Reply | Promise<Reply>
export type ZoneHandler = (call: Call, zone: SimZone) => Reply

export type JsonObject = Readonly<Record<string, unknown>>

/** The body as an object; throws 6007 for malformed JSON and 9207 for anything but an object. */
export function bodyOf(call: Call): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(call.rawBody.toString('utf8'))
  } catch {
    throw refuse(400, 6007, 'Malformed JSON in request body')
  }
  if (!isObject(value)) throw refuse(400, 9207, 'Request body is invalid.')
  return value
}

type PageBounds = { readonly min: number; readonly max: number; readonly fallback: number }
export type Page = { readonly page: number; readonly perPage: number }

export function pageOf(query: URLSearchParams, bounds: PageBounds): Page {
  const page = wholeNumber(query.get('page') ?? '1')
  const perPage = wholeNumber(query.get('per_page') ?? String(bounds.fallback))
  if (page === null || page < 1) throw refuse(400, 6003, 'Invalid request parameters: page must be 1 or more')
  if (perPage === null || perPage < bounds.min || perPage > bounds.max)
    throw refuse(400, 6003, `Invalid request parameters: per_page must be between ${bounds.min} and ${bounds.max}`)
  return { page, perPage }
}

/** The part of `items` on this page, with its counts. */
export function slicePage<T>(items: readonly T[], { page, perPage }: Page): { readonly items: readonly T[]; readonly info: ResultInfo } {
  const start = (page - 1) * perPage
  const slice = items.slice(start, start + perPage)
  return {
    items: slice,
    info: {
      page,
      per_page: perPage,
      count: slice.length,
      total_count: items.length,
      total_pages: Math.ceil(items.length / perPage),
    },
  }
}

/** The value of an enum parameter; null if absent. */
export function choiceOf<const T extends string>(query: URLSearchParams, name: string, choices: readonly T[]): T | null {
  const value = query.get(name)
  if (value === null || value === '') return null
  const found = choices.find((choice) => choice === value)
  if (found === undefined) throw refuse(400, 6003, `Invalid request parameters: ${name} must be one of ${choices.join(', ')}`)
  return found
}

function wholeNumber(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null
}
