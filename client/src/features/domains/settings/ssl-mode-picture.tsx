import classes from './ssl-mode-picture.module.css'

/** Which connections are encrypted, and whether the origin's certificate is validated. */
const ways: Record<string, { visitor: boolean; origin: boolean; checked: boolean }> = {
  off: { visitor: false, origin: false, checked: false },
  flexible: { visitor: true, origin: false, checked: false },
  full: { visitor: true, origin: true, checked: false },
  strict: { visitor: true, origin: true, checked: true },
  origin_pull: { visitor: true, origin: true, checked: true },
}

/** Visitor, Cloudflare, origin; a line with a lock is encrypted, a dashed one is not. */
export function SslModePicture({ mode }: { mode: string }) {
  const way = ways[mode]
  if (way === undefined) return null
  return (
    <svg viewBox="0 0 132 24" width={132} height={24} className={classes['picture']} aria-hidden>
      <rect x="1" y="5" width="18" height="14" rx="2.5" className={classes['node']} />
      <path d="M1 9.5h18" className={classes['node']} />
      <path d="M59 17.5h13a4 4 0 0 0 .6-8 6.2 6.2 0 0 0-11.7-1.2A4.7 4.7 0 0 0 59 17.5Z" className={classes['node']} />
      <rect x="113" y="4" width="18" height="7" rx="2" className={classes['node']} />
      <rect x="113" y="13" width="18" height="7" rx="2" className={classes['node']} />
      <Way from={23} encrypted={way.visitor} />
      <Way from={81} encrypted={way.origin} />
      {way.checked ? <path d="m119 21.5 2.6 2.2 5-5.4" className={classes['check']} /> : null}
    </svg>
  )
}

function Way({ from, encrypted }: { from: number; encrypted: boolean }) {
  if (!encrypted) return <path d={`M${from} 12h28`} className={classes['open']} />
  return (
    <g className={classes['encrypted']}>
      <path d={`M${from} 12h9M${from + 19} 12h9`} />
      <rect x={from + 10} y="10.5" width="8" height="6.5" rx="1.5" />
      <path d={`M${from + 11.8} 10.5V9a2.2 2.2 0 0 1 4.4 0v1.5`} />
    </g>
  )
}
