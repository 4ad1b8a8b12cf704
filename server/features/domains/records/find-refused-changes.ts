import type { ProviderWords } from '#shared/errors/app-error.ts'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'
import type { PlannedChange } from './plan-changes.ts'

const addressTypes = new Set(['A', 'AAAA', 'CNAME'])

/** The change that the provider's pointer refers to, in the order of the batch. */
function pointedAt(chunk: readonly PlannedChange[], pointer: string): PlannedChange | undefined {
  const [, list, place = ''] = /^\/(deletes|patches|posts)\/(\d+)/.exec(pointer) ?? []
  const of = { deletes: 'removes', patches: 'patch', posts: 'post' } as const
  if (list !== 'deletes' && list !== 'patches' && list !== 'posts') return undefined
  return chunk.filter((change) => change[of[list]] !== null)[Number(place)]
}

/** Which changes caused the refusal of a batch: by the provider's pointer, or by its code and the current zone. Empty if unknown. */
export function findRefusedChanges(
  chunk: readonly PlannedChange[],
  { code, pointer }: ProviderWords,
  now: readonly DnsRecord[],
): Set<PlannedChange> {
  const pointed = pointer === undefined ? undefined : pointedAt(chunk, pointer)
  if (pointed !== undefined) return new Set([pointed])

  const removed = new Set(chunk.flatMap(({ removes }) => (removes === null ? [] : [removes])))
  const left = now.filter(({ id }) => !removed.has(id))
  if (code === '81044') {
    const ids = new Set(now.map(({ id }) => id))
    return new Set(chunk.filter(({ recordId }) => recordId !== null && !ids.has(recordId)))
  }
  const clashes = (change: PlannedChange): boolean => {
    const wanted = change.post ?? (change.patch === null || change.before === null ? null : { ...change.before, ...change.patch })
    if (wanted === null) return false
    return left.some((record) => {
      if (record.id === change.recordId || record.name !== wanted.name) return false
      if (code === '81053') return addressTypes.has(record.type) && [record.type, wanted.type].includes('CNAME')
      return record.type === wanted.type && record.content === wanted.content
    })
  }
  return code === '81053' || code === '81057' || code === '81058' ? new Set(chunk.filter(clashes)) : new Set()
}
