import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Finding, Target } from '#server/ports/region-probe.ts'
import { isProviderAddress } from './provider-ranges.ts'
import { plain } from './probe-error.ts'
import type { Found } from './look-up.ts'

/** Compares DNS with the mirror: warnings. Unknown values are not compared. */
export function compare(
  expected: Target['expected'],
  seen: { readonly v4: Found; readonly v6: Found; readonly nameServers: Found },
): readonly Finding[] {
  const findings: Finding[] = []
  const { nameServers, addresses } = expected
  if (nameServers !== null && seen.nameServers.kind !== 'silent') {
    const found = valuesOf(seen.nameServers)
    if (!sameSet(found, nameServers)) findings.push({ code: 'name_servers_elsewhere', params: { found: listed(found) } })
  }
  if (addresses === null) return findings
  const v4 = valuesOf(seen.v4)
  const v6 = valuesOf(seen.v6)
  const found = [...v4, ...v6]
  if (addresses.proxied) {
    const outside = found.filter((address) => !isProviderAddress(address))
    if (outside.length > 0) findings.push({ code: 'address_mismatch', params: { expected: 'Cloudflare', found: listed(outside) } })
    return findings
  }
  const literals = addresses.values.filter((value) => isIP(value) !== 0)
  const differs =
    (seen.v4.kind !== 'silent' &&
      !sameSet(
        v4,
        literals.filter((value) => isIP(value) === 4),
      )) ||
    (seen.v6.kind !== 'silent' &&
      !sameSet(
        v6,
        literals.filter((value) => isIP(value) === 6),
      ))
  if (literals.length > 0 && differs) {
    findings.push({ code: 'address_mismatch', params: { expected: listed(literals), found: listed(found) } })
  }
  return findings
}

const valuesOf = (found: Found): readonly string[] => (found.kind === 'found' ? found.values : [])
const listed = (values: readonly string[]): string => (values.length === 0 ? '–' : plain(values.join(', ')))
const same = (value: string): string => (isIP(value) === 6 ? ipaddr.parse(value).toString() : value)

function sameSet(one: readonly string[], other: readonly string[]): boolean {
  const [left, right] = [new Set(one.map(same)), new Set(other.map(same))]
  return left.size === right.size && left.isSubsetOf(right)
}
