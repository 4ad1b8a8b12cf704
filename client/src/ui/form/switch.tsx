import classes from './switch.module.css'

/** A switch with immediate effect. Its label is beside it and given by id, or by `label`. */
export function Switch({
  id,
  on,
  label,
  labelledBy,
  describedBy,
  disabled = false,
  onChange,
}: {
  /** For a label that points to it. */
  id?: string
  on: boolean
  label?: string
  labelledBy?: string
  describedBy?: string | undefined
  disabled?: boolean
  onChange: (on: boolean) => void
}) {
  return (
    <button
      id={id}
      type="button"
      role="switch"
      className={`fixed pointer ${classes['switch']}`}
      aria-checked={on}
      aria-label={label}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      disabled={disabled}
      onClick={() => onChange(!on)}
    >
      <span className={classes['knob']} />
    </button>
  )
}
