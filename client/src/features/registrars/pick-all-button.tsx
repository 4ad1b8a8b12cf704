import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '#client/lib/format.ts'

/** Beside some that are selected: selects the others too. Nothing where there are no others. */
export function PickAllButton({ picked, total, onPick }: { picked: number; total: number | undefined; onPick: () => void }) {
  const { t } = useTranslation('registrars')
  return total === undefined || picked >= total ? null : (
    <Button variant="subtle" size="xs" onClick={onPick}>
      {t('unbound.all', { formatted: formatNumber(total) })}
    </Button>
  )
}
