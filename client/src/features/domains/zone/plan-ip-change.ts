import type { DnsRecord } from '#shared/features/records/schema.ts'

export interface IpChange {
  /** Whose records the address belongs in. */
  type: 'A' | 'AAAA'
  /** `to` null: the record goes, for its name has the address already; `from` null: it is new. */
  steps: { name: string; from: string | null; to: string | null }[]
  /** Records that have the address. */
  unchanged: number
}

/** Whether a text is a whole address yet, as far as a preview has to know. */
export const looksLikeIp = (text: string): boolean => /^(\d{1,3}\.){3}\d{1,3}$/.test(text) || /^(?=.*:)[\da-f:.]{3,45}$/i.test(text)

/** What a change of address will do to these records (R-DOM-14); `add` puts one record beside those of each name. */
export function planIpChange(records: readonly DnsRecord[], ip: string, mode: 'replace' | 'add'): IpChange {
  const type = ip.includes(':') ? 'AAAA' : 'A'
  const wanted = ip.toLowerCase()
  const ours = records.filter((record) => record.type === type)
  const plan: IpChange = { type, steps: [], unchanged: 0 }
  for (const [name, same] of Map.groupBy(ours, (record) => record.name)) {
    const keeper = same.find(({ content }) => content.toLowerCase() === wanted)
    if (keeper !== undefined) plan.unchanged += 1
    if (mode === 'add') {
      if (keeper === undefined) plan.steps.push({ name, from: null, to: ip })
      continue
    }
    const kept = keeper ?? same[0]
    for (const record of same) {
      if (record === keeper) continue
      plan.steps.push({ name, from: record.content, to: record === kept ? ip : null })
    }
  }
  return plan
}
