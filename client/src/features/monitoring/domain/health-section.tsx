import { useId, type ReactNode } from 'react'
import classes from '../monitoring.module.css'

/** A section of the health page. */
export function HealthSection({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section className={classes['section']} aria-labelledby={id}>
      <header className="row wrap between">
        <h2 id={id}>{title}</h2>
        {note}
      </header>
      {children}
    </section>
  )
}
