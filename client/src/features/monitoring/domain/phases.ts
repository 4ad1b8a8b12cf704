import type { DomainHistory, HistoryPoint } from '#shared/features/monitoring/reports.ts'

/** The consecutive phases of a request; `rest` is the remainder of the total. */
export const phases = ['dns', 'connect', 'tls', 'first_byte', 'rest'] as const

/** Milliseconds of each phase; their sum is the total. */
export function phasesOf({
  timings,
}: Pick<HistoryPoint, 'timings'>): readonly { readonly phase: (typeof phases)[number]; readonly ms: number }[] {
  const [dns, connect, tls, firstByte] = [timings.dnsMs ?? 0, timings.connectMs ?? 0, timings.tlsMs ?? 0, timings.firstByteMs ?? 0]
  const rest = Math.max(0, (timings.totalMs ?? 0) - dns - connect - tls - firstByte)
  return [
    { phase: 'dns', ms: dns },
    { phase: 'connect', ms: connect },
    { phase: 'tls', ms: tls },
    { phase: 'first_byte', ms: firstByte },
    { phase: 'rest', ms: rest },
  ]
}

const stepMs = { hour: 3_600_000, day: 86_400_000 } as const

/** The start of every hour or day of a range, including those without checks. */
export function unitsOf({ from, to, step }: Pick<DomainHistory, 'from' | 'to' | 'step'>): readonly number[] {
  const first = Date.parse(from)
  const length = Math.floor((Date.parse(to) - first) / stepMs[step]) + 1
  return Array.from({ length }, (_, index) => first + index * stepMs[step])
}
