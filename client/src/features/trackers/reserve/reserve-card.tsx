import { Checkbox } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ReserveDomain } from '#shared/features/trackers/schema.ts'
import { Readiness } from './use-reserve-columns.tsx'
import classes from '../trackers.module.css'

/** A reserve domain on a phone. */
export function ReserveCard({ row, selected, onSelect }: { row: ReserveDomain; selected: boolean; onSelect: (selected: boolean) => void }) {
  const { t } = useTranslation('trackers')
  return (
    <div className="column gap-6 grow shrink size-13">
      <Checkbox
        size="sm"
        className={classes['pick'] ?? ''}
        label={<bdi className="mono">{row.displayName}</bdi>}
        checked={selected}
        onChange={(event) => onSelect(event.currentTarget.checked)}
      />
      <div className="row gap-8 between shrink">
        <Readiness problems={row.problems} />
        <bdi className="muted cut">{row.group?.name ?? t('reserve.any_group')}</bdi>
      </div>
      <bdi className="muted cut">{row.note ?? row.account}</bdi>
    </div>
  )
}
