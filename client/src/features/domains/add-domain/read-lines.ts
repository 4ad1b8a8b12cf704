import { parseZoneName, type ZoneNameFault } from '#shared/features/zone-creation/zone-name.ts'
import { splitNames } from '../split-names.ts'

export interface ReadLines {
  /** As given, each once. */
  readonly names: readonly string[]
  readonly faults: readonly { readonly line: number; readonly given: string; readonly fault: ZoneNameFault | 'domain_repeated' }[]
}

/** What a pasted list names, and what is wrong with it, by line from 1. */
export function readLines(text: string): ReadLines {
  const names: string[] = []
  const faults: ReadLines['faults'][number][] = []
  const seen = new Set<string>()
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    for (const given of splitNames(line)) {
      const read = parseZoneName(given)
      if ('fault' in read) faults.push({ line: index + 1, given, fault: read.fault })
      else if (seen.has(read.name)) faults.push({ line: index + 1, given, fault: 'domain_repeated' })
      else {
        seen.add(read.name)
        names.push(given)
      }
    }
  }
  return { names, faults }
}
