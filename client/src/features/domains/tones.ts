import type { Domain } from '#shared/features/domains/schema.ts'
import type { Tone } from '#client/ui/status-dot.tsx'

export const statusTone: Record<Domain['status'], Tone> = { active: 'good', pending: 'warn', initializing: 'info', error: 'bad' }
export const healthTone: Record<Domain['health'], Tone> = { ok: 'good', warnings: 'warn', critical: 'bad', unknown: 'idle' }
