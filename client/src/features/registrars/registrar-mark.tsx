import type { RegistrarCompany, RegistrarProvider } from '#shared/features/registrars/catalog.ts'
import classes from './registrars.module.css'

const letters: Readonly<Record<RegistrarProvider, string>> = { NAMECHEAP: 'N', GODADDY: 'G', PORKBUN: 'P', REGRU: 'R' }

/** A company at a glance; `name`, which stands beside it, lends another company its letter. */
export function RegistrarMark({ provider, name }: { provider: RegistrarCompany; name: string }) {
  return (
    <span className={classes['mark']} aria-hidden>
      {provider === 'OTHER' ? name.slice(0, 1).toUpperCase() : letters[provider]}
    </span>
  )
}
