import type { ItemState, Operation } from '#shared/features/operations/schema.ts'
import type { Tone } from '#client/ui/display/state-badge.tsx'

/** The number of finished items, successful or not. */
export const finishedItems = ({ done, failed, skipped, cancelled }: Operation): number => done + failed + skipped + cancelled

/** Neither finished nor waiting for a retry. */
export const queuedItems = (operation: Operation): number => Math.max(0, operation.total - finishedItems(operation) - operation.waiting)

/** Seconds between start and end without the time spent waiting for a decision; null if either is missing. */
export const tookSeconds = ({ startedAt, finishedAt, restedSeconds }: Operation): number | null =>
  startedAt === null || finishedAt === null ? null : Math.max(0, (Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000 - restedSeconds)

export const isActive = ({ state }: Operation): boolean =>
  state === 'queued' || state === 'running' || state === 'waiting' || state === 'paused'

/** Whether the canary has finished and waits for a decision. */
export const isTrialOver = ({ trialOver }: Operation): boolean => trialOver

/** The displayed state: an operation that ended without doing everything is not simply done (R-ERR-04), and one that skipped has not failed. */
export type ShownState = Operation['state'] | 'attention' | 'partly' | 'skipped' | 'failed' | 'scheduled' | 'trial'
export function shownState(operation: Operation, nowMs = Date.now()): ShownState {
  if (operation.state === 'done' && operation.attention > 0) return 'attention'
  if (operation.state === 'done' && operation.failed > 0) return operation.done === 0 ? 'failed' : 'partly'
  if (operation.state === 'done' && operation.skipped > 0) return 'skipped'
  if (operation.state === 'queued' && operation.scheduledAt !== null && Date.parse(operation.scheduledAt) > nowMs) return 'scheduled'
  return isTrialOver(operation) ? 'trial' : operation.state
}

export const stateTones: Record<ShownState, Tone> = {
  draft: 'idle',
  queued: 'idle',
  scheduled: 'idle',
  running: 'info',
  waiting: 'warn',
  paused: 'idle',
  trial: 'warn',
  done: 'good',
  attention: 'warn',
  partly: 'warn',
  skipped: 'idle',
  failed: 'bad',
  cancelled: 'idle',
}

/** The reference point of the pace: time and number of finished items. */
export interface PaceSince {
  ms: number
  finished: number
}

/** The estimated remaining seconds at the pace since then; null without a pace. */
export function secondsLeft(operation: Operation, since: PaceSince, nowMs: number): number | null {
  const finished = finishedItems(operation)
  const elapsedMs = nowMs - since.ms
  if (operation.state !== 'running' || finished <= since.finished || elapsedMs < 1_000) return null
  return Math.ceil(((elapsedMs / (finished - since.finished)) * (operation.total - finished)) / 1_000)
}

/** Rounds an estimate: to five seconds, to minutes, to hours. */
export function roundSeconds(seconds: number): number {
  const step = seconds < 60 ? 5 : seconds < 3_600 ? 60 : seconds < 86_400 ? 3_600 : 86_400
  return Math.max(step, Math.round(seconds / step) * step)
}

/** Rounds a measured duration: tenths below ten seconds, then the largest unit that leaves two digits. */
export function roundMeasured(seconds: number): number {
  const step = seconds < 10 ? 0.1 : seconds < 120 ? 1 : seconds < 7_200 ? 60 : 3_600
  return Math.max(step, Math.round(seconds / step) * step)
}

/** The displayed state of an item: one with a remaining manual step is not simply done. */
type ShownItemState = ItemState | 'attention'
export const shownItemState = ({ state, code }: { state: ItemState; code: string | null }): ShownItemState =>
  state === 'done' && code !== null ? 'attention' : state

export const itemTones: Record<ShownItemState, Tone> = {
  attention: 'warn',
  pending: 'idle',
  running: 'info',
  waiting: 'warn',
  done: 'good',
  skipped: 'idle',
  failed: 'bad',
  cancelled: 'idle',
  undone: 'idle',
}
