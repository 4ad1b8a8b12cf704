import { parseZoneName, type ZoneNameFault } from '#shared/features/domains/creation/zone-name.ts'
import { strip } from '#shared/text.ts'

interface ReadName {
  /** The line number, from 1. */
  readonly line: number
  /** The input, verbatim. */
  readonly given: string
  /** Punycode in lower case. */
  readonly name: string
}
interface ReadNames {
  /** Without duplicates. */
  readonly names: readonly ReadName[]
  /** A fault is a key of the `faults` texts. */
  readonly faults: readonly { readonly line: number; readonly given: string; readonly fault: ZoneNameFault | 'domain_repeated' }[]
}

/** Parses a pasted list of names with any separators; errors are reported by line, and valid names are kept. */
export function readNames(text: string): ReadNames {
  const names: ReadName[] = []
  const faults: ReadNames['faults'][number][] = []
  const seen = new Set<string>()
  for (const [index, whole] of text.split(/\r\n|\n|\r/).entries()) {
    const line = index + 1
    for (const part of whole.replace(/^\uFEFF/, '').split(/[\s,;]+/)) {
      const given = strip(part, `"'«»`).slice(0, 300)
      if (given === '') continue
      const read = parseZoneName(given)
      if ('fault' in read) faults.push({ line, given, fault: read.fault })
      else if (seen.has(read.name)) faults.push({ line, given, fault: 'domain_repeated' })
      else {
        seen.add(read.name)
        names.push({ line, given: given.toLowerCase(), name: read.name })
      }
    }
  }
  return { names, faults }
}
