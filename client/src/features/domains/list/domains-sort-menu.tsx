import { Button } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { DomainSort } from '#shared/features/domains/schema.ts'
import { sortKeys } from './choices.ts'
import { MenuButton } from '#client/ui/overlay/popup-button.tsx'

const titles = {
  name: 'columns.name',
  status: 'columns.status',
  sslMode: 'columns.ssl',
  securityLevel: 'columns.level',
  account: 'columns.account',
  health: 'columns.health',
  recordsCount: 'columns.records',
  requests: 'columns.requests',
  paidUntil: 'columns.paid_until',
  createdAt: 'columns.created',
  updatedAt: 'columns.updated',
} as const satisfies Record<DomainSort['by'], string>

/** The sort order of cards, which have no column headers. Selecting the same key again reverses it. */
export function DomainsSortMenu({ sort, onChange }: { sort: DomainSort; onChange: (sort: DomainSort) => void }) {
  const { t } = useTranslation('domains')
  const Arrow = sort.direction === 'asc' ? IconArrowUp : IconArrowDown
  return (
    <MenuButton
      position="bottom-end"
      width={190}
      button={
        <Button
          variant="default"
          size="xs"
          leftSection={<IconArrowsSort size={14} stroke={1.8} aria-hidden />}
          aria-label={t('view.sort', { by: t(titles[sort.by]) })}
        >
          {t(titles[sort.by])}
        </Button>
      }
    >
      {(Menu) =>
        sortKeys.map((by) => (
          <Menu.Item
            key={by}
            rightSection={by === sort.by ? <Arrow size={14} stroke={2} color="var(--accent)" aria-hidden /> : undefined}
            onClick={() => onChange({ by, direction: by === sort.by && sort.direction === 'asc' ? 'desc' : 'asc' })}
          >
            {t(titles[by])}
          </Menu.Item>
        ))
      }
    </MenuButton>
  )
}
