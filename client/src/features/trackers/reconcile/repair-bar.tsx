import { Button, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Tracker } from '#shared/features/trackers/schema.ts'
import { formatNumber } from '#client/lib/format.ts'
import { BulkBar } from '#client/ui/bulk-bar.tsx'
import { usePhone } from '#client/ui/use-phone.ts'
import { reconcileStates } from '../search.ts'
import { ofOneTracker, repairsOf, type Repair } from './repairs.ts'
import type { AskedRepair } from './repair-dialog.tsx'
import type { ReconcileChoice } from './use-choice.ts'

/** What it is told with: whom to bind in, or where to lead. */
const needsTracker = (repair: Repair): boolean => ofOneTracker.has(repair) || repair === 'add'

/** The repairs that fit what is selected, each with how many it concerns. */
export function RepairBar({
  choice,
  total,
  trackers,
  onRepair,
}: {
  choice: ReconcileChoice
  total: number | undefined
  /** Those that the list is of. */
  trackers: readonly Tracker[]
  onRepair: (asked: AskedRepair) => void
}) {
  const { t } = useTranslation('trackers')
  const phone = usePhone()
  const { count } = choice
  // An SSL error and an error of the check are looked at by the same check.
  const offered = reconcileStates
    .filter((state) => state !== 'ssl_error' || choice.countOf('check_error') === 0)
    .flatMap((state) => repairsOf[state].map((repair) => ({ state, repair, number: choice.countOf(state) })))
    .filter(({ number }) => number > 0)
  const label = phone ? formatNumber(count) : t('selected', { count, formatted: formatNumber(count) })
  return (
    <BulkBar
      count={count}
      label={label}
      onClear={choice.clear}
      extra={
        total === undefined || count >= total ? null : (
          <Button variant="subtle" size="xs" onClick={choice.chooseAll}>
            {t('select_all', { formatted: formatNumber(total) })}
          </Button>
        )
      }
      note={offered.length === 0 ? t('nothing_to_repair') : null}
    >
      {offered.map(({ state, repair, number }) => {
        const words = `${t(`repair.${repair}`)} · ${formatNumber(number)}`
        const concerned = choice.all
          ? trackers
          : trackers.filter(({ id }) => choice.marked.some((row) => row.tracker?.id === id && row.states.includes(state)))
        const [first] = concerned
        if (!ofOneTracker.has(repair) || concerned.length < 2) {
          return (
            <Button
              key={`${state} ${repair}`}
              variant="subtle"
              color="gray"
              size="xs"
              onClick={() =>
                onRepair({ repair, state, number, ...(first && needsTracker(repair) && concerned.length === 1 && { trackerId: first.id }) })
              }
            >
              {words}
            </Button>
          )
        }
        return (
          <Menu key={`${state} ${repair}`} position="top-end">
            <Menu.Target>
              <Button variant="subtle" color="gray" size="xs" rightSection={<IconChevronDown size={13} stroke={1.8} aria-hidden />}>
                {words}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Label>{t('in_tracker')}</Menu.Label>
              {concerned.map(({ id, name }) => (
                <Menu.Item key={id} onClick={() => onRepair({ repair, state, number, trackerId: id })}>
                  {name}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )
      })}
    </BulkBar>
  )
}
