import { useId, type ReactNode } from 'react'
import { Switch } from './switch.tsx'
import classes from './form.module.css'

/** A switch with its label. */
export function NamedSwitch({
  name,
  help,
  on,
  disabled = false,
  onChange,
}: {
  name: string
  help?: ReactNode
  on: boolean
  disabled?: boolean
  onChange: (on: boolean) => void
}) {
  const id = useId()
  return (
    <div className="flex gap-12 top">
      <Switch
        id={`${id}-switch`}
        labelledBy={id}
        describedBy={help === undefined ? undefined : `${id}-help`}
        on={on}
        disabled={disabled}
        onChange={onChange}
      />
      <div>
        <label id={id} htmlFor={`${id}-switch`} className={classes['name']}>
          {name}
        </label>
        {help === undefined ? null : (
          <span id={`${id}-help`} className={`block size-12 muted pretty ${classes['help']}`}>
            {help}
          </span>
        )}
      </div>
    </div>
  )
}
