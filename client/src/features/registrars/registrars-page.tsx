import { Button } from '@mantine/core'
import { IconPlus, IconShoppingCart } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SharingDialog, useManyLock } from '#client/features/sharing/index.ts'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import type { SearchPart } from '#client/lib/search-params.ts'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { counted } from '#client/lib/format.ts'
import { noOwnership } from '#client/lib/ownership.ts'
import { refresh } from '#client/lib/query-client.ts'
import { quickAdd } from '#client/lib/quick-add.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { EntityListPage } from '#client/ui/layout/entity-list-page.tsx'
import { HeaderButton } from '#client/ui/layout/header-button.tsx'
import { useOwnershipFilters } from '#client/ui/filter/ownership-filters.tsx'
import { useColumnLayout } from '#client/ui/table/use-column-layout.ts'
import { usePhone } from '#client/ui/layout/use-media.ts'
import { useSelection, wholeRow } from '#client/ui/table/use-selection.ts'
import { ViewSwitch } from '#client/ui/filter/view-switch.tsx'
import { lateDialog } from '#client/ui/overlay/layer.tsx'
import { byName, chooseRegistrars } from './choose-registrars.ts'
import { DisappearanceBanner } from './disappearance-banner.tsx'
import { NoRegistrars } from './no-registrars.tsx'
import { RegistrarCard, registrarCardHeight } from './registrar-card.tsx'
import { RegistrarMenu, type RegistrarAction } from './registrar-menu.tsx'
import { RegistrarTabs } from './registrar-tabs.tsx'
import { parseRegistrarsSearch, registrarsView, type RegistrarsSearch } from './search.ts'
import { useRegistrarColumns } from './use-registrar-columns.tsx'

const DeleteRegistrarsDialog = lateDialog(async () => (await import('./delete-registrars-dialog.tsx')).DeleteRegistrarsDialog)
const RegistrarCheckDialog = lateDialog(async () => (await import('./registrar-check-dialog.tsx')).RegistrarCheckDialog)
const RegistrarDetailsDialog = lateDialog(async () => (await import('./registrar-details-dialog.tsx')).RegistrarDetailsDialog)
const RegistrarDialog = lateDialog(async () => (await import('./registrar-dialog.tsx')).RegistrarDialog)
const RegistrarNamesDialog = lateDialog(async () => (await import('./registrar-names-dialog.tsx')).RegistrarNamesDialog)

const route = getRouteApi('/_app/registrars/')
type DialogAction = Exclude<RegistrarAction, 'delete' | 'sync'>

/** Registrars, as cards or as a list (R-REG-03). */
export function RegistrarsPage() {
  const { t } = useTranslation(['registrars', 'common'])
  // Parsed again, because the router keeps unknown parameters of the first parse.
  const search = parseRegistrarsSearch(route.useSearch())
  const { q = '', owner, whose } = search
  const navigate = route.useNavigate()
  const phone = usePhone()
  const view = registrarsView.use()
  const list = trpc.registrars.list.useQuery({})
  const [sort, setSort] = useState(byName)
  const { act, dialog, setDialog, deleting, setDeleting } = useRegistrarActions()
  useLiveQueries('registrars')

  const all = list.data?.registrars
  const asList = view === 'list' && !phone
  const rows = useMemo(() => chooseRegistrars(all ?? [], { q, owner, whose }, asList ? sort : byName), [all, q, owner, whose, asList, sort])
  const { selectedRows, clear, table: selection } = useSelection({ rows, entryOf: wholeRow })
  const change = (part: SearchPart<RegistrarsSearch>): void =>
    void navigate({ replace: true, search: (before) => parseRegistrarsSearch({ ...before, ...part }) })
  const { withOwner, ...ownership } = useOwnershipFilters(all, search, change)
  const columns = useRegistrarColumns(withOwner)
  const layout = useColumnLayout('registrars', columns)
  const doomed = (all ?? []).filter(({ id }) => deleting.has(id))
  const registrar = all?.find(({ id }) => id === dialog?.id)
  const bulk = useBulk(asList ? selectedRows : [], clear, (allowed) => setDeleting(new Set(allowed.map(({ id }) => id))))
  const card = (row: Registrar) => (
    <RegistrarCard registrar={row} owner={withOwner ? row.ownerName : null} onAction={(kind) => act(row, kind)} />
  )
  const untouched = all?.length === 0
  return (
    <EntityListPage
      title={t('title')}
      count={all?.length}
      actions={<Actions registrars={all} />}
      above={
        <>
          {untouched ? null : <RegistrarTabs />}
          <DisappearanceBanner registrars={all ?? []} />
        </>
      }
      list={list}
      failed={t('failed.load')}
      untouched={untouched ? <NoRegistrars title={t('empty.title')} text={t('empty.text')} action={t('empty.action')} /> : null}
      rows={rows}
      filter={{
        label: t('search'),
        text: q,
        onText: (text) => change({ q: text }),
        ...ownership.filter,
        tools: phone ? undefined : <ViewSwitch value={asList ? 'list' : 'cards'} onChange={registrarsView.set} />,
      }}
      noMatch={{
        text: ownership.filter.active > 0 ? t('common:filters.not_theirs') : t('no_match.text', { search: q }),
        onReset: () => change({ q: undefined, ...noOwnership }),
      }}
      table={
        asList
          ? {
              getRowId: ({ id }) => id,
              getRowLabel: ({ name }) => name,
              columns,
              layout,
              sort,
              onSort: setSort,
              selection,
              onOpen: (row) => act(row, 'details'),
              rowActions: (row) => <RegistrarMenu registrar={row} onAction={(kind) => act(row, kind)} />,
            }
          : undefined
      }
      card={card}
      cardHeight={registrarCardHeight}
      cardWidth={280}
      scrollKey={`${q} ${owner ?? ''} ${whose ?? ''}`}
      bulk={bulk}
    >
      {doomed.length === 0 ? null : <DeleteRegistrarsDialog registrars={doomed} onDone={clear} onClose={() => setDeleting(new Set())} />}
      {registrar === undefined || dialog === null ? null : (
        <RegistrarActionDialog
          kind={dialog.kind}
          registrar={registrar}
          onEdit={() => setDialog({ kind: 'edit', id: registrar.id })}
          onClose={() => setDialog(null)}
        />
      )}
    </EntityListPage>
  )
}

/** The actions on registrars, most of them in a dialog. */
function useRegistrarActions() {
  const { t } = useTranslation('registrars')
  const [dialog, setDialog] = useState<{ kind: DialogAction; id: string } | null>(null)
  const [deleting, setDeleting] = useState<ReadonlySet<string>>(new Set())
  const sync = trpc.registrars.sync.useMutation({
    meta: { failure: t('failed.sync') },
    onSuccess: () => {
      void refresh('registrars')
      toast.info(t('done.sync'))
    },
  })
  const act = ({ id }: Registrar, kind: RegistrarAction): void => {
    if (kind === 'sync') sync.mutate({ id })
    else if (kind === 'delete') setDeleting(new Set([id]))
    else setDialog({ kind, id })
  }
  return { act, dialog, setDialog, deleting, setDeleting }
}

function Actions({ registrars }: { registrars: readonly Registrar[] | undefined }) {
  const { t } = useTranslation('registrars')
  return (
    <>
      {registrars?.some(({ type, shared }) => type === 'API_ENABLED' && shared === null) === true ? (
        <HeaderButton icon={IconShoppingCart} words={t('buy')} renderRoot={(props) => <Link to="/register-domains" {...props} />} />
      ) : null}
      <HeaderButton main icon={IconPlus} words={t('add')} onClick={() => quickAdd.set('registrar')} />
    </>
  )
}

/** The bulk actions on the selected registrars. */
function useBulk(selectedRows: readonly Registrar[], onClear: () => void, onDelete: (allowed: readonly Registrar[]) => void) {
  const { t } = useTranslation('registrars')
  const own = useManyLock(selectedRows)('own')
  return {
    count: selectedRows.length,
    label: t('selected', counted(selectedRows.length)),
    onClear,
    actions: (
      <Button
        variant="light"
        color="red"
        size="xs"
        disabled={own.lock !== null}
        title={own.lock ?? own.note ?? undefined}
        onClick={() => onDelete(own.allowed)}
      >
        {t('actions.delete')}
      </Button>
    ),
  }
}

function RegistrarActionDialog({
  kind,
  registrar,
  onEdit,
  onClose,
}: {
  kind: DialogAction
  registrar: Registrar
  onEdit: () => void
  onClose: () => void
}) {
  return kind === 'edit' ? (
    <RegistrarDialog registrar={registrar} onClose={onClose} />
  ) : kind === 'names' ? (
    <RegistrarNamesDialog registrar={registrar} onClose={onClose} />
  ) : kind === 'check' ? (
    <RegistrarCheckDialog registrar={registrar} onEdit={onEdit} onClose={onClose} />
  ) : kind === 'share' || kind === 'leave' ? (
    <SharingDialog
      kind={kind}
      target={{ registrarId: registrar.id }}
      name={registrar.name}
      shared={registrar.shared}
      domains={0}
      onClose={onClose}
    />
  ) : (
    <RegistrarDetailsDialog registrar={registrar} onClose={onClose} />
  )
}
