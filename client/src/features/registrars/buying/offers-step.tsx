import { Button, Checkbox, NativeSelect } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { counted, formatMoney } from '#client/lib/format.ts'
import { ColumnsMenu } from '#client/ui/table/columns-menu.tsx'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import { DataTable } from '#client/ui/table/data-table.tsx'
import type { DataColumn, Sort, TableSelection } from '#client/ui/table/data-table.types.ts'
import { EmptyState } from '#client/ui/feedback/empty-state.tsx'
import { FilterBar } from '#client/ui/filter/filter-bar.tsx'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { SearchInput } from '#client/ui/filter/search-input.tsx'
import type { Tone } from '#client/ui/display/state-badge.tsx'
import { Tile, Tiles } from '#client/ui/chart/tile.tsx'
import { useColumnLayout } from '#client/ui/table/use-column-layout.ts'
import { usePhone } from '#client/ui/layout/use-media.ts'
import { CheckProgress } from './check-progress.tsx'
import { startCheck, type Check } from './check-store.ts'
import { changeDraft, draft } from './draft.ts'
import { filterOf, filterRows } from './filter-rows.ts'
import { rowFilters, type RowFilter } from './search.ts'
import { OfferCell } from './offer-cell.tsx'
import { isIncluded, currentOffer, type Choices, type OfferRow, type Priced } from './offers.ts'
import type { Rows } from './use-rows.ts'
import classes from './buying.module.css'

const tones: Record<Exclude<RowFilter, 'all'>, Tone> = { available: 'good', premium: 'warn', taken: 'idle', unknown: 'bad' }

/** Available names with their prices; the cheapest offer of each is preselected. */
export function OffersStep({
  asked,
  registrars,
  rows: { rows, taken, sums },
  show,
  onShow,
  onNext,
}: {
  asked: Check
  /** The checked registrars, in order. */
  registrars: readonly Registrar[]
  rows: Rows
  show: RowFilter
  onShow: (show: RowFilter) => void
  onNext: () => void
}) {
  const { t } = useTranslation('buying')
  const phone = usePhone()
  const { choices } = draft.use()
  const [text, setText] = useState('')
  const [sort, setSort] = useState<Sort>()
  const shown = useMemo(() => filterRows(rows, { show, text, sort, choices }), [rows, show, text, sort, choices])

  const { include, choose, selection, premium, leavePremium } = useChoices(shown)
  const columns = useOfferColumns(asked, registrars, choices, (row, registrar, offer) => choose(row, registrar, offer, false))
  const layout = useColumnLayout('offers', columns)
  const age = <Age asked={asked} registrars={registrars} />

  return (
    <>
      <CheckProgress asked={asked} registrars={registrars} />
      <StateTiles rows={rows} show={show} onShow={onShow} />
      <FilterBar
        search={<SearchInput label={t('offers.search')} value={text} onChange={setText} />}
        active={0}
        onReset={() => setText('')}
        {...(!phone && {
          tools: (
            <>
              {age}
              <ColumnsMenu columns={columns} layout={layout} />
            </>
          ),
        })}
      />
      {phone ? <div className={`row gap-12 between mb-12 ${classes['age']}`}>{age}</div> : null}
      <DataTable
        label={t('offers.label')}
        rowCount={shown.length}
        getRow={(index) => shown[index]}
        getRowId={({ name }) => name}
        getRowLabel={({ displayName }) => displayName}
        columns={columns}
        layout={layout}
        selection={selection}
        sort={sort}
        onSort={setSort}
        scrollKey={`${show} ${text} ${sort?.key ?? ''} ${sort?.direction ?? ''}`}
        renderCard={(row) => (
          <OfferCard
            row={row}
            asked={asked}
            registrars={registrars}
            choices={choices}
            onInclude={(on) => include([row], on)}
            onChoose={(registrar, offer) => choose(row, registrar, offer, false)}
          />
        )}
        cardHeight={64 + registrars.length * 34}
        empty={
          <EmptyState
            picture="search"
            title={t('offers.none')}
            action={
              <Button variant="default" onClick={() => onShow('all')}>
                {t('offers.show_all')}
              </Button>
            }
          />
        }
      />
      <Foot taken={taken} sums={sums} onNext={onNext} />
      {premium === null ? null : (
        <PremiumDialog {...premium} onAgree={() => choose(premium.row, premium.registrar, premium.offer, true)} onClose={leavePremium} />
      )}
    </>
  )
}

type Premium = { row: OfferRow; registrar: Registrar; offer: Priced }

/** The selected offers; a premium one requires accepting its price. */
function useChoices(shown: readonly OfferRow[]) {
  const { choices } = draft.use()
  const [premium, setPremium] = useState<Premium | null>(null)
  const decide = (next: (before: Choices) => Choices): void => draft.set((before) => ({ ...before, choices: next(before.choices) }))
  const include = (some: readonly OfferRow[], on: boolean): void =>
    decide((before) => ({ ...before, included: new Map([...before.included, ...some.map(({ name }) => [name, on] as const)]) }))
  const choose = (row: OfferRow, registrar: Registrar, offer: Priced, agreed: boolean): void => {
    if (offer.premium && !agreed) return setPremium({ row, registrar, offer })
    decide((before) => ({
      ...before,
      included: new Map(before.included).set(row.name, true),
      picks: new Map(before.picks).set(row.name, { registrarId: registrar.id, agreed: offer.premium ? offer.price : null }),
    }))
  }
  const isBought = (row: OfferRow): boolean => isIncluded(row.name, choices) && currentOffer(row, choices) !== null
  const buyable = shown.filter((row) => currentOffer(row, choices) !== null)
  const bought = buyable.filter(isBought).length
  const selection: TableSelection<OfferRow> = {
    isSelected: isBought,
    all: bought === 0 ? 'none' : bought === buyable.length ? 'all' : 'some',
    onToggleAll: (on) => include(buyable, on),
    onToggle: (row, on) => include([row], on),
    onRange: (from, to, on) => include(shown.slice(Math.min(from, to), Math.max(from, to) + 1), on),
  }
  return { include, choose, selection, premium, leavePremium: (): void => setPremium(null) }
}

/** The term, the age of the results, and a refresh. */
function Age({ asked, registrars }: { asked: Check; registrars: readonly Registrar[] }) {
  const { t } = useTranslation('buying')
  const { years } = draft.use()
  const running = [...asked.byRegistrar.values()].some(({ state }) => state === 'running')
  return (
    <>
      <NativeSelect
        w={100}
        aria-label={t('term.label')}
        value={String(years)}
        onChange={(event) => changeDraft({ years: Number(event.currentTarget.value) })}
        data={Array.from({ length: 10 }, (_, index) => {
          const count = index + 1
          return { value: String(count), label: t('term.years', counted(count)) }
        })}
      />
      <span className={classes['quiet']}>
        {running ? t('offers.asking') : t('offers.asked')}{' '}
        {running ? null : <RelativeTime at={new Date(asked.startedAtMs).toISOString()} />}
      </span>
      <Button
        variant="default"
        disabled={running}
        leftSection={<IconRefresh size={15} stroke={1.8} aria-hidden />}
        onClick={() => startCheck(asked.names, registrars)}
      >
        {t('offers.again')}
      </Button>
    </>
  )
}

function StateTiles({ rows, show, onShow }: { rows: readonly OfferRow[]; show: RowFilter; onShow: (show: RowFilter) => void }) {
  const { t } = useTranslation('buying')
  const counts = useMemo(() => {
    const all: Record<RowFilter, number> = { all: rows.length, available: 0, premium: 0, taken: 0, unknown: 0 }
    for (const row of rows) {
      const state = filterOf(row)
      if (state !== null) all[state] += 1
    }
    return all
  }, [rows])
  return (
    <div className="fixed mb-12">
      <Tiles label={t('show.label')}>
        {rowFilters.map((each) => (
          <Tile
            key={each}
            label={t(`show.${each}`)}
            value={counts[each]}
            {...(each !== 'all' && { tone: tones[each] })}
            pressed={show === each}
            onPress={() => onShow(show === each ? 'all' : each)}
          />
        ))}
      </Tiles>
    </div>
  )
}

function Foot({ taken, sums, onNext }: Pick<Rows, 'taken' | 'sums'> & { onNext: () => void }) {
  const { t } = useTranslation('buying')
  const money = sums.map(({ total }) => total)
  const totals = [...new Set(money.map(({ currency }) => currency))].map((currency) =>
    formatMoney({ currency, minor: money.reduce((sum, each) => sum + (each.currency === currency ? each.minor : 0), 0) }),
  )
  return (
    <div className={`row between ${classes['foot']}`}>
      <span role="status" className="flex wrap baseline shrink size-13 numeric gap-2-12">
        <strong className="semibold">{t('offers.chosen', counted(taken.length))}</strong>
        {totals.length === 0 ? null : <span className="secondary">{totals.join(' + ')}</span>}
      </span>
      <Button disabled={taken.length === 0} onClick={onNext}>
        {t('offers.next')}
      </Button>
    </div>
  )
}

function PremiumDialog({ row, registrar, offer, onAgree, onClose }: Premium & { onAgree: () => void; onClose: () => void }) {
  const { t } = useTranslation('buying')
  return (
    <ConfirmDialog
      title={t('premium.title', { name: row.displayName })}
      consequence={
        <>
          <p>{t('premium.text', { price: formatMoney(offer.price), registrar: registrar.name })}</p>
          <p>{offer.renewal === null ? t('premium.renewal_unknown') : t('premium.renewal', { price: formatMoney(offer.renewal) })}</p>
        </>
      }
      action={t('premium.agree')}
      count={1}
      onConfirm={async () => onAgree()}
      onClose={onClose}
    />
  )
}

function useOfferColumns(
  asked: Check,
  registrars: readonly Registrar[],
  choices: Choices,
  onChoose: (row: OfferRow, registrar: Registrar, offer: Priced) => void,
): readonly DataColumn<OfferRow>[] {
  const { t } = useTranslation('buying')
  return [
    {
      id: 'name',
      title: t('offers.name'),
      width: 200,
      minWidth: 160,
      grow: true,
      hideable: false,
      sortKey: 'name',
      cell: ({ displayName }) => (
        <bdi className={`cut shrink ${classes['clip']} mono`} title={displayName}>
          {displayName}
        </bdi>
      ),
    },
    ...registrars.map((registrar): DataColumn<OfferRow> => ({
      id: registrar.id,
      title: registrar.name,
      width: 186,
      minWidth: 120,
      align: 'end',
      sortKey: registrar.id,
      cell: (row) => (
        <OfferCell
          offer={row.offers.get(registrar.id)}
          check={asked.byRegistrar.get(registrar.id)}
          registrar={registrar}
          selected={currentOffer(row, choices)?.registrarId === registrar.id}
          onChoose={(offer) => onChoose(row, registrar, offer)}
        />
      ),
    })),
    {
      id: 'renewal',
      title: t('offers.renewal'),
      width: 120,
      align: 'end',
      sortKey: 'renewal',
      cell: (row) => {
        const renewal = currentOffer(row, choices)?.offer.renewal ?? null
        return renewal === null ? null : <span className={classes['quiet']}>{formatMoney(renewal)}</span>
      },
    },
  ]
}

function OfferCard({
  row,
  asked,
  registrars,
  choices,
  onInclude,
  onChoose,
}: {
  row: OfferRow
  asked: Check
  registrars: readonly Registrar[]
  choices: Choices
  onInclude: (on: boolean) => void
  onChoose: (registrar: Registrar, offer: Priced) => void
}) {
  const stands = currentOffer(row, choices)
  return (
    <div className={`column gap-8 shrink ${classes['card']}`}>
      <Checkbox
        size="sm"
        disabled={stands === null}
        checked={stands !== null && isIncluded(row.name, choices)}
        onChange={(event) => onInclude(event.currentTarget.checked)}
        label={<bdi className="mono">{row.displayName}</bdi>}
      />
      <ul>
        {registrars.map((registrar) => (
          <li key={registrar.id}>
            <bdi className={`cut shrink ${classes['clip']}`}>{registrar.name}</bdi>
            <OfferCell
              offer={row.offers.get(registrar.id)}
              check={asked.byRegistrar.get(registrar.id)}
              registrar={registrar}
              selected={stands?.registrarId === registrar.id}
              onChoose={(offer) => onChoose(registrar, offer)}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}
