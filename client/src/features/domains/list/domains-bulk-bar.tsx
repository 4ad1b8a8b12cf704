import { Button, Menu } from '@mantine/core'
import {
  IconAdjustments,
  IconChevronDown,
  IconCopy,
  IconDots,
  IconDownload,
  IconListDetails,
  IconServer2,
  IconTargetArrow,
  type Icon,
} from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { WatchDialog } from '#client/features/monitoring/index.ts'
import { BulkDialog, type BulkKind } from '#client/features/operations/index.ts'
import { useManyLock } from '#client/features/sharing/index.ts'
import { ReserveDialog } from '#client/features/trackers/index.ts'
import type { Domain } from '#shared/features/domains/schema.ts'
import { formatNumber } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { BulkBar } from '#client/ui/bulk-bar.tsx'
import { useMedia, usePhone } from '#client/ui/use-media.ts'
import { collectSelected } from './collect-selected.ts'
import { domainsCsv } from './domains-csv.ts'
import { ErrorBoundary } from '#client/ui/error-boundary.tsx'
import { saveFile } from '#client/lib/save-file.ts'
import { idsOf, targetOf } from './selection.ts'
import type { DomainSelecting } from './use-domain-selection.ts'

const dnsKinds = ['dns_add', 'dns_edit', 'dns_replace', 'dns_delete'] as const
const trackerKinds = ['tracker_bind', 'tracker_unbind', 'tracker_check'] as const
const moreKinds = ['profile', 'group', 'registrar', 'name_servers', 'auto_renew', 'renew', 'purge', 'refresh', 'replace'] as const
const ofTheOwner: ReadonlySet<BulkKind> = new Set(['replace', 'auto_renew', 'renew'])

const namesOf = (rows: readonly Domain[]): string => rows.map((row) => row.displayName).join('\n')

type Selecting = Pick<DomainSelecting, 'selection' | 'count' | 'known' | 'clear'> & Partial<Pick<DomainSelecting, 'selectAllMatching'>>

/** What can be done with the selected domains. */
export function DomainsBulkBar({ selecting, matching }: { selecting: Selecting; matching: number }) {
  const { t } = useTranslation(['domains', 'common', 'operations'])
  const { selection, count, known } = selecting
  const lockOf = useManyLock(known)
  const [operating, managing, owning] = [lockOf('operate'), lockOf('manage'), lockOf('own')]
  // Of those that are not here the preview tells.
  const locked = known.length === count ? operating.lock : null
  const unowned = known.length === count ? owning.lock : null
  const unmanaged = known.length === count ? managing.lock : null
  const [collected, setCollected] = useState<number | null>(null)
  const [asking, setAsking] = useState<BulkKind | null>(null)
  const [watching, setWatching] = useState(false)
  const [reserving, setReserving] = useState(false)
  const phone = usePhone()
  const roomy = useMedia('(min-width: 1440px)')
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

  const selectedIds = () => idsOf(selection, collect)

  const busy = collected !== null
  const owners = new Set(known.map(({ ownerId }) => ownerId))
  const [ownerId] = owners
  const about = {
    ...(known.length === count && { domains: known, bound: known.filter(({ trackerType }) => trackerType !== null).length }),
    ...(known.length === count && owners.size === 1 && ownerId !== undefined && { ownerId }),
  }
  const changing = { disabled: busy || locked !== null, title: locked ?? undefined }
  const owned = { disabled: unowned !== null, title: unowned ?? owning.note ?? undefined }
  const managed = { disabled: unmanaged !== null, title: unmanaged ?? managing.note ?? undefined }
  const showsAll = selection.kind === 'all' || count >= matching
  const exports = (['csv', 'txt'] as const).map((kind) => (
    <Menu.Item key={kind} onClick={() => void save(kind)}>
      {t(`selection.${kind}`)}
    </Menu.Item>
  ))
  const trackers = trackerKinds.map((kind) => (
    <Menu.Item key={kind} {...changing} onClick={() => setAsking(kind)}>
      {t(`operations:bulk.${kind}`)}
    </Menu.Item>
  ))
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
      note={locked ?? operating.note}
      onClear={selecting.clear}
    >
      <Action icon={IconAdjustments} label={t('operations:bulk.settings')} {...changing} onClick={() => setAsking('settings')} />
      <Action icon={IconServer2} label={t('operations:bulk.ip')} {...changing} onClick={() => setAsking('ip')} />
      <Menu position="top-end">
        <Menu.Target>
          <Button
            {...quiet}
            {...changing}
            leftSection={<IconListDetails {...icon} />}
            rightSection={phone ? null : <IconChevronDown size={13} stroke={1.8} aria-hidden />}
          >
            {t('operations:bulk.dns')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {dnsKinds.map((kind) => (
            <Menu.Item key={kind} onClick={() => setAsking(kind)}>
              {t(`operations:bulk.${kind}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {phone ? null : (
        <Menu position="top-end">
          <Menu.Target>
            <Button
              {...quiet}
              {...changing}
              leftSection={<IconTargetArrow {...icon} />}
              rightSection={phone ? null : <IconChevronDown size={13} stroke={1.8} aria-hidden />}
            >
              {t('operations:bulk.tracker')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>{trackers}</Menu.Dropdown>
        </Menu>
      )}
      {phone ? null : (
        <>
          {roomy ? <Action icon={IconCopy} label={t('selection.copy')} disabled={busy} onClick={() => void copy()} /> : null}
          <Menu position="top-end">
            <Menu.Target>
              <Button {...quiet} disabled={busy} leftSection={<IconDownload {...icon} />}>
                {t('selection.export')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {roomy ? null : <Menu.Item onClick={() => void copy()}>{t('selection.copy')}</Menu.Item>}
              {exports}
            </Menu.Dropdown>
          </Menu>
        </>
      )}
      <Menu position="top-end">
        <Menu.Target>
          <Button {...quiet} disabled={busy} leftSection={<IconDots {...icon} />}>
            {t('operations:bulk.more')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {moreKinds.map((kind) => (
            <Menu.Item
              key={kind}
              {...(kind === 'group' ? managed : ofTheOwner.has(kind) ? owned : changing)}
              onClick={() => setAsking(kind)}
            >
              {t(`operations:bulk.${kind}`)}
            </Menu.Item>
          ))}
          {phone ? trackers : null}
          <Menu.Item {...owned} onClick={() => setReserving(true)}>
            {t('operations:bulk.reserve')}
          </Menu.Item>
          <Menu.Item {...changing} onClick={() => setWatching(true)}>
            {t('operations:bulk.monitoring')}
          </Menu.Item>
          {phone ? (
            <>
              <Menu.Divider />
              <Menu.Item onClick={() => void copy()}>{t('selection.copy')}</Menu.Item>
              {exports}
            </>
          ) : null}
          <Menu.Divider />
          <Menu.Item color="red" {...managed} onClick={() => setAsking('delete')}>
            {t('operations:bulk.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {watching ? (
        <ErrorBoundary onFail={() => setWatching(false)}>
          <Suspense>
            <WatchDialog
              count={count}
              idsOf={selectedIds}
              onDone={() => {
                setWatching(false)
                selecting.clear()
              }}
              onClose={() => setWatching(false)}
            />
          </Suspense>
        </ErrorBoundary>
      ) : null}
      {reserving ? (
        <ErrorBoundary onFail={() => setReserving(false)}>
          <Suspense>
            <ReserveDialog
              count={count}
              zoneIdsOf={selectedIds}
              onDone={() => {
                setReserving(false)
                selecting.clear()
              }}
              onClose={() => setReserving(false)}
            />
          </Suspense>
        </ErrorBoundary>
      ) : null}
      {asking === null ? null : (
        <ErrorBoundary onFail={() => setAsking(null)}>
          <Suspense>
            <BulkDialog
              kind={asking}
              count={count}
              about={about}
              targetOf={() => targetOf(selection, collect)}
              onStarted={() => {
                setAsking(null)
                selecting.clear()
              }}
              onClose={() => setAsking(null)}
            />
          </Suspense>
        </ErrorBoundary>
      )}
    </BulkBar>
  )
}

const quiet = { variant: 'subtle', color: 'gray', size: 'xs' } as const
const icon = { size: 15, stroke: 1.8, 'aria-hidden': true } as const

function Action({
  icon: Symbol,
  label,
  ...rest
}: {
  icon: Icon
  label: string
  disabled: boolean
  title?: string | undefined
  onClick: () => void
}) {
  return (
    <Button {...quiet} {...rest} leftSection={<Symbol {...icon} />}>
      {label}
    </Button>
  )
}
