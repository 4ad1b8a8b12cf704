import type { z } from 'zod'
import { refused } from '#server/integrations/http/provider-client.ts'
import type { HttpAnswer } from '#server/integrations/http/http-client.ts'
import { assertJsonShape } from '#server/platform/json-shape.ts'
import { hasPossibleHost } from '#shared/possible-host.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import { wordsOf } from './words-of.ts'

/** Known facts about one tracker from its responses so far. */
export interface TrackerEvidence {
  /** It has responded like a tracker; before that an unexpected response comes from something else. */
  isTracker: boolean
  /** Only public servers can be queried, so responses may be quoted. */
  readonly isPublic: boolean
}

/** Members and elements of a response: 100,000 domains of twenty fields. Any server may be entered as a tracker. */
const mostValues = 2_000_000

/** Longest retry delay accepted from a tracker, in seconds. */
const longestWaitSeconds = 3_600

/**
 * Parses a tracker's response with `schema`; an empty response is `undefined`.
 * @param about the path, and whether it contains an id
 * @throws `refused` with tracker_auth, tracker_edition, tracker_not_one, tracker_not_found, tracker_rejected, tracker_rate_limited,
 * tracker_unavailable or tracker_unable, and anything else for an unreadable response
 */
export function readAnswer<S extends z.ZodType>(
  answer: HttpAnswer,
  schema: S,
  about: { readonly url: string; readonly byId: boolean; readonly evidence: TrackerEvidence },
): z.output<S> {
  const { status } = answer
  if (status < 200 || status >= 300) throw refusalOf(answer, about)
  const text = answer.text.trim()
  if (!about.evidence.isTracker && !/^([[{]|$)/.test(text)) throw notOne(answer)
  const content: unknown = text === '' ? undefined : parseBounded(text)
  const parsed = schema.safeParse(content)
  if (parsed.success) {
    about.evidence.isTracker = true
    return parsed.data
  }
  throw about.evidence.isTracker ? parsed.error : notOne(answer)
}

/** @throws Error for invalid JSON, and for too large JSON before it is parsed */
function parseBounded(text: string): unknown {
  try {
    assertJsonShape(text, mostValues)
  } catch (cause) {
    throw new Error('the response has too many values', { cause })
  }
  return JSON.parse(text)
}

/** Responses that may come from any server of a private network are not quoted. */
const notOne = ({ status }: HttpAnswer): Error =>
  refused({ code: 'tracker_not_one', providerCode: String(status), message: `HTTP ${status}` })

function refusalOf(
  answer: HttpAnswer,
  { url, byId, evidence }: { readonly url: string; readonly byId: boolean; readonly evidence: TrackerEvidence },
): Error {
  const known = evidence.isTracker
  const mayQuote = known || evidence.isPublic
  const { status, headers } = answer
  const page = /^\s*</.test(answer.text)
  // Before it has responded like a tracker it may be any server of a private network, so nothing is quoted.
  const words = mayQuote ? wordsOf(answer) : `HTTP ${status}`
  const refuse = (code: ErrorCode, message = words) => refused({ code, providerCode: String(status), message })
  if (status >= 300 && status < 400) return refuse('tracker_not_one', mayQuote ? `→ ${placeOf(headers['location'], url)}` : words)
  if (status === 429) {
    const retryAfterSeconds = retryAfter(headers['retry-after'])
    return refused({ code: 'tracker_rate_limited', providerCode: '429', message: words, retryAfterSeconds })
  }
  if (status >= 500 && status !== 501) return refuse('tracker_unavailable')
  switch (status) {
    case 401:
      return refuse('tracker_auth')
    case 402:
      return refuse('tracker_edition')
    case 403:
      // An HTML page comes from a proxy in front of the tracker, and says nothing about keys.
      return refuse(page ? 'tracker_rejected' : 'tracker_auth')
    case 404:
      if (!known && !byId) return notOne(answer)
      return refuse(byId && !page ? 'tracker_not_found' : 'tracker_unable')
    case 405:
    case 501:
      return known || byId ? refuse('tracker_unable') : notOne(answer)
    default:
      return refuse('tracker_rejected')
  }
}

/** Scheme and host only: the rest may be confidential. */
function placeOf(location: string | string[] | undefined, url: string): string {
  const place = typeof location === 'string' && hasPossibleHost(location) ? URL.parse(location, url) : null
  return place === null ? '?' : `${place.protocol}//${place.host}`
}

/** Seconds, or a date. */
function retryAfter(header: string | string[] | undefined): number {
  const text = typeof header === 'string' ? header.trim() : ''
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000
  return Number.isFinite(seconds) ? Math.min(longestWaitSeconds, Math.max(1, Math.ceil(seconds))) : 5
}
