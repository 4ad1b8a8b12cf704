import { Checkbox, Button } from '@mantine/core'
import classes from './registrars.module.css'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '#client/lib/format.ts'

/** The head of a name's card on a phone: by it the name is selected. */
export function NameCheckbox({ name, selected, onSelect }: { name: string; selected: boolean; onSelect: (selected: boolean) => void }) {
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

/** Beside some that are selected: selects the others too. Nothing where there are no others. */
export function SelectAllButton({
  selected,
  total,
  onSelectAll,
}: {
  selected: number
  total: number | undefined
  onSelectAll: () => void
}) {
  const { t } = useTranslation('registrars')
  return total === undefined || selected >= total ? null : (
    <Button variant="subtle" size="xs" onClick={onSelectAll}>
      {t('unbound.all', { formatted: formatNumber(total) })}
    </Button>
  )
}
