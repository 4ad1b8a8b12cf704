import { Button } from '@mantine/core'
import { IconCopy, IconPlugConnected } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Registrar, RegistrarNameView } from '#shared/features/registrars/schema.ts'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { BulkBar, bulkBarSpace } from '#client/ui/table/bulk-bar.tsx'
import { useCopy } from '#client/ui/display/copy-button.tsx'
import { DataTable } from '#client/ui/table/data-table.tsx'
import { EmptyState, NoMatch } from '#client/ui/feedback/empty-state.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { FilterBar } from '#client/ui/filter/filter-bar.tsx'
import { FilterSelect } from '#client/ui/filter/filter-select.tsx'
import { PageHeader } from '#client/ui/layout/page-header.tsx'
import { SearchInput } from '#client/ui/filter/search-input.tsx'
import { useColumnLayout } from '#client/ui/table/use-column-layout.ts'
import { useSelection } from '#client/ui/table/use-selection.ts'
import { lateDialog } from '#client/ui/overlay/layer.tsx'
import { ExpiryMark } from '../expiry-mark.tsx'
import { NameCheckbox, SelectAllButton } from '../select-names.tsx'
import { RegistrarTabs } from '../registrar-tabs.tsx'
import { useManagedRegistrars } from '../use-managed-registrars.ts'
import { ServedCell } from './served-cell.tsx'
import { readUnbound, useServersNow, useUnboundNames, type Served, type UnboundFilter } from './queries.ts'
import { useUnboundColumns } from './use-unbound-columns.tsx'
import classes from '../registrars.module.css'

const BindDialog = lateDialog(async () => (await import('./bind-dialog.tsx')).BindDialog)

const entryOf = (name: RegistrarNameView) => [name.id, name] as const

/** Names at registrars that are in no Cloudflare account, with a bulk action to add them (R-BUY-04). */
export function UnboundPage() {
  const { t } = useTranslation('registrars')
  const [filter, setFilter] = useState<UnboundFilter>({ search: '', registrarId: undefined })
  const { search, registrarId } = filter
  const [binding, setBinding] = useState(false)
  const { rows, total, query, onRangeVisible } = useUnboundNames(filter)
  const registrars = useManagedRegistrars(undefined, 'view')
  const { servedOf, onRange } = useServersNow(rows)
  const columns = useUnboundColumns(registrars, servedOf)
  const layout = useColumnLayout('unbound', columns)
  useLiveQueries('registrars')
  const { selected, select, selectAll, clear, table } = useSelection({
    rows,
    entryOf,
    rest: { total, readAll: async () => (await readUnbound(filter)).map(entryOf), failure: t('unbound.failed_load') },
  })
  // Names selected under another filter are no longer visible, so they are deselected.
  const change = (part: Partial<UnboundFilter>): void => {
    if ('registrarId' in part) clear()
    setFilter((before) => ({ ...before, ...part }))
  }
  return (
    <>
      <PageHeader
        title={t('unbound.title')}
        meta={`${total === undefined ? '…' : formatNumber(total)} · ${t('unbound.help')}`}
        pending={total === undefined}
      />
      <RegistrarTabs />
      {query.isError && query.data === undefined ? (
        <ErrorState title={t('unbound.failed_load')} error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <>
          <Filters filter={filter} registrars={registrars ?? []} busy={query.isFetching} onChange={change} />
          <DataTable
            label={t('unbound.title')}
            rowCount={total ?? 0}
            getRow={(index) => rows[index]}
            getRowId={({ id }) => id}
            getRowLabel={({ displayName }) => displayName}
            onRangeVisible={(from, to) => {
              onRange(from, to)
              onRangeVisible(from, to)
            }}
            columns={columns}
            layout={layout}
            loading={query.isPending}
            scrollKey={`${search} ${registrarId ?? ''}`}
            bottomSpace={selected.size > 0 ? bulkBarSpace : 0}
            selection={table}
            renderCard={(row) => (
              <NameCard
                name={row}
                served={servedOf(row)}
                registrar={registrars?.find(({ id }) => id === row.registrarId)}
                selected={selected.has(row.id)}
                onSelect={(value) => select([row], value)}
              />
            )}
            cardHeight={92}
            empty={<NoNames filter={filter} onReset={() => change({ search: '', registrarId: undefined })} />}
          />
          <BulkBar
            count={selected.size}
            label={t('unbound.selected', counted(selected.size))}
            onClear={clear}
            extra={<SelectAllButton selected={selected.size} total={total} onSelectAll={() => void selectAll()} />}
          >
            <CopyNames names={[...selected.values()]} />
            <Button size="xs" leftSection={<IconPlugConnected size={15} stroke={1.8} aria-hidden />} onClick={() => setBinding(true)}>
              {t('unbound.bind')}
            </Button>
          </BulkBar>
        </>
      )}
      {binding ? <BindDialog names={[...selected.values()]} onStarted={clear} onClose={() => setBinding(false)} /> : null}
    </>
  )
}

function Filters({
  filter: { search, registrarId },
  registrars,
  busy,
  onChange,
}: {
  filter: UnboundFilter
  registrars: readonly Registrar[]
  busy: boolean
  onChange: (part: Partial<UnboundFilter>) => void
}) {
  const { t } = useTranslation('registrars')
  const asked = registrars.filter(({ type }) => type === 'API_ENABLED')
  return (
    <FilterBar
      search={<SearchInput label={t('unbound.search')} value={search} onChange={(text) => onChange({ search: text })} busy={busy} />}
      active={Number(registrarId !== undefined)}
      onReset={() => onChange({ registrarId: undefined })}
    >
      {asked.length < 2 ? undefined : (
        <FilterSelect
          label={t('unbound.column.registrar')}
          options={asked.map(({ id, name }) => ({ value: id, label: name }))}
          values={registrarId === undefined ? [] : [registrarId]}
          onChange={([next]) => onChange({ registrarId: next })}
        />
      )}
    </FilterBar>
  )
}

function NoNames({ filter: { search, registrarId }, onReset }: { filter: UnboundFilter; onReset: () => void }) {
  const { t } = useTranslation('registrars')
  return search === '' && registrarId === undefined ? (
    <EmptyState
      picture="empty"
      title={t('unbound.empty_title')}
      text={t('unbound.empty_text')}
      action={
        <Button variant="default" renderRoot={(props) => <Link to="/register-domains" {...props} />}>
          {t('buy')}
        </Button>
      }
    />
  ) : (
    <NoMatch text={registrarId === undefined ? t('unbound.none_text', { search }) : undefined} onReset={onReset} />
  )
}

function CopyNames({ names }: { names: readonly RegistrarNameView[] }) {
  const { t } = useTranslation('registrars')
  const { copy } = useCopy()
  return (
    <Button
      variant="subtle"
      color="gray"
      size="xs"
      leftSection={<IconCopy size={15} stroke={1.8} aria-hidden />}
      onClick={() =>
        void copy(names.map(({ displayName }) => displayName).join('\n')).then((done) => done && toast.success(t('unbound.copied')))
      }
    >
      {t('unbound.copy')}
    </Button>
  )
}

function NameCard({
  name: { displayName, expiresAt, autoRenew },
  served,
  registrar,
  selected,
  onSelect,
}: {
  name: RegistrarNameView
  served: Served
  registrar: Registrar | undefined
  selected: boolean
  onSelect: (selected: boolean) => void
}) {
  const { t } = useTranslation('registrars')
  return (
    <div className={`grid middle size-13 ${classes['nameCard']}`}>
      <NameCheckbox name={displayName} selected={selected} onSelect={onSelect} />
      <bdi className={`${classes['grow']} ${classes['muted']}`}>
        {[registrar?.name, autoRenew === null ? undefined : t(autoRenew ? 'names.auto_renew' : 'names.no_renew')]
          .filter(Boolean)
          .join(' · ')}
      </bdi>
      <ExpiryMark expiresAt={expiresAt} />
      <div className={classes['wide']}>
        <ServedCell served={served} />
      </div>
    </div>
  )
}
