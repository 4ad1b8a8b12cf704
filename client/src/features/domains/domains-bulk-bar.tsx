import { Button, Menu } from '@mantine/core'
import { IconCopy, IconDownload, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Domain } from '#shared/features/domains/schema.ts'
import { formatNumber } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { BulkBar } from '#client/ui/bulk-bar.tsx'
import { usePhone } from '#client/ui/use-phone.ts'
import { collectSelected } from './collect-selected.ts'
import { domainsCsv } from './domains-csv.ts'
import { saveFile } from '#client/lib/save-file.ts'
import type { DomainSelecting } from './use-domain-selection.ts'
import { useRequestSync } from './use-request-sync.ts'

const namesOf = (rows: readonly Domain[]): string => rows.map((row) => row.displayName).join('\n')

/** What can be done with the selected domains. */
export function DomainsBulkBar({
  selecting,
  matching,
  accountIds,
}: {
  selecting: DomainSelecting
  matching: number
  /** Those that the list reaches over. */
  accountIds: readonly string[]
}) {
  const { t } = useTranslation(['domains', 'common'])
  const { selection, count } = selecting
  const [collected, setCollected] = useState<number | null>(null)
  const sync = useRequestSync()
  const phone = usePhone()
  const many = (number: number) => ({ count: number, total: formatNumber(number) })

  const collect = async (): Promise<Domain[]> => {
    setCollected(0)
    try {
      return await collectSelected(selection, setCollected)
    } finally {
      setCollected(null)
    }
  }

  const copy = async (): Promise<void> => {
    const rows = collect()
    try {
      // The browser lets a page copy only right after a click, but keeps waiting for what was promised then.
      const text = rows.then((all) => new Blob([namesOf(all)], { type: 'text/plain' }))
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })])
      toast.success(t('selection.copied', many((await rows).length)))
    } catch (error) {
      await rows.then(
        () => toast.error(t('actions.copy_failed')),
        () => toast.failure(error, t('actions.copy_failed')),
      )
    }
  }

  const save = async (kind: 'csv' | 'txt'): Promise<void> => {
    try {
      const rows = await collect()
      if (kind === 'csv') saveFile('domains.csv', 'text/csv', domainsCsv(rows))
      else saveFile('domains.txt', 'text/plain', `${namesOf(rows)}\n`)
    } catch (error) {
      toast.failure(error, t('selection.export_failed'))
    }
  }

  const readAgain = async (): Promise<void> => {
    if (selection.kind === 'all') return sync.request(accountIds)
    try {
      const rows = await collect()
      sync.request([...new Set(rows.map((row) => row.accountId))])
    } catch (error) {
      toast.failure(error, t('sync.failed'))
    }
  }

  const busy = collected !== null
  const showsAll = selection.kind === 'all' || count >= matching
  return (
    <BulkBar
      count={count}
      label={
        busy && collected > 0
          ? t('selection.collecting', { done: formatNumber(collected), total: formatNumber(count) })
          : phone
            ? t('selection.count_short', { total: formatNumber(count) })
            : t('selection.count', many(count))
      }
      extra={
        showsAll ? null : (
          <Button variant="subtle" size="xs" onClick={selecting.selectAllMatching}>
            {phone ? t('selection.all_short', { total: formatNumber(matching) }) : t('selection.all_matching', many(matching))}
          </Button>
        )
      }
      onClear={selecting.clear}
    >
      <Button
        variant="subtle"
        color="gray"
        size="xs"
        disabled={busy}
        leftSection={<IconCopy size={15} stroke={1.8} aria-hidden />}
        onClick={() => void copy()}
      >
        {t(phone ? 'common:copy' : 'selection.copy')}
      </Button>
      <Menu position="top-end">
        <Menu.Target>
          <Button variant="subtle" color="gray" size="xs" disabled={busy} leftSection={<IconDownload size={15} stroke={1.8} aria-hidden />}>
            {t('selection.export')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void save('csv')}>{t('selection.csv')}</Menu.Item>
          <Menu.Item onClick={() => void save('txt')}>{t('selection.txt')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button
        variant="subtle"
        color="gray"
        size="xs"
        disabled={busy || sync.isPending}
        title={t('sync.hint')}
        leftSection={<IconRefresh size={15} stroke={1.8} aria-hidden />}
        onClick={() => void readAgain()}
      >
        {t('selection.sync')}
      </Button>
    </BulkBar>
  )
}
