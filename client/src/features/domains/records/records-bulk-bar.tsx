import { Button } from '@mantine/core'
import { IconClock, IconCloudFilled, IconCloudOff, IconTrash } from '@tabler/icons-react'
import { memo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isProxiable } from '#shared/features/domains/records/record-types.ts'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { BulkBar } from '#client/ui/table/bulk-bar.tsx'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import { MenuButton } from '#client/ui/overlay/popup-button.tsx'
import { bulkTtls } from './record-draft.ts'
import { useTtlWords } from './use-ttl-words.ts'
import type { RecordChanges } from './mutations.ts'
import classes from './records.module.css'

/** The bulk actions on the selected records, each in one call. */
export const RecordsBulkBar = memo(function RecordsBulkBar({
  selectedRows,
  changes,
  onClear,
  confirmExposure,
}: {
  selectedRows: readonly DnsRecord[]
  changes: RecordChanges
  onClear: () => void
  confirmExposure: (records: readonly DnsRecord[], run: () => void) => void
}) {
  const { t } = useTranslation('records')
  const ttlWords = useTtlWords()
  const [deleting, setDeleting] = useState(false)
  const off = selectedRows.filter(({ type, proxiable, proxied }) => isProxiable(type) && proxiable && !proxied)
  const on = selectedRows.filter(({ proxied }) => proxied)
  // A proxied record has no TTL of its own.
  const timed = selectedRows.filter(({ proxied }) => !proxied)
  const run = (records: readonly DnsRecord[], patch: { proxied: boolean } | { ttl: number }): void =>
    void changes.patchMany(records, patch).catch(() => undefined)
  const look = { variant: 'subtle', color: 'gray', size: 'xs' } as const

  return (
    <>
      <BulkBar count={selectedRows.length} label={t('selected', counted(selectedRows.length))} onClear={onClear}>
        <Button
          {...look}
          disabled={off.length === 0 || changes.changing}
          leftSection={<IconCloudFilled size={15} stroke={1.7} aria-hidden />}
          onClick={() => run(off, { proxied: true })}
        >
          {t('bulk.proxy_on')}
        </Button>
        <Button
          {...look}
          disabled={on.length === 0 || changes.changing}
          leftSection={<IconCloudOff size={15} stroke={1.7} aria-hidden />}
          onClick={() => confirmExposure(on, () => run(on, { proxied: false }))}
        >
          {t('bulk.proxy_off')}
        </Button>
        <MenuButton
          position="top-end"
          button={
            <Button
              {...look}
              disabled={timed.length === 0 || changes.changing}
              leftSection={<IconClock size={15} stroke={1.7} aria-hidden />}
              title={timed.length < selectedRows.length ? t('bulk.ttl_hint') : undefined}
            >
              {t('column.ttl')}
            </Button>
          }
        >
          {(Menu) =>
            bulkTtls.map((ttl) => (
              <Menu.Item key={ttl} onClick={() => run(timed, { ttl })}>
                {ttlWords(ttl, true)}
              </Menu.Item>
            ))
          }
        </MenuButton>
        <Button
          variant="light"
          color="red"
          size="xs"
          disabled={changes.changing}
          leftSection={<IconTrash size={15} stroke={1.7} aria-hidden />}
          onClick={() => setDeleting(true)}
        >
          {t('delete')}
        </Button>
      </BulkBar>
      {deleting ? (
        <ConfirmDialog
          title={t('delete_many.title', counted(selectedRows.length))}
          action={t('delete')}
          count={selectedRows.length}
          consequence={
            <>
              <p>{t('delete_many.text')}</p>
              <ul className="flex wrap gap-4-16 mt-8">
                {[...Map.groupBy(selectedRows, ({ type }) => type)].map(([type, records]) => (
                  <li key={type}>
                    <span className={classes['type']}>{type}</span> {formatNumber(records.length)}
                  </li>
                ))}
              </ul>
            </>
          }
          onConfirm={async () => {
            await changes.removeMany(selectedRows)
            onClear()
          }}
          onClose={() => setDeleting(false)}
        />
      ) : null}
    </>
  )
})
