import { expect, it } from 'vitest'
import type { DomainId, ProviderZoneId } from '#shared/ids.ts'

it('the ids of a domain in the panel and of its zone at the provider are not interchangeable', () => {
  const domainId: DomainId = 'domain'
  const providerZoneId: ProviderZoneId = 'zone'
  // @ts-expect-error -- the type check fails if this compiles
  const wrongZone: ProviderZoneId = domainId
  // @ts-expect-error -- the type check fails if this compiles
  const wrongDomain: DomainId = providerZoneId
  expect([wrongZone, wrongDomain]).toEqual(['domain', 'zone'])
})
