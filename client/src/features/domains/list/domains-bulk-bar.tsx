import { Button } from '@mantine/core'
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
import { memo, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { WatchDialog } from '#client/features/monitoring/index.ts'
import { BulkDialog, kindsOfMenu, kindView, type BulkKind } from '#client/features/operations/index.ts'
import { useManyLock } from '#client/features/sharing/index.ts'
import { ReserveDialog } from '#client/features/trackers/index.ts'
import type { ListedDomain } from '#shared/features/domains/schema.ts'
import { formatNumber } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { BulkBar } from '#client/ui/table/bulk-bar.tsx'
import { useMedia, usePhone } from '#client/ui/layout/use-media.ts'
import { collectSelected, collectWhole } from './collect-selected.ts'
import { domainsCsv } from './domains-csv.ts'
import { ErrorBoundary } from '#client/ui/feedback/error-boundary.tsx'
import { saveFile } from '#client/lib/save-file.ts'
import type { MenuParts } from '#client/ui/overlay/opened-popups.tsx'
import { MenuButton } from '#client/ui/overlay/popup-button.tsx'
import { idsOf, targetOf, type Selection } from './selection.ts'
import type { DomainSelecting } from './use-domain-selection.ts'

const namesOf = (rows: readonly ListedDomain[]): string => rows.map((row) => row.displayName).join('\n')

type Selecting = Pick<DomainSelecting, 'selection' | 'count' | 'known' | 'clear'> & Partial<Pick<DomainSelecting, 'selectAllMatching'>>

function PlainBulkBar({ selecting, matching }: { selecting: Selecting; matching: number }) {
  const { t } = useTranslation(['domains', 'operations'])
  const { selection, count, known } = selecting
  const access = useAccess(known, count)
  const reading = useSelectedDomains(selection)
  const [asking, setAsking] = useState<Asking | null>(null)
  const phone = usePhone()
  const { collected, busy } = reading
  const changing = { ...access.changing, disabled: busy || access.changing.disabled }
  const showsAll = selection.kind === 'all' || count >= matching
  return (
    <BulkBar
      count={count}
      label={
        collected !== null && collected > 0
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
      note={access.note}
      onClear={selecting.clear}
    >
      <Action icon={IconAdjustments} label={t('operations:bulk.settings')} {...changing} onClick={() => setAsking('settings')} />
      <Action icon={IconServer2} label={t('operations:bulk.ip')} {...changing} onClick={() => setAsking('ip')} />
      <KindsMenu icon={IconListDetails} label={t('operations:bulk.dns')} menu="dns" changing={changing} onAsk={setAsking} />
      {phone ? null : (
        <>
          <KindsMenu icon={IconTargetArrow} label={t('operations:bulk.tracker')} menu="tracker" changing={changing} onAsk={setAsking} />
          <ExportMenu reading={reading} />
        </>
      )}
      <MoreMenu access={{ ...access, changing }} reading={reading} onAsk={setAsking} />
      {asking === null ? null : <Dialogs asking={asking} selecting={selecting} collect={reading.collect} onClose={() => setAsking(null)} />}
    </BulkBar>
  )
}

/** The bulk actions on the selected domains. */
export const DomainsBulkBar = memo(PlainBulkBar)

type Asking = BulkKind | 'reserve' | 'monitoring'
type Access = ReturnType<typeof useAccess>
type Reading = ReturnType<typeof useSelectedDomains>

const many = (number: number) => ({ count: number, total: formatNumber(number) })

/** The permitted actions on the selection, and why others are disabled. For domains that are not loaded, the preview reports it. */
function useAccess(known: readonly ListedDomain[], count: number) {
  const lockOf = useManyLock(known)
  const [operating, managing, owning] = [lockOf('operate'), lockOf('manage'), lockOf('own')]
  const whyNot = (lock: string | null): string | null => (known.length === count ? lock : null)
  const [locked, unmanaged, unowned] = [whyNot(operating.lock), whyNot(managing.lock), whyNot(owning.lock)]
  return {
    note: locked ?? operating.note,
    changing: { disabled: locked !== null, title: locked ?? undefined },
    managed: { disabled: unmanaged !== null, title: unmanaged ?? managing.note ?? undefined },
    owned: { disabled: unowned !== null, title: unowned ?? owning.note ?? undefined },
  }
}

/** The complete selected domains, fetched if necessary, for copying, saving or acting on. */
function useSelectedDomains(selection: Selecting['selection']) {
  const { t } = useTranslation(['domains', 'common'])
  const [done, setDone] = useState<number | null>(null)

  const collected = async <Row,>(collecting: (selection: Selection, onProgress: (collected: number) => void) => Promise<Row[]>) => {
    setDone(0)
    try {
      return await collecting(selection, setDone)
    } finally {
      setDone(null)
    }
  }
  const collect = (): Promise<ListedDomain[]> => collected(collectSelected)

  const copy = async (): Promise<void> => {
    const rows = collect()
    try {
      // Browsers allow copying only right after a click, but accept a promise made then.
      const text = rows.then((all) => new Blob([namesOf(all)], { type: 'text/plain' }))
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })])
      toast.success(t('selection.copied', many((await rows).length)))
    } catch (error) {
      await rows.then(
        () => toast.error(t('common:copy_failed')),
        () => toast.failure(error, t('common:copy_failed')),
      )
    }
  }

  const save = async (kind: 'csv' | 'txt'): Promise<void> => {
    try {
      if (kind === 'csv') saveFile('domains.csv', 'text/csv', domainsCsv(await collected(collectWhole)))
      else saveFile('domains.txt', 'text/plain', `${namesOf(await collect())}\n`)
    } catch (error) {
      toast.failure(error, t('selection.export_failed'))
    }
  }

  return { collect, copy, save, collected: done, busy: done !== null }
}

function KindsMenu({
  icon: Symbol,
  label,
  menu,
  changing,
  onAsk,
}: {
  icon: Icon
  label: string
  menu: 'dns' | 'tracker'
  changing: Access['changing']
  onAsk: (kind: BulkKind) => void
}) {
  const { t } = useTranslation('operations')
  const phone = usePhone()
  return (
    <MenuButton
      position="top-end"
      button={
        <Button
          {...quiet}
          {...changing}
          leftSection={<Symbol {...icon} />}
          rightSection={phone ? null : <IconChevronDown size={13} stroke={1.8} aria-hidden />}
        >
          {label}
        </Button>
      }
    >
      {(Menu) =>
        kindsOfMenu(menu).map((kind) => (
          <Menu.Item key={kind} {...changing} onClick={() => onAsk(kind)}>
            {t(`bulk.${kind}`)}
          </Menu.Item>
        ))
      }
    </MenuButton>
  )
}

function ExportMenu({ reading: { copy, save, busy } }: { reading: Reading }) {
  const { t } = useTranslation('domains')
  const roomy = useMedia('(min-width: 1440px)')
  return (
    <>
      {roomy ? <Action icon={IconCopy} label={t('selection.copy')} disabled={busy} onClick={() => void copy()} /> : null}
      <MenuButton
        position="top-end"
        button={
          <Button {...quiet} disabled={busy} leftSection={<IconDownload {...icon} />}>
            {t('selection.export')}
          </Button>
        }
      >
        {(Menu) => (
          <>
            {roomy ? null : <Menu.Item onClick={() => void copy()}>{t('selection.copy')}</Menu.Item>}
            <ExportItems menu={Menu} onSave={save} />
          </>
        )}
      </MenuButton>
    </>
  )
}

function ExportItems({ menu: Menu, onSave }: { menu: MenuParts; onSave: Reading['save'] }) {
  const { t } = useTranslation('domains')
  return (['csv', 'txt'] as const).map((kind) => (
    <Menu.Item key={kind} onClick={() => void onSave(kind)}>
      {t(`selection.${kind}`)}
    </Menu.Item>
  ))
}

function MoreMenu({ access, reading: { copy, save, busy }, onAsk }: { access: Access; reading: Reading; onAsk: (asking: Asking) => void }) {
  const { t } = useTranslation(['operations', 'domains'])
  const phone = usePhone()
  const { changing, owned, managed } = access
  return (
    <MenuButton
      position="top-end"
      button={
        <Button {...quiet} disabled={busy} leftSection={<IconDots {...icon} />}>
          {t('bulk.more')}
        </Button>
      }
    >
      {(Menu) => (
        <>
          {kindsOfMenu('more').map((kind) => (
            <Menu.Item key={kind} {...access[kindView(kind).needs ?? 'changing']} onClick={() => onAsk(kind)}>
              {t(`bulk.${kind}`)}
            </Menu.Item>
          ))}
          {phone
            ? kindsOfMenu('tracker').map((kind) => (
                <Menu.Item key={kind} {...changing} onClick={() => onAsk(kind)}>
                  {t(`bulk.${kind}`)}
                </Menu.Item>
              ))
            : null}
          <Menu.Item {...owned} onClick={() => onAsk('reserve')}>
            {t('bulk.reserve')}
          </Menu.Item>
          <Menu.Item {...changing} onClick={() => onAsk('monitoring')}>
            {t('bulk.monitoring')}
          </Menu.Item>
          {phone ? (
            <>
              <Menu.Divider />
              <Menu.Item onClick={() => void copy()}>{t('domains:selection.copy')}</Menu.Item>
              <ExportItems menu={Menu} onSave={save} />
            </>
          ) : null}
          <Menu.Divider />
          <Menu.Item color="red" {...managed} onClick={() => onAsk('delete')}>
            {t('bulk.delete')}
          </Menu.Item>
        </>
      )}
    </MenuButton>
  )
}

function Dialogs({
  asking,
  selecting: { selection, count, known, clear },
  collect,
  onClose,
}: {
  asking: Asking
  selecting: Selecting
  collect: Reading['collect']
  onClose: () => void
}) {
  const selectedIds = () => idsOf(selection, collect)
  const onDone = (): void => {
    onClose()
    clear()
  }
  const owners = new Set(known.map(({ ownerId }) => ownerId))
  const [ownerId] = owners
  const about = {
    ...(known.length === count && { domains: known, bound: known.filter(({ trackerType }) => trackerType !== null).length }),
    ...(known.length === count && owners.size === 1 && ownerId !== undefined && { ownerId }),
  }
  return (
    <ErrorBoundary onFail={onClose}>
      <Suspense>
        {asking === 'monitoring' ? (
          <WatchDialog count={count} idsOf={selectedIds} onDone={onDone} onClose={onClose} />
        ) : asking === 'reserve' ? (
          <ReserveDialog count={count} domainIdsOf={selectedIds} onDone={onDone} onClose={onClose} />
        ) : (
          <BulkDialog
            kind={asking}
            count={count}
            about={about}
            targetOf={() => targetOf(selection, collect)}
            onStarted={onDone}
            onClose={onClose}
          />
        )}
      </Suspense>
    </ErrorBoundary>
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
