import { IconArrowRight, IconMinus, IconPlus } from '@tabler/icons-react'
import type { ChangeWords } from './use-change-words.ts'
import classes from './operations.module.css'

/** One change: its label, and old → new, or what is added or removed. */
export function ChangeLine({ words: { label, from, to, mono } }: { words: ChangeWords }) {
  const value = mono ? 'mono' : undefined
  return (
    <span className={`inline wrap shrink anywhere ${classes['change']}`}>
      <span className={`${classes['changeLabel']} ${value ?? ''}`}>
        {from === null && to !== null ? <IconPlus size={13} stroke={2} className={classes['plus']} aria-label="+" /> : null}
        {from !== null && to === null ? <IconMinus size={13} stroke={2} className="bad" aria-label="−" /> : null}
        {label}
      </span>
      {from === null ? null : <del className={value}>{from}</del>}
      {from !== null && to !== null ? <IconArrowRight size={13} stroke={1.8} aria-label="→" className="muted" /> : null}
      {to === null ? null : <ins className={value}>{to}</ins>}
    </span>
  )
}
