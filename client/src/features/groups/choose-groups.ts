import type { Group } from '#shared/features/groups/schema.ts'
import type { Sort } from '#client/ui/table/data-table.types.ts'

export const newestFirst: Sort = { key: 'createdAt', direction: 'desc' }

const keys: Record<string, (group: Group) => string | number> = {
  name: ({ name }) => name.toLocaleLowerCase(),
  zonesCount: ({ zonesCount }) => zonesCount,
  createdAt: ({ createdAt }) => createdAt,
}

/** All groups are loaded, so they are searched (name and description) and sorted here; the sort is stable. */
export function chooseGroups(groups: readonly Group[], text: string, { key, direction }: Sort): readonly Group[] {
  const part = text.trim().toLocaleLowerCase()
  const found = groups.filter(({ name, description }) => `${name}\n${description ?? ''}`.toLocaleLowerCase().includes(part))
  // They arrive newest first; those created at the same time keep their order.
  if (key === newestFirst.key) return direction === 'desc' ? found : found.toReversed()
  const value = keys[key] ?? (() => 0)
  const sign = direction === 'asc' ? 1 : -1
  return found.toSorted((one, other) => {
    const [left, right] = [value(one), value(other)]
    if (left === right) return 0
    return sign * (typeof left === 'string' ? left.localeCompare(String(right)) : left < Number(right) ? -1 : 1)
  })
}
