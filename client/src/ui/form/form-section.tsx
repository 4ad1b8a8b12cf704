import { type ReactNode, useId } from 'react'
import classes from './form-section.module.css'

/** A section of a settings page: its description on the left and its controls on the right; stacked on a phone. */
export function FormSection({ title, text, children }: { title: string; text?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section className={`divided ${classes['section']}`} aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {text === undefined ? null : <p className={`size-13 muted pretty ${classes['text']}`}>{text}</p>}
      </div>
      <div className="column gap-16 shrink">{children}</div>
    </section>
  )
}
