import { cpus } from 'node:os'

/** A measured figure and what it is compared with. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** The maximum or minimum allowed value, and whether it is a fixed limit or a baseline from the same run. */
  readonly against: { readonly kind: 'at most' | 'at least'; readonly value: number; readonly what: string }
  /** Further figures of the same measurement. */
  readonly more?: Readonly<Record<string, number>>
}

export interface Bench {
  readonly about: string
  run(report: (figure: Figure) => void): Promise<void>
}

export const ratioOf = ({ value, against }: Figure): number => (value === against.value ? 1 : value / against.value)
export const isMet = ({ value, against }: Figure): boolean => (against.kind === 'at most' ? value <= against.value : value >= against.value)

/** @param share 0.95 for the 95th percentile. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Of load averages during a run. */
export const loadFigure = (loads: readonly number[]): Figure => ({
  name: 'highest load average per core during the run',
  value: Math.max(...loads) / cpus().length,
  unit: '',
  against: { kind: 'at most', value: 1, what: 'above it the times reflect the machine, not the pages' },
})
