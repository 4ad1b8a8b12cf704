import type { Account } from 'cloudflare/resources/accounts/accounts'
import type { RecordResponse } from 'cloudflare/resources/dns/records'
import type { PageRule } from 'cloudflare/resources/page-rules/page-rules'
import type { RulesetGetResponse } from 'cloudflare/resources/rulesets/rulesets'
import type { CertificatePackGetResponse } from 'cloudflare/resources/ssl/certificate-packs/certificate-packs'
import type { Verification } from 'cloudflare/resources/ssl/verification'
import type { UserGetResponse } from 'cloudflare/resources/user/user'
import type { Zone } from 'cloudflare/resources/zones/zones'
import { expect, expectTypeOf, test } from 'vitest'
import type { z } from 'zod'
import { toRecord, toZone } from './from-wire.ts'
import * as wire from './wire.ts'

/** Fields we read that are missing in the official package: there must be none. */
type Strange<S extends z.ZodType, Official> = Exclude<keyof z.output<S>, KeysOfAll<Official>>
type KeysOfAll<T> = T extends unknown ? keyof T : never

test('every field we read exists in the official package', () => {
  expectTypeOf<Strange<typeof wire.zone, Zone>>().toBeNever()
  expectTypeOf<Strange<typeof wire.record, RecordResponse>>().toBeNever()
  expectTypeOf<Strange<typeof wire.account, Account>>().toBeNever()
  expectTypeOf<Strange<typeof wire.user, UserGetResponse>>().toBeNever()
  expectTypeOf<Strange<typeof wire.certificatePack, CertificatePackGetResponse>>().toBeNever()
  expectTypeOf<Strange<typeof wire.verification, Verification>>().toBeNever()
  expectTypeOf<Strange<typeof wire.ruleset, RulesetGetResponse>>().toBeNever()
  expectTypeOf<Strange<typeof wire.pageRule, PageRule>>().toBeNever()
  expectTypeOf<NonNullable<z.output<typeof wire.zone>['meta']>>().toExtend<{ page_rule_quota?: unknown }>()
})

test('a missing, null or mistyped field counts as absent, and unknown fields are ignored', () => {
  const zone = wire.zone.parse({
    id: 'z1',
    name: 'Пример.рф',
    paused: 'no',
    name_servers: null,
    created_on: 'yesterday',
    plan: 7,
    meta: { page_rule_quota: 'many', phishing_detected: true },
    brand_new: {},
  })
  expect(toZone(zone)).toMatchObject({
    providerZoneId: 'z1',
    name: 'xn--e1afmkfd.xn--p1ai',
    status: 'unknown',
    paused: false,
    nameServers: [],
    createdAt: null,
    plan: null,
    pageRuleQuota: null,
    phishingDetected: true,
  })
  expect(wire.zone.safeParse({ id: 'z1' }).success).toBe(false)
  const record = wire.record.parse({ id: 'r1', type: 'SRV', name: '_sip._tcp.a.com', data: { port: 5060 }, tags: 'none' })
  expect(toRecord(record)).toMatchObject({ content: '', ttl: 1, proxied: false, tags: [], data: { port: 5060 } })
})

test('an envelope is parsed with any form of errors', () => {
  const { errors } = wire.envelope.parse({
    success: false,
    errors: [{ code: '6003', message: null, error_chain: [{ code: 6103, message: 'inner', error_chain: [{}] }], documentation_url: 'x' }],
    result: null,
    result_info: 'none',
  })
  expect(errors?.[0]).toMatchObject({ code: '6003', message: null, error_chain: [{ code: 6103, message: 'inner' }] })
  expect(wire.envelope.parse({ success: false, errors: 'all of them', result: null }).errors).toBeNull()
})
