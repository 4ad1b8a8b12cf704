import { channelKinds } from '#shared/features/alerts/channel-kinds.ts'
import type { ChannelKind } from '#shared/features/alerts/channel-kinds.ts'
import type { ChannelFailure } from '#shared/features/alerts/schema.ts'
import type { ClaimedMessage } from './claim-message.ts'
import type { DeliveryResult } from './deliver-message.ts'
import type { Outcome } from './outbox.repo.ts'

const secondMs = 1_000
/** Longer pauses would delay messages after the receiver has recovered. */
const longestMs = 5 * 60 * secondMs
/** Retry interval while a receiver refuses until the configuration changes. */
const refusedPauseMs = 10 * 60 * secondMs

/** Pause before the next attempt, by the number of attempts so far. */
export const backoffMs = (attempts: number, to: ChannelKind): number =>
  Math.min(longestMs, channelKinds[to].firstRetryMs * 2 ** Math.min(Math.max(0, attempts - 1), 12))

interface DeliveryOutcome {
  readonly outcome: Outcome
  /** Null: the channel is unchanged. */
  readonly channel: {
    readonly id: string
    readonly failure: ChannelFailure | null
    readonly pausedUntil: number | null
    readonly chatId?: string
  } | null
  /** Nothing is sent to the chat, or by the bot, before this time. */
  readonly blocks: { readonly what: 'chat' | 'bot'; readonly until: number } | null
}

/** A failure is shown after this many attempts without a response. */
const triesUntilShown = 4

/** What to store after a delivery attempt. */
export function decideDeliveryOutcome({ channel, message, attempt }: ClaimedMessage, result: DeliveryResult, now: number): DeliveryOutcome {
  const failing = (code: ChannelFailure['code'], words: string): ChannelFailure => ({
    code,
    message: words.slice(0, 300),
    at: new Date(now).toISOString(),
  })
  const isEdit = message.externalId !== null
  const dueAt = now + backoffMs(attempt, channel.kind)
  const lost = (words: string, repeated: boolean): DeliveryOutcome => ({
    outcome: { state: 'pending', dueAt, code: 'unreached', message: words, ...(repeated && { repeated }) },
    channel: attempt >= triesUntilShown ? { id: channel.id, failure: failing('unreached', words), pausedUntil: null } : null,
    blocks: null,
  })
  switch (result.state) {
    case 'sent':
      return {
        outcome: { state: 'sent', sentAt: now, ...(result.externalId !== null && { externalId: result.externalId }) },
        channel: channel.failure === null ? null : { id: channel.id, failure: null, pausedUntil: null },
        blocks: null,
      }
    case 'later': {
      const until = now + result.afterSeconds * 1_000
      return {
        outcome: { state: 'pending', dueAt: until, code: 'asked_to_wait' },
        channel: null,
        blocks: { what: result.wholeBot ? 'bot' : 'chat', until },
      }
    }
    case 'moved':
      return {
        outcome: { state: 'pending', dueAt: now, ...(isEdit && { externalId: null }) },
        channel: { id: channel.id, failure: null, pausedUntil: null, chatId: result.chatId },
        blocks: null,
      }
    case 'gone':
      return sendAsNew(result.message)
    case 'refused':
      return refused(result.code, result.message)
    case 'unknown':
      // An edit can be repeated.
      return lost(result.message, !isEdit)
    case 'unreached':
      return lost(result.message, false)
  }

  /** A message that cannot be edited is replaced by one new message. */
  function sendAsNew(words: string): DeliveryOutcome {
    return { outcome: { state: 'pending', dueAt: now, message: words, externalId: null }, channel: null, blocks: null }
  }

  function refused(code: ChannelFailure['code'], words: string): DeliveryOutcome {
    if (code !== 'refused') {
      // Kept and retried occasionally, because the problem may be fixed at the receiver.
      return {
        outcome: { state: 'pending', dueAt: now, code, message: words },
        channel: { id: channel.id, failure: failing(code, words), pausedUntil: now + refusedPauseMs },
        blocks: null,
      }
    }
    // The message itself is refused: retry once without formatting and buttons, then drop it so that others do not wait.
    if (message.plain && isEdit) return sendAsNew(words)
    return message.plain
      ? {
          outcome: { state: 'failed', code, message: words },
          channel: { id: channel.id, failure: failing(code, words), pausedUntil: null },
          blocks: null,
        }
      : { outcome: { state: 'pending', dueAt: now, code, message: words }, channel: null, blocks: null }
  }
}
