import type { z } from 'zod'
import { refused } from '#server/integrations/http/provider-client.ts'
import type { HttpAnswer } from '#server/integrations/http/http-client.ts'
import { assertJsonShape } from '#server/platform/json-shape.ts'
import { hasPossibleHost } from '#shared/possible-host.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import { wordsOf } from './words-of.ts'

/** What is known about one tracker from its answers so far. */
export interface TrackerEvidence {
  /** It has answered as a tracker does; before that an odd answer comes from something else. */
  isTracker: boolean
  /** Only servers of the public internet can be asked, so whatever answers may be quoted. */
  readonly isPublic: boolean
}

/** Members and elements of an answer: 100,000 domains of twenty fields. Anybody's server may be called a tracker. */
const mostValues = 2_000_000

/** Longest wait that a tracker is believed, in seconds. */
const longestWaitSeconds = 3_600

/**
 * What a tracker answered, as `schema` has it; an empty answer is `undefined` to it.
 * @param about where it was asked, and whether an id is part of that
 * @throws `refused` with tracker_auth, tracker_edition, tracker_not_one, tracker_not_found, tracker_rejected, tracker_rate_limited, tracker_unavailable or
 *   tracker_unable, and anything else for what cannot be read
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

/** @throws Error for what is no JSON, and before it becomes objects for what is too much of it */
function parseBounded(text: string): unknown {
  try {
    assertJsonShape(text, mostValues)
  } catch (cause) {
    throw new Error('the answer has too many values', { cause })
  }
  return JSON.parse(text)
}

/** Nothing is quoted of what may be any server of a private network. */
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
  // Before it has answered as a tracker it may be any server of a private network, and nothing of it is quoted.
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
      // A page is of whatever stands before the tracker, and knows nothing of keys.
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

/** Scheme and host only: the rest may hold what is nobody's business. */
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
