import { describe, expect, test } from 'vitest'
import type { ChannelFailure } from '#shared/features/alerts/schema.ts'
import type { ClaimedMessage } from './claim-message.ts'
import type { DeliveryResult } from './deliver-message.ts'
import { backoffMs, decideDeliveryOutcome } from './delivery-outcome.policy.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const tenMinutes = 600_000

interface Change {
  readonly attempt?: number
  readonly plain?: boolean
  readonly externalId?: string
  readonly kind?: 'telegram' | 'webhook'
  readonly failure?: ChannelFailure | null
}
const outcomeOf = (result: DeliveryResult, { attempt = 1, plain = false, kind = 'telegram', failure = null, externalId }: Change = {}) =>
  // Other fields of an attempt do not affect the outcome.
  decideDeliveryOutcome(
    { attempt, message: { plain, externalId: externalId ?? null }, channel: { id: 'channel', kind, failure } } as ClaimedMessage,
    result,
    now,
  )
const failing = (code: ChannelFailure['code'], message: string) => ({ code, message, at: '2026-03-01T12:00:00.000Z' })

describe('an edited message', () => {
  const edit = (result: DeliveryResult, change: Change = {}) => outcomeOf(result, { ...change, externalId: '17' }).outcome

  test('may be edited again when the outcome is unknown, and is not a repeat', () => {
    expect(edit({ state: 'unknown', message: 'reset' })).not.toHaveProperty('repeated')
    expect(outcomeOf({ state: 'unknown', message: 'reset' }).outcome).toMatchObject({ repeated: true })
  })

  test('is replaced by a new one when it is gone, refused without formatting, or left in a migrated group', () => {
    expect(edit({ state: 'gone', message: 'message to edit not found' })).toEqual({
      state: 'pending',
      dueAt: now,
      externalId: null,
      message: 'message to edit not found',
    })
    expect(edit({ state: 'refused', code: 'refused', message: 'x' })).not.toHaveProperty('externalId')
    expect(edit({ state: 'refused', code: 'refused', message: 'x' }, { plain: true })).toMatchObject({ state: 'pending', externalId: null })
    expect(edit({ state: 'moved', chatId: '-2' })).toMatchObject({ externalId: null })
    expect(edit({ state: 'later', afterSeconds: 5, wholeBot: false })).not.toHaveProperty('externalId')
  })
})

describe('a delivered message', () => {
  test('is sent, with its id at the provider', () => {
    expect(outcomeOf({ state: 'sent', externalId: '17' })).toEqual({
      outcome: { state: 'sent', sentAt: now, externalId: '17' },
      channel: null,
      blocks: null,
    })
    expect(outcomeOf({ state: 'sent', externalId: null }).outcome).toEqual({ state: 'sent', sentAt: now })
  })

  test('clears the failure of its channel', () => {
    const failure = failing('unreached', 'timeout')
    expect(outcomeOf({ state: 'sent', externalId: null }, { failure }).channel).toEqual({ id: 'channel', failure: null, pausedUntil: null })
  })
})

test.each([
  [false, 'chat'],
  [true, 'bot'],
] as const)('a requested wait (whole bot: %s) blocks nothing else and is not a failure', (wholeBot, what) => {
  const until = now + 30_000
  expect(outcomeOf({ state: 'later', afterSeconds: 30, wholeBot })).toEqual({
    outcome: { state: 'pending', dueAt: until, code: 'asked_to_wait' },
    channel: null,
    blocks: { what, until },
  })
})

test('a chat that was migrated is written to immediately at its new id', () => {
  expect(outcomeOf({ state: 'moved', chatId: '-100' })).toEqual({
    outcome: { state: 'pending', dueAt: now },
    channel: { id: 'channel', failure: null, pausedUntil: null, chatId: '-100' },
    blocks: null,
  })
})

describe('an attempt without a response', () => {
  test.each(['telegram', 'webhook'] as const)('is retried after a pause (%s) and marked if it may have arrived', (kind) => {
    const pending = { state: 'pending', dueAt: now + backoffMs(3, kind), code: 'unreached', message: 'ECONNRESET' }
    const change = { attempt: 3, kind }
    expect(outcomeOf({ state: 'unreached', message: 'ECONNRESET' }, change)).toEqual({ outcome: pending, channel: null, blocks: null })
    expect(outcomeOf({ state: 'unknown', message: 'ECONNRESET' }, change)).toEqual({
      outcome: { ...pending, repeated: true },
      channel: null,
      blocks: null,
    })
  })

  test('is shown from the fourth attempt on, with a bounded error message', () => {
    const words = 'x'.repeat(1_000)
    expect(outcomeOf({ state: 'unreached', message: words }, { attempt: 4 }).channel).toEqual({
      id: 'channel',
      failure: failing('unreached', 'x'.repeat(300)),
      pausedUntil: null,
    })
  })
})

describe('a refusal', () => {
  test('of the channel keeps the message, shows the error and pauses the channel for ten minutes', () => {
    expect(outcomeOf({ state: 'refused', code: 'blocked', message: 'bot was blocked' }, { plain: true })).toEqual({
      outcome: { state: 'pending', dueAt: now, code: 'blocked', message: 'bot was blocked' },
      channel: { id: 'channel', failure: failing('blocked', 'bot was blocked'), pausedUntil: now + tenMinutes },
      blocks: null,
    })
  })

  test('of the message retries it once without formatting, then drops it so that others need not wait', () => {
    const result = { state: 'refused', code: 'refused', message: "can't parse entities" } as const
    expect(outcomeOf(result)).toEqual({
      outcome: { state: 'pending', dueAt: now, code: 'refused', message: "can't parse entities" },
      channel: null,
      blocks: null,
    })
    expect(outcomeOf(result, { plain: true })).toEqual({
      outcome: { state: 'failed', code: 'refused', message: "can't parse entities" },
      channel: { id: 'channel', failure: failing('refused', "can't parse entities"), pausedUntil: null },
      blocks: null,
    })
  })
})

test('the retry pause doubles up to five minutes; webhooks are retried sooner', () => {
  const of = (to: 'telegram' | 'webhook') => [0, 1, 2, 3, 8, 9, 20].map((attempts) => backoffMs(attempts, to))
  expect(of('telegram')).toEqual([2_000, 2_000, 4_000, 8_000, 256_000, 300_000, 300_000])
  expect(of('webhook')).toEqual([250, 250, 500, 1_000, 32_000, 64_000, 300_000])
})
