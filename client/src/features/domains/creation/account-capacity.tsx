import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Account } from '#shared/features/accounts/schema.ts'
import { codeWords } from '#client/lib/errors.ts'
import { joinFacts } from '#client/lib/text.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import classes from './add-domain.module.css'

type Capacity = Outputs['zoneCreation']['standings']['accounts'][number]

/** The capacity of each account for new domains, by its id. */
export function useAccountCapacities(): ReadonlyMap<string, Capacity> {
  const { accounts } = trpc.zoneCreation.standings.useQuery().data ?? {}
  return useMemo(() => new Map((accounts ?? []).map((capacity) => [capacity.id, capacity])), [accounts])
}

interface Props {
  account: Account | undefined
  capacity: Capacity | undefined
}

/** An account option: whether its key works, how many more domains it accepts, and how many it has. */
export function AccountCapacity({ account, capacity }: Props) {
  const { t } = useTranslation(['domains', 'accounts', 'common'])
  const zones = account?.zonesCount ?? 0
  const health = account === undefined ? null : t(`accounts:health.${account.health}`)
  const broken = account?.health === 'auth_error' || account?.health === 'api_error'
  if (capacity === undefined) {
    const counts = t('common:domains', counted(zones))
    return (
      <span className={`size-12 muted ${classes['standing']}`} data-tone={broken ? 'warn' : undefined}>
        {joinFacts(health, counts)}
      </span>
    )
  }
  const { active, pending, places, now, refusal } = capacity
  const counts = t('add.standing.counts', { active: formatNumber(active), pending: formatNumber(pending) })
  const room =
    refusal !== null
      ? t('add.standing.refused', { why: codeWords(refusal) })
      : places === 0
        ? t('add.standing.full')
        : now === 0
          ? t('add.standing.window')
          : t('add.standing.now', counted(now))
  const words = joinFacts(health, room, counts)
  return (
    <span className={`size-12 muted ${classes['standing']}`} data-tone={broken || now === 0 ? 'warn' : undefined} title={words}>
      {words}
    </span>
  )
}

/** An account in a list of options. */
export function AccountOption({ account, capacity }: Props) {
  if (account === undefined) return null
  return (
    <span className={`column grow shrink ${classes['account']}`}>
      <bdi>{account.name === null || account.name === '' ? account.email : `${account.name} · ${account.email}`}</bdi>
      <AccountCapacity account={account} capacity={capacity} />
    </span>
  )
}
