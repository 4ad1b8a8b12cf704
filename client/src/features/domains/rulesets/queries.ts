import { useCallback, useEffect } from 'react'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import { useLiveQueries } from '#client/lib/live-queries.ts'

export type Rulesets = Outputs['rulesets']['list']
export type Ruleset = Rulesets['rulesets'][number]
export type Rule = Ruleset['rules'][number]

/** Older rules are read again when the page is opened. */
const oldMs = 5 * 60_000
/** When this visit last read the rules of a domain automatically, successfully or not. */
const askedAtMs = new Map<string, number>()

/** All rules of a domain as last read; read from the provider on request, and once automatically if they are old. `locked`: the user may not. */
export function useRulesets(domainId: string, locked: boolean) {
  const utils = trpc.useUtils()
  const list = trpc.rulesets.list.useQuery({ id: domainId })
  useLiveQueries('rulesets')
  const refresh = trpc.rulesets.refresh.useMutation({
    meta: { failure: false },
    onSuccess: (read) => utils.rulesets.list.setData({ id: domainId }, read),
    onSettled: () => void utils.history.invalidate(),
  })
  const { mutate } = refresh
  const readAt = list.data?.readAt
  const old = !locked && readAt !== undefined && (readAt === null || Date.now() - new Date(readAt).getTime() > oldMs)
  useEffect(() => {
    if (!old || Date.now() - (askedAtMs.get(domainId) ?? 0) < oldMs) return
    askedAtMs.set(domainId, Date.now())
    mutate({ id: domainId })
  }, [old, domainId, mutate])
  return {
    list,
    refresh: useCallback(() => mutate({ id: domainId }), [mutate, domainId]),
    refreshing: refresh.isPending,
    refreshError: refresh.error,
  }
}
