import { parseZoneName, type ZoneNameFault } from '#shared/features/domains/creation/zone-name.ts'
import { strip } from '#shared/text.ts'

/** A key of the `faults` namespace. */
type LineFault = ZoneNameFault | 'domain_repeated' | 'invalid_ip' | 'unknown_account' | 'unknown_group'

interface ReadLine {
  /** The line number, from 1. */
  readonly line: number
  /** The input, verbatim. */
  readonly given: string
  /** Punycode in lower case. */
  readonly name: string
  readonly ipAddress?: string
  readonly accountId?: string
  readonly groupId?: string
}
interface ReadLines {
  /** Without duplicates. */
  readonly domains: readonly ReadLine[]
  readonly faults: readonly { readonly line: number; readonly given: string; readonly fault: LineFault }[]
}
/** What a line can refer to: an account by email, a group by name; both in lower case. */
export interface Known {
  readonly accounts: ReadonlyMap<string, string>
  readonly groups: ReadonlyMap<string, string>
}

const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/
const isIp = (text: string) => ipv4.test(text) || (text.includes(':') && /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`))
const looksLikeIp = (text: string) => /^[\d.]+$/.test(text) || /^[\da-f]*:[\da-f:.]*$/i.test(text)
/** Unlike a group name. */
const looksLikeName = (text: string) => !/\s/.test(text) && text.slice(1, -1).includes('.')
const header = /^(?:domain|domains|name|домен|домены|имя)$/i

const cellsOf = (line: string): string[] => line.split(/[,;\t]/).map((cell) => strip(cell.trim(), `"'`).trim())

/**
 * Parses a pasted list or a CSV file: names only, with any separators, or names followed by an IP address, an account's email and a group in any
 * order. Errors are reported by line, and valid lines are kept.
 */
export function readLines(text: string, known: Known): ReadLines {
  const domains: ReadLine[] = []
  const faults: ReadLines['faults'][number][] = []
  const seen = new Set<string>()
  for (const [index, whole] of text.split(/\r\n|\n|\r/).entries()) {
    const line = index + 1
    const cells = cellsOf(whole.replace(/^\uFEFF/, ''))
    if (index === 0 && header.test(cells[0] ?? '')) continue
    const names: string[] = []
    const own: { ipAddress?: string; accountId?: string; groupId?: string } = {}
    const wrong: { given: string; fault: LineFault }[] = []
    for (const [at, cell] of cells.entries()) {
      if (cell === '') continue
      if (isIp(cell)) own.ipAddress = cell.toLowerCase()
      else if (at > 0 && looksLikeIp(cell)) wrong.push({ given: cell, fault: 'invalid_ip' })
      else if (at > 0 && !/[\s/]/.test(cell) && cell.slice(1, -1).includes('@')) {
        const id = known.accounts.get(cell.toLowerCase())
        if (id === undefined) wrong.push({ given: cell, fault: 'unknown_account' })
        else own.accountId = id
      } else {
        const group = at > 0 ? known.groups.get(cell.toLowerCase()) : undefined
        const parts = cell.split(/\s+/)
        if (group !== undefined) own.groupId = group
        else if (at === 0 || parts.every(looksLikeName)) {
          const address = parts.length > 1 ? parts.find(isIp) : undefined
          if (address !== undefined) own.ipAddress = address.toLowerCase()
          names.push(...parts.filter((part) => part !== address))
        } else wrong.push({ given: cell, fault: 'unknown_group' })
      }
    }
    for (const { given, fault } of wrong) faults.push({ line, given: given.slice(0, 300), fault })
    for (const given of names) {
      const read = parseZoneName(given.slice(0, 300))
      if ('fault' in read) faults.push({ line, given: given.slice(0, 300), fault: read.fault })
      else if (seen.has(read.name)) faults.push({ line, given, fault: 'domain_repeated' })
      else {
        seen.add(read.name)
        if (wrong.length === 0) domains.push({ line, given, name: read.name, ...own })
      }
    }
  }
  return { domains, faults }
}
