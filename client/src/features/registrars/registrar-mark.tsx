import type { RegistrarProvider } from '#shared/features/registrars/catalog.ts'
import classes from './registrars.module.css'

const letters: Readonly<Record<RegistrarProvider, string>> = { NAMECHEAP: 'N', GODADDY: 'G', PORKBUN: 'P', REGRU: 'R' }

/** A provider at a glance; its name stands beside it. */
export function RegistrarMark({ provider }: { provider: RegistrarProvider }) {
  return (
    <span className={classes['mark']} aria-hidden>
      {letters[provider]}
    </span>
  )
}
