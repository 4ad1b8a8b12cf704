import { keepPreviousData } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { localeOf } from '#shared/i18n/languages.ts'
import { counted, formatNumber, formatShort } from '#client/lib/format.ts'
import { language } from '#client/lib/i18n.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { ChartTable } from '#client/ui/chart/chart.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { Tile, Tiles } from '#client/ui/chart/tile.tsx'
import { timeZone, type ActivitySearch } from './search.ts'
import type { ActivityWords } from './use-activity-words.ts'
import { dayOf, windowDays, type WindowName } from './days.ts'
import classes from './activity.module.css'

type Stats = Outputs['activity']['stats']
type Change = (part: Partial<Record<keyof ActivitySearch, string | undefined>>) => void

const statsInput = (search: ActivitySearch) => ({
  timeZone,
  weekStart: localeOf[language()].firstDayOfWeek === 0 ? ('sunday' as const) : ('monday' as const),
  ...(search.owner !== undefined && { ownerId: search.owner }),
})

const windowNames = ['today', 'week', 'month', 'total'] as const satisfies readonly WindowName[]
/** More than this would be unreadable. */
const shownAtMost = 5

/** Statistics of the log as tiles and charts that filter the list below. */
export function ActivityStats({ search, words, onChange }: { search: ActivitySearch; words: ActivityWords; onChange: Change }) {
  const { t } = useTranslation('activity')
  const stats = trpc.activity.stats.useQuery(statsInput(search), { placeholderData: keepPreviousData, staleTime: 10_000 })
  if (stats.error !== null && stats.data === undefined) {
    return <ErrorState title={t('stats_failed')} error={stats.error} onRetry={() => void stats.refetch()} />
  }
  return (
    <>
      <Tiles label={t('windows.label')}>
        {windowNames.map((name) => {
          const days = windowDays(name)
          const pressed = search.from === days.from && search.to === days.to
          return (
            <Tile
              key={name}
              label={t(`windows.${name}`)}
              value={stats.data?.windows[name]}
              pressed={pressed}
              onPress={() => onChange(pressed ? { from: undefined, to: undefined } : days)}
            />
          )
        })}
      </Tiles>
      <section className={`grid gap-8 ${classes['charts']}`} aria-label={t('charts.label')} aria-busy={stats.isPending || undefined}>
        <div className={`column gap-8 shrink border radius-8 on-surface ${classes['chart']}`}>
          <h2>{t('charts.days')}</h2>
          {stats.data === undefined ? (
            <Skeleton width="100%" height={104} />
          ) : (
            <Days stats={stats.data} search={search} onChange={onChange} />
          )}
        </div>
        <div className={`column gap-8 shrink border radius-8 on-surface ${classes['chart']}`}>
          <h2>{t('charts.actions')}</h2>
          <Bars
            rows={stats.data?.actions.map(({ action, count }) => ({
              value: action,
              label: words.action(action),
              count,
              bad: action === 'denied',
            }))}
            selected={search.action}
            onChoose={(action) => onChange({ action })}
          />
        </div>
        <div className={`column gap-8 shrink border radius-8 on-surface ${classes['chart']}`}>
          <h2>{t('charts.entities')}</h2>
          <Bars
            rows={stats.data?.entities.map(({ entityType, count }) => ({
              value: entityType,
              label: words.entity(entityType),
              count,
              bad: false,
            }))}
            selected={search.entity}
            onChoose={(entity) => onChange({ entity })}
          />
        </div>
      </section>
    </>
  )
}

/** One column per day with its figure above it; denied calls are the red base. */
function Days({ stats: { days }, search, onChange }: { stats: Stats; search: ActivitySearch; onChange: Change }) {
  const { t } = useTranslation('activity')
  const most = Math.max(1, ...days.map(({ count }) => count))
  const share = (count: number): string => `${count === 0 ? 0 : Math.max(2, (count / most) * 100)}%`
  const weekday = new Intl.DateTimeFormat(localeOf[language()].locale, { weekday: 'short', timeZone: 'UTC' })
  const day = new Intl.DateTimeFormat(localeOf[language()].locale, { day: 'numeric', month: 'long', timeZone: 'UTC' })
  return (
    <>
      <div className={`grid gap-4 ${classes['days']}`}>
        {days.map(({ date, count, denied }) => {
          const pressed = search.from === date && search.to === date
          const name = day.format(new Date(date))
          const refused = denied === 0 ? '' : `, ${t('charts.denied_of', counted(denied))}`
          return (
            <button
              key={date}
              type="button"
              className={classes['day']}
              aria-pressed={pressed}
              title={`${name}: ${formatNumber(count)}${refused}`}
              onClick={() => onChange(pressed ? { from: undefined, to: undefined } : { from: date, to: date })}
            >
              <span className="sr-only">{t('charts.show_day', { day: name, formatted: formatNumber(count) })}</span>
              <span className={`medium primary numeric ${classes['figure']}`} data-none={count === 0 || undefined} aria-hidden>
                {formatShort(count)}
              </span>
              <span className={classes['column']}>
                <span className={`column end full clip ${classes['bar']}`} style={{ height: share(count) }}>
                  {denied === 0 ? null : (
                    <span className={classes['denied']} style={{ height: `${Math.max(4, (denied / count) * 100)}%` }} />
                  )}
                </span>
              </span>
              <span className={`within clip nowrap ${classes['weekday']}`} data-today={date === dayOf(0) || undefined} aria-hidden>
                {weekday.format(new Date(date))}
              </span>
            </button>
          )
        })}
      </div>
      <ChartTable
        caption={t('charts.days')}
        head={[t('charts.day'), t('charts.count'), t('charts.denied')]}
        rows={days.map(({ date, count, denied }) => ({
          key: date,
          cells: [day.format(new Date(date)), formatNumber(count), formatNumber(denied)],
        }))}
      />
    </>
  )
}

/** Bars with names and figures, the longest first; each is a filter. */
function Bars<V extends string>({
  rows,
  selected,
  onChoose,
}: {
  rows: { value: V; label: string; count: number; bad: boolean }[] | undefined
  selected: string | undefined
  onChoose: (value: V | undefined) => void
}) {
  const { t } = useTranslation('activity')
  if (rows === undefined) return <Skeleton width="100%" height={128} />
  if (rows.length === 0) return <p className={`size-13 muted ${classes['none']}`}>{t('charts.none')}</p>
  const most = Math.max(...rows.map(({ count }) => count))
  return (
    <ul className="column gap-2">
      {rows.slice(0, shownAtMost).map(({ value, label, count, bad }) => (
        <li key={value}>
          <button
            type="button"
            className={classes['row']}
            aria-pressed={selected === value}
            onClick={() => onChoose(selected === value ? undefined : value)}
          >
            <span className={classes['track']} data-bad={bad || undefined} style={{ width: `${Math.max(1, (count / most) * 100)}%` }} />
            <span className="sr-only">{t('charts.show_action', { name: label, formatted: formatNumber(count) })}</span>
            <span className="cut relative" aria-hidden>
              {label}
            </span>
            <span className="fixed secondary numeric relative" aria-hidden>
              {formatNumber(count)}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
