import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { codeWords } from '#client/lib/errors.ts'
import { formatDateTime, formatNumber, formatShare } from '#client/lib/format.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import classes from './accounts.module.css'

type Capacity = Outputs['zoneCreation']['standings']['accounts'][number]
type Budget = Outputs['settings']['system']['budgets'][number]

/** The remaining capacity of an account by its id: new domains, and calls. */
export interface AccountUse {
  readonly standings: ReadonlyMap<string, Capacity>
  readonly budgets: ReadonlyMap<string, Budget>
}

const freshMs = 60_000

/** Cached for a minute: neither is part of the list of accounts. */
export function useAccountUse(): AccountUse {
  const standings = trpc.zoneCreation.standings.useQuery(undefined, { staleTime: freshMs }).data?.accounts
  const system = trpc.settings.system.useQuery(undefined, { staleTime: freshMs }).data
  return useMemo(
    () => ({
      standings: new Map((standings ?? []).map((capacity) => [capacity.id, capacity])),
      budgets: new Map(
        (system?.accounts ?? []).flatMap(({ id, budget: number }) => {
          const budget = system?.budgets[number]
          return budget === undefined ? [] : [[id, budget] as const]
        }),
      ),
    }),
    [standings, system],
  )
}

/** How many more domains the account accepts, now and in total. */
export function Room({ capacity }: { capacity: Capacity | undefined }) {
  const { t } = useTranslation('accounts')
  if (capacity === undefined) return null
  const { refusal, places, now } = capacity
  const figures = { now: formatNumber(now), places: formatNumber(places) }
  const isWindow = refusal === null && places > 0 && now < places
  const words =
    refusal !== null ? t('room.refused') : places === 0 ? t('room.full') : isWindow ? t('room.window_short', figures) : figures.places
  return (
    <span
      className={classes['muted']}
      data-tone={refusal !== null || now === 0 ? 'warn' : undefined}
      title={refusal !== null ? codeWords(refusal) : isWindow ? t('room.window', figures) : words}
    >
      {words}
    </span>
  )
}

/** The used share of Cloudflare's rate limit. */
export function BudgetUse({ budget }: { budget: Budget | undefined }) {
  const { t } = useTranslation('accounts')
  if (budget === undefined || budget.limit === 0) return null
  const { used, limit, windowSeconds, blockedUntil } = budget
  const help = t('budget.help', {
    used: formatNumber(used),
    limit: formatNumber(limit),
    minutes: formatNumber(Math.round(windowSeconds / 60)),
  })
  return blockedUntil === null ? (
    <span className={classes['muted']} data-tone={used >= limit * 0.9 ? 'warn' : undefined} title={help}>
      {formatShare(used / limit)}
    </span>
  ) : (
    <span className={classes['muted']} data-tone="warn" title={help}>
      {t('budget.blocked', { until: formatDateTime(blockedUntil) })}
    </span>
  )
}
