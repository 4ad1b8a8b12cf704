import { labelOf } from './record-draft.ts'
import classes from './records.module.css'

/** The part that tells records apart stands out; the zone's own name behind it does not. */
export function RecordName({ name, zoneName, zoneTitle }: { name: string; zoneName: string; zoneTitle: string }) {
  const label = labelOf(name, zoneName)
  return (
    <bdi className={classes['name']} dir="ltr" title={name}>
      <span>{label}</span>
      {label === name ? null : <span className="regular muted">{label === '@' ? ` ${zoneTitle}` : `.${zoneTitle}`}</span>}
    </bdi>
  )
}
