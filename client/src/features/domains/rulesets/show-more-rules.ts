import { utils } from '#client/lib/trpc.ts'

/** Updates the number in the tab after rules were added or deleted, before any refetch. */
export function showMoreRules(domainId: string, before: number | undefined, now: number): void {
  utils.domains.full.setData({ id: domainId }, (known) => {
    if (before === undefined || before === now || known?.zone.rulesCount == null) return known
    return { zone: { ...known.zone, rulesCount: known.zone.rulesCount + now - before } }
  })
}
