import { Checkbox, Button } from '@mantine/core'
import classes from './registrars.module.css'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '#client/lib/format.ts'

/** The header of a name's card on a phone, which selects the name. */
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

/** Selects all other names too when some are selected. Hidden if there are no others. */
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
