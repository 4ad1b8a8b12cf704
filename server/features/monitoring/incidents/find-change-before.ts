import type { Queryable } from '#server/db/client.ts'
import type { EarlierChange } from '#shared/features/monitoring/reports.ts'
import { listPanelChanges, listProviderChangesBefore } from './earlier-changes.repo.ts'
import type { Failed } from './earlier-changes.repo.ts'

/** The change in the hour before that touched the most of these domains, and of several the last one; null if there was none. */
export async function findChangeBefore(
  db: Queryable,
  { domainIds, at }: Omit<Failed, 'accountIds'>,
): Promise<Pick<EarlierChange, 'at' | 'source' | 'actor' | 'kinds' | 'domains'> | null> {
  const failed = { domainIds, accountIds: [], at }
  const panel = await listPanelChanges(db, failed)
  const provider = (await listProviderChangesBefore(db, failed)).map((change) => ({ ...change, source: 'provider' as const }))
  const [most] = [...panel, ...provider].toSorted((one, other) => other.domains - one.domains || Date.parse(other.at) - Date.parse(one.at))
  if (most === undefined) return null
  const { source, actor, kinds, domains } = most
  return { at: new Date(most.at).toISOString(), source, actor, kinds: [...kinds], domains }
}
