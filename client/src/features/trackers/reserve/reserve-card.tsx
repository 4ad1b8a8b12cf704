import { Checkbox } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ReserveDomain } from '#shared/features/trackers/schema.ts'
import { Readiness } from './readiness.tsx'
import rowCard from '#client/ui/row-card.module.css'
import classes from '../trackers.module.css'

/** A reserve domain on a phone. */
export function ReserveCard({ row, selected, onSelect }: { row: ReserveDomain; selected: boolean; onSelect: (selected: boolean) => void }) {
  const { t } = useTranslation('trackers')
  return (
    <div className={rowCard['card']}>
      <Checkbox
        size="sm"
        className={classes['pick'] ?? ''}
        label={<bdi className="mono">{row.displayName}</bdi>}
        checked={selected}
        onChange={(event) => onSelect(event.currentTarget.checked)}
      />
      <div className={rowCard['line']}>
        <Readiness problems={row.problems} />
        <bdi className={rowCard['quiet']}>{row.group?.name ?? t('reserve.any_group')}</bdi>
      </div>
      <bdi className={rowCard['quiet']}>{row.note ?? row.account}</bdi>
    </div>
  )
}
