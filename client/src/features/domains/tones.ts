import type { Domain } from '#shared/features/domains/schema.ts'
import type { Tone } from '#client/ui/display/status-dot.tsx'

export const statusTone: Record<Domain['status'], Tone> = { active: 'good', pending: 'warn', initializing: 'info', error: 'bad' }
export const healthTone: Record<Domain['health'], Tone> = { ok: 'good', warnings: 'warn', critical: 'bad', unknown: 'idle' }

const soonMs = 30 * 86_400_000
/** The tone of an expiry date. */
export const paidTone = (until: string): Tone => {
  const leftMs = new Date(until).getTime() - Date.now()
  return leftMs <= 0 ? 'bad' : leftMs <= soonMs ? 'warn' : 'good'
}
