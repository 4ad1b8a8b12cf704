import { Checkbox } from '@mantine/core'
import classes from './registrars.module.css'

/** The head of a name's card on a phone: by it the name is selected. */
export function PickBox({ name, selected, onSelect }: { name: string; selected: boolean; onSelect: (selected: boolean) => void }) {
  return (
    <Checkbox
      size="sm"
      className={classes['pick'] ?? ''}
      label={<bdi className="mono">{name}</bdi>}
      checked={selected}
      onChange={(event) => onSelect(event.currentTarget.checked)}
    />
  )
}
