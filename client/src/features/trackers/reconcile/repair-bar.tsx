import { Button } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Tracker } from '#shared/features/trackers/schema.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { BulkBar } from '#client/ui/table/bulk-bar.tsx'
import { usePhone } from '#client/ui/layout/use-media.ts'
import { MenuButton } from '#client/ui/overlay/popup-button.tsx'
import { ofOneTracker, repairs, type Repair } from './repairs.ts'
import type { AskedRepair } from './repair-dialog.tsx'
import type { ReconcileChoice } from './use-choice.ts'

/** The input of a repair: the tracker to bind in, or the address. */
const needsTracker = (repair: Repair): boolean => ofOneTracker.has(repair) || repair === 'add'

/** The repairs for the selection, each with the number of domains. */
export function RepairBar({
  choice,
  total,
  trackers,
  onRepair,
}: {
  choice: ReconcileChoice
  total: number | undefined
  trackers: readonly Tracker[]
  onRepair: (asked: AskedRepair) => void
}) {
  const { t } = useTranslation('trackers')
  const phone = usePhone()
  const { count } = choice
  const offered = repairs.map((repair) => ({ repair, number: choice.countOf(repair) })).filter(({ number }) => number > 0)
  const named = new Set(trackers.map(({ ownerId }) => ownerId)).size > 1
  const label = phone ? formatNumber(count) : t('selected', counted(count))
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
      {offered.map(({ repair, number }) => {
        const words = `${t(`repair.${repair}`)} · ${formatNumber(number)}`
        const concerned = needsTracker(repair)
          ? trackers
              .map(({ id, name, ownerName }) => ({ id, name: named ? `${name} · ${ownerName}` : name, here: choice.countOf(repair, id) }))
              .filter(({ here }) => here > 0)
          : []
        const [first] = concerned
        if (!ofOneTracker.has(repair) || concerned.length < 2) {
          return (
            <Button
              key={repair}
              variant="subtle"
              color="gray"
              size="xs"
              onClick={() => onRepair({ repair, number, ...(first && concerned.length === 1 && { trackerId: first.id }) })}
            >
              {words}
            </Button>
          )
        }
        return (
          <MenuButton
            key={repair}
            position="top-end"
            button={
              <Button variant="subtle" color="gray" size="xs" rightSection={<IconChevronDown size={13} stroke={1.8} aria-hidden />}>
                {words}
              </Button>
            }
          >
            {(Menu) => (
              <>
                <Menu.Label>{t('in_tracker')}</Menu.Label>
                {concerned.map(({ id, name, here }) => (
                  <Menu.Item key={id} onClick={() => onRepair({ repair, number: here, trackerId: id })}>
                    <bdi>{name}</bdi> · {formatNumber(here)}
                  </Menu.Item>
                ))}
              </>
            )}
          </MenuButton>
        )
      })}
    </BulkBar>
  )
}
