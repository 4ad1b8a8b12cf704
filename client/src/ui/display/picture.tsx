import type { ReactNode } from 'react'

const line = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.25 } as const
const soft = { ...line, opacity: 0.45 } as const
/** The background of an object that covers others. */
const moat = { fill: 'var(--bg)', stroke: 'var(--bg)', strokeWidth: 9 } as const
const accent = { fill: 'none', stroke: 'var(--accent)', strokeWidth: 1.5 } as const

const deck = (
  <>
    <rect x="34" y="22" width="100" height="20" rx="5" {...soft} />
    <rect x="26" y="48" width="116" height="20" rx="5" {...line} />
    <circle cx="38" cy="58" r="3" fill="currentColor" stroke="none" />
    <path d="M48 58h44M118 58h14" {...line} strokeLinecap="round" />
    <rect x="34" y="74" width="100" height="20" rx="5" {...soft} />
    <path d="M46 32h34M46 84h26" {...soft} strokeLinecap="round" />
  </>
)

const pictures = {
  /** Nothing here yet. */
  empty: (
    <>
      {deck}
      <circle cx="136" cy="84" r="14" fill="var(--bg)" stroke="var(--accent)" strokeWidth="1.5" />
      <path d="M136 78v12M130 84h12" {...accent} strokeLinecap="round" />
    </>
  ),
  /** No matches. */
  search: (
    <>
      {deck}
      <circle cx="128" cy="76" r="16" fill="var(--bg)" stroke="var(--accent)" strokeWidth="1.5" />
      <path d="m140 88 11 11" {...accent} strokeLinecap="round" />
    </>
  ),
  /** Keys of an account. */
  key: (
    <>
      <rect x="26" y="30" width="116" height="56" rx="7" {...line} />
      <path d="M26 46h116" {...soft} />
      <circle cx="35" cy="38" r="2" fill="currentColor" />
      <circle cx="42" cy="38" r="2" fill="currentColor" opacity=".5" />
      <path d="M38 60h30M38 70h18" {...soft} strokeLinecap="round" />
      {[moat, accent].map((stroke) => (
        <g key={stroke.stroke} {...stroke} strokeLinecap="round" strokeLinejoin="round">
          <circle cx="112" cy="76" r="9" />
          <path d="M121 76h31m-7 0v8m-9-8v6" />
        </g>
      ))}
    </>
  ),
  /** Objects sorted into groups. */
  groups: (
    <>
      <rect x="22" y="18" width="58" height="34" rx="7" {...line} />
      <rect x="88" y="18" width="58" height="34" rx="7" {...soft} />
      <rect x="22" y="60" width="58" height="34" rx="7" {...soft} />
      <rect x="30" y="28" width="14" height="14" rx="4" {...accent} />
      <path d="M52 31h20M52 39h12" {...line} strokeLinecap="round" />
      <circle cx="103" cy="35" r="7" {...soft} />
      <path d="M118 31h20M118 39h12M52 73h20M52 81h12" {...soft} strokeLinecap="round" />
      <path d="m37 70 7 13H30z" {...soft} strokeLinejoin="round" />
      <rect x="88" y="60" width="58" height="34" rx="7" {...line} strokeDasharray="3 4" />
      <path d="M117 71v12M111 77h12" {...accent} strokeLinecap="round" />
    </>
  ),
  /** A path that leads nowhere. */
  lost: (
    <>
      <path d="M84 100V44" {...line} strokeLinecap="round" />
      <path d="M58 24h48l10 10-10 10H58z" {...line} strokeLinejoin="round" />
      <path d="M108 54H64l-9 9 9 9h44z" {...soft} strokeLinejoin="round" />
      <path d="M66 34h26" {...accent} strokeLinecap="round" />
      <path d="M50 100h68" {...soft} strokeLinecap="round" strokeDasharray="2 6" />
    </>
  ),
  /** No problems. */
  calm: (
    <>
      <rect x="26" y="24" width="116" height="66" rx="7" {...line} />
      <path d="M38 60h26l7-14 9 26 8-18 5 6h37" {...accent} strokeLinecap="round" strokeLinejoin="round" />
      <path d="M40 38h18M110 78h18" {...soft} strokeLinecap="round" />
    </>
  ),
  /** A failure. */
  broken: (
    <>
      <rect x="26" y="24" width="116" height="66" rx="7" {...line} />
      <path d="M26 40h116" {...soft} />
      <circle cx="35" cy="32" r="2" fill="currentColor" />
      <circle cx="42" cy="32" r="2" fill="currentColor" opacity=".5" />
      <path d="m84 52-7 12h13l-7 14" stroke="var(--bad)" strokeWidth="1.5" fill="none" strokeLinecap="round" strokeLinejoin="round" />
      <path d="M40 56h18M40 66h12M110 56h18M116 66h12" {...soft} strokeLinecap="round" />
    </>
  ),
} satisfies Record<string, ReactNode>

export type PictureName = keyof typeof pictures

/** Drawn in the text color, so that they fit both themes. */
export function Picture({ name, className }: { name: PictureName; className?: string | undefined }) {
  return (
    <svg viewBox="0 0 168 112" className={className} aria-hidden>
      {pictures[name]}
    </svg>
  )
}
