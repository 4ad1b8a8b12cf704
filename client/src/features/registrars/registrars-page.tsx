import { Button, SegmentedControl } from '@mantine/core'
import { IconLayoutGrid, IconList, IconPlus, IconShoppingCart } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type ReactNode, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LeaveDialog, ShareDialog } from '#client/features/sharing/index.ts'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { formatNumber } from '#client/lib/format.ts'
import { ownersOf } from '#client/lib/ownership.ts'
import { refresh } from '#client/lib/query-client.ts'
import { quickAdd } from '#client/lib/quick-add.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { CardGrid } from '#client/ui/card-grid.tsx'
import { DataTable } from '#client/ui/data-table.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { ErrorState } from '#client/ui/error-state.tsx'
import { FilterBar } from '#client/ui/filter-bar.tsx'
import { HeaderButton } from '#client/ui/header-button.tsx'
import { OwnershipFilters } from '#client/ui/ownership-filters.tsx'
import { PageHeader } from '#client/ui/page-header.tsx'
import { SearchInput } from '#client/ui/search-input.tsx'
import { useColumnLayout } from '#client/ui/use-column-layout.ts'
import { usePhone } from '#client/ui/use-media.ts'
import { byName, chooseRegistrars } from './choose-registrars.ts'
import { DisappearanceBanner } from './disappearance-banner.tsx'
import { DeleteRegistrarDialog } from './delete-registrar-dialog.tsx'
import { NoRegistrars } from './no-registrars.tsx'
import { RegistrarCard, registrarCardHeight } from './registrar-card.tsx'
import { RegistrarCheckDialog } from './registrar-check-dialog.tsx'
import { RegistrarDetailsDialog } from './registrar-details-dialog.tsx'
import { RegistrarDialog } from './registrar-dialog.tsx'
import { RegistrarMenu, type RegistrarAction } from './registrar-menu.tsx'
import { RegistrarNamesDialog } from './registrar-names-dialog.tsx'
import { RegistrarTabs } from './registrar-tabs.tsx'
import { parseRegistrarsSearch, registrarsView, type RegistrarsSearch } from './search.ts'
import { useRegistrarColumns } from './use-registrar-columns.tsx'

const route = getRouteApi('/_app/registrars/')
const noOwnership = { owner: undefined, whose: undefined }

/** Where domains are bought, as cards or as a list (R-REG-03). */
export function RegistrarsPage() {
  const { t } = useTranslation(['registrars', 'common'])
  // Once more: the router keeps what the first reading did not understand.
  const search = parseRegistrarsSearch(route.useSearch())
  const { q = '', owner, whose } = search
  const navigate = route.useNavigate()
  const phone = usePhone()
  const view = registrarsView.use()
  const list = trpc.registrars.list.useQuery({})
  const [sort, setSort] = useState(byName)
  const [dialog, setDialog] = useState<{ kind: RegistrarAction; id: string } | null>(null)
  const sync = trpc.registrars.sync.useMutation({
    meta: { failure: t('failed.sync') },
    onSuccess: () => {
      void refresh('registrars')
      toast.info(t('done.sync'))
    },
  })
  useLiveQueries('registrars')

  const all = list.data?.registrars
  const asList = view === 'list' && !phone
  const rows = useMemo(() => chooseRegistrars(all ?? [], { q, owner, whose }, asList ? sort : byName), [all, q, owner, whose, asList, sort])
  const owners = useMemo(() => ownersOf(all ?? []), [all])
  const withOwner = owners.length > 1
  const filters = Number(owner !== undefined) + Number(whose !== undefined)
  const columns = useRegistrarColumns(withOwner)
  const layout = useColumnLayout('registrars', columns)
  const registrar = all?.find(({ id }) => id === dialog?.id)
  const close = (): void => setDialog(null)
  const change = (part: { [K in keyof RegistrarsSearch]: RegistrarsSearch[K] | undefined }): void =>
    void navigate({ replace: true, search: (before) => parseRegistrarsSearch({ ...before, ...part }) })
  const act = ({ id }: Registrar, kind: RegistrarAction): void => {
    if (kind === 'sync') sync.mutate({ id })
    else setDialog({ kind, id })
  }

  const card = (row: Registrar) => (
    <RegistrarCard registrar={row} owner={withOwner ? row.ownerName : null} onAction={(kind) => act(row, kind)} />
  )
  const listed = {
    label: t('title'),
    rowCount: rows.length,
    getRow: (index: number) => rows[index],
    renderCard: card,
    cardHeight: registrarCardHeight,
    loading: list.isPending,
    scrollKey: `${q} ${owner ?? ''} ${whose ?? ''}`,
    empty: (
      <EmptyState
        picture="search"
        title={t('no_match.title')}
        text={filters > 0 ? t('common:filters.not_theirs') : t('no_match.text', { search: q })}
        action={
          <Button variant="default" onClick={() => change({ q: undefined, ...noOwnership })}>
            {t('no_match.action')}
          </Button>
        }
      />
    ),
  }

  const untouched = all?.length === 0
  return (
    <>
      <PageHeader
        title={t('title')}
        meta={all === undefined || untouched ? undefined : formatNumber(all.length)}
        actions={
          untouched ? undefined : (
            <>
              {all?.some(({ type, shared }) => type === 'API_ENABLED' && shared === null) === true ? (
                <HeaderButton icon={IconShoppingCart} words={t('buy')} renderRoot={(props) => <Link to="/register-domains" {...props} />} />
              ) : null}
              <HeaderButton main icon={IconPlus} words={t('add')} onClick={() => quickAdd.set('registrar')} />
            </>
          )
        }
      />
      {untouched ? null : <RegistrarTabs />}
      <DisappearanceBanner registrars={all ?? []} />
      {list.isError && all === undefined ? (
        <ErrorState title={t('failed.load')} error={list.error} onRetry={() => void list.refetch()} />
      ) : untouched ? (
        <NoRegistrars title={t('empty.title')} text={t('empty.text')} action={t('empty.action')} />
      ) : (
        <>
          <FilterBar
            search={<SearchInput label={t('search')} value={q} onChange={(text) => change({ q: text })} />}
            active={filters}
            onReset={() => change(noOwnership)}
            tools={
              phone ? undefined : (
                <SegmentedControl
                  aria-label={t('view.label')}
                  value={asList ? 'list' : 'cards'}
                  onChange={(next) => registrarsView.set(next)}
                  data={[
                    {
                      value: 'cards',
                      label: <ViewLabel icon={<IconLayoutGrid size={15} stroke={1.7} aria-hidden />} words={t('view.cards')} />,
                    },
                    { value: 'list', label: <ViewLabel icon={<IconList size={15} stroke={1.7} aria-hidden />} words={t('view.list')} /> },
                  ]}
                />
              )
            }
          >
            {withOwner || filters > 0 ? (
              <OwnershipFilters
                search={search}
                owners={owners}
                shared={all?.some(({ shared }) => shared !== null) === true}
                onChange={change}
              />
            ) : undefined}
          </FilterBar>
          {asList ? (
            <DataTable
              {...listed}
              getRowId={({ id }) => id}
              getRowLabel={({ name }) => name}
              columns={columns}
              layout={layout}
              sort={sort}
              onSort={setSort}
              onOpen={(row) => act(row, 'details')}
              rowActions={(row) => <RegistrarMenu registrar={row} onAction={(kind) => act(row, kind)} />}
            />
          ) : (
            <CardGrid {...listed} minWidth={280} />
          )}
        </>
      )}
      {registrar === undefined || dialog === null ? null : dialog.kind === 'edit' ? (
        <RegistrarDialog registrar={registrar} onClose={close} />
      ) : dialog.kind === 'delete' ? (
        <DeleteRegistrarDialog registrar={registrar} onClose={close} />
      ) : dialog.kind === 'names' ? (
        <RegistrarNamesDialog registrar={registrar} onClose={close} />
      ) : dialog.kind === 'check' ? (
        <RegistrarCheckDialog registrar={registrar} onEdit={() => setDialog({ kind: 'edit', id: registrar.id })} onClose={close} />
      ) : dialog.kind === 'share' ? (
        <Suspense>
          <ShareDialog thing={{ registrarId: registrar.id }} name={registrar.name} domains={0} onClose={close} />
        </Suspense>
      ) : dialog.kind === 'leave' ? (
        registrar.shared === null ? null : (
          <Suspense>
            <LeaveDialog
              thing={{ registrarId: registrar.id }}
              name={registrar.name}
              shared={registrar.shared}
              domains={0}
              onClose={close}
            />
          </Suspense>
        )
      ) : (
        <RegistrarDetailsDialog registrar={registrar} onClose={close} />
      )}
    </>
  )
}

function ViewLabel({ icon, words }: { icon: ReactNode; words: string }) {
  return (
    <span className="row" title={words}>
      {icon}
      <span className="sr-only">{words}</span>
    </span>
  )
}
