import type { CSSProperties } from 'react'

/** The colour that the style sheets call `--own`; neutral where there is none. */
export const ownColor = (color: string | null): CSSProperties => ({ ['--own' as string]: color ?? 'var(--idle)' })
