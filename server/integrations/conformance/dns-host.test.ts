import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCloudflare } from '#server/integrations/cloudflare/adapter.ts'
import { systemClock } from '#server/platform/clock.ts'
import { createLog } from '#server/platform/log.ts'
import type { Credential, DnsHost, HostConnection } from '#server/ports/dns-host.ts'
import { startCloudflareSimulator } from '#server/simulators/cloudflare/simulator.ts'
import { buildWorld } from '#server/simulators/world.ts'
import type { AccountCredentials } from '#server/simulators/world.ts'
import { createTestDatabase } from '#server/testing/database.ts'

interface Subject {
  readonly host: DnsHost
  readonly credential: Credential
  /** The account of the credential. */
  readonly userId: string
  readonly accountId: string
  /** Every zone of the account: id and name. */
  readonly zones: readonly { readonly providerZoneId: string; readonly name: string }[]
  /** A registered domain that is not a zone yet. */
  readonly newDomain: string
  close(): Promise<void>
}

const cloudflare = (credentialOf: (credentials: AccountCredentials) => Credential) => async (): Promise<Subject> => {
  const world = buildWorld({ zones: 120, accounts: 2, seed: 5, plain: true })
  const [credentials] = world.credentials
  if (credentials === undefined) throw new Error('the world has no accounts')
  const { accountId, userId } = credentials
  const database = await createTestDatabase()
  const simulator = await startCloudflareSimulator({ world })
  const host = createCloudflare({
    baseUrl: simulator.url,
    budget: { limit: 1_200, windowMs: 300_000 },
    sql: database.db.sql,
    clock: systemClock,
    log: createLog('silent'),
    userAgent: 'zonedeck-test',
  })
  return {
    host,
    credential: credentialOf(credentials),
    userId,
    accountId,
    zones: world
      .content()
      .zones.filter(({ account }) => account.id === accountId)
      .map(({ id, name }) => ({ providerZoneId: id, name })),
    newDomain: 'brand-new-domain.com',
    close: async () => {
      await host.close()
      await simulator.close()
      await database.close()
    },
  }
}

const vendors: readonly (readonly [string, () => Promise<Subject>])[] = [
  ['Cloudflare by a global key', cloudflare(({ email, globalKey }) => ({ kind: 'global_key', email, apiKey: globalKey }))],
  ['Cloudflare by an API token', cloudflare(({ apiToken }) => ({ kind: 'api_token', token: apiToken }))],
  ['Cloudflare by a token of the account', cloudflare(({ accountToken }) => ({ kind: 'api_token', token: accountToken }))],
]

const person = { priority: 'person' } as const
const sync = { priority: 'sync' } as const

/** Behavior common to all DNS hosts. Repeating a step leads to the same state. */
for (const [name, start] of vendors) {
  describe(`${name} is a DNS host`, () => {
    let subject: Subject
    let connection: HostConnection
    let providerZoneId: string
    beforeAll(async () => {
      subject = await start()
      connection = subject.host.connect(subject.credential, subject.userId)
      providerZoneId = subject.zones[0]?.providerZoneId ?? ''
    })
    afterAll(() => subject.close())

    test('reports the owner of the credential, repeatedly', async () => {
      const first = await connection.identify(person)
      expect(first.accounts.map(({ id }) => id)).toContain(subject.accountId)
      expect(await connection.identify(person)).toEqual(first)
    })

    test('lists every zone once, in no more pages than reported', async () => {
      const first = await connection.listZones(1, sync)
      const pages = [first]
      for (let page = 2; page <= first.totalPages; page += 1) pages.push(await connection.listZones(page, sync))
      const found = pages.flatMap(({ zones }) => zones)
      expect(found.map((zone) => zone.providerZoneId).toSorted()).toEqual(subject.zones.map((zone) => zone.providerZoneId).toSorted())
      expect(first.totalCount).toBe(found.length)
      for (const zone of found) expect(zone.name).toMatch(/^[a-z0-9.-]+$/)
      expect(pages.at(-1)?.zones.length).toBeGreaterThan(0)
    })

    test('finds a zone by name, and by id as it was listed', async () => {
      const { name: wanted = '' } = subject.zones[0] ?? {}
      const { zones } = await connection.listZones(1, { ...sync, name: wanted, accountId: subject.accountId })
      expect(zones.map((zone) => zone.providerZoneId)).toEqual([providerZoneId])
      expect(await connection.getZone(providerZoneId, person)).toEqual(zones[0])
    })

    test('pauses a zone, repeatedly, and resumes it', async () => {
      expect((await connection.pauseZone(providerZoneId, true, person)).paused).toBe(true)
      expect((await connection.pauseZone(providerZoneId, true, person)).paused).toBe(true)
      expect((await connection.pauseZone(providerZoneId, false, person)).paused).toBe(false)
    })

    test('reads and edits a setting, repeatedly', async () => {
      expect(await connection.getSetting(providerZoneId, 'ssl', sync)).toMatchObject({ id: 'ssl', editable: true })
      expect((await connection.editSetting(providerZoneId, 'ssl', 'strict', person)).value).toBe('strict')
      expect((await connection.editSetting(providerZoneId, 'ssl', 'strict', person)).value).toBe('strict')
      expect((await connection.getSetting(providerZoneId, 'ssl', sync)).value).toBe('strict')
    })

    test('creates, edits and deletes a record, and the list shows it', async () => {
      const zoneName = subject.zones[0]?.name ?? ''
      const before = await connection.listRecords(providerZoneId, sync)
      const made = await connection.createRecord(
        providerZoneId,
        { type: 'A', name: `conformance.${zoneName}`, content: '192.0.2.1', ttl: 300, proxied: false, comment: 'ours' },
        person,
      )
      expect(made).toMatchObject({ type: 'A', name: `conformance.${zoneName}`, content: '192.0.2.1', ttl: 300, proxied: false })
      const edited = await connection.editRecord(providerZoneId, made.recordId, { content: '192.0.2.2', ttl: 600 }, person)
      expect(edited).toMatchObject({ recordId: made.recordId, content: '192.0.2.2', ttl: 600 })
      expect(await connection.getRecord(providerZoneId, made.recordId, person)).toEqual(edited)
      const during = await connection.listRecords(providerZoneId, sync)
      expect(during.find(({ recordId }) => recordId === made.recordId)?.content).toBe('192.0.2.2')
      await connection.deleteRecord(providerZoneId, made.recordId, person)
      expect((await connection.listRecords(providerZoneId, sync)).map(({ recordId }) => recordId)).toEqual(
        before.map(({ recordId }) => recordId),
      )
      await expect(connection.getRecord(providerZoneId, made.recordId, person)).rejects.toMatchObject({ code: 'provider_not_found' })
      await expect(connection.deleteRecord(providerZoneId, made.recordId, person)).rejects.toMatchObject({ code: 'provider_not_found' })
    })

    test('changes many records in one batch, all or nothing', async () => {
      const zoneName = subject.zones[0]?.name ?? ''
      const post = (label: string, content: string) => ({ type: 'A', name: `${label}.${zoneName}`, content, ttl: 1, proxied: true })
      const made = await connection.changeRecords(providerZoneId, { posts: [post('one', '192.0.2.1'), post('two', '192.0.2.2')] }, person)
      expect(made.posts.map(({ content }) => content)).toEqual(['192.0.2.1', '192.0.2.2'])
      const [one, two] = made.posts
      const before = await connection.listRecords(providerZoneId, sync)
      await expect(
        connection.changeRecords(
          providerZoneId,
          { deletes: [{ recordId: one?.recordId ?? '' }], posts: [post('three', 'no address')] },
          person,
        ),
      ).rejects.toMatchObject({ code: 'provider_rejected' })
      expect(await connection.listRecords(providerZoneId, sync)).toEqual(before)
      const changed = await connection.changeRecords(
        providerZoneId,
        { deletes: [{ recordId: one?.recordId ?? '' }], patches: [{ recordId: two?.recordId ?? '', content: '192.0.2.9' }] },
        person,
      )
      expect(changed.deletes).toEqual([one?.recordId])
      expect(changed.patches[0]?.content).toBe('192.0.2.9')
      await connection.deleteRecord(providerZoneId, two?.recordId ?? '', person)
    })

    test('exports the records as a zone file and imports one', async () => {
      const zoneName = subject.zones[0]?.name ?? ''
      expect(await connection.exportRecords(providerZoneId, person)).toContain(zoneName)
      const file = `imported.${zoneName}. 300 IN TXT "from a file"\n`
      expect(await connection.importRecords(providerZoneId, file, false, person)).toEqual({ added: 1, parsed: 1 })
      const { used } = await connection.recordUsage(providerZoneId, person)
      expect(used).toBe((await connection.listRecords(providerZoneId, sync)).length)
    })

    test('switches the free certificate off and on, repeatedly', async () => {
      const off = { id: 'universal_ssl', value: false, editable: true }
      expect(await connection.editSetting(providerZoneId, 'universal_ssl', false, person)).toMatchObject(off)
      expect(await connection.editSetting(providerZoneId, 'universal_ssl', false, person)).toMatchObject(off)
      expect(await connection.getSetting(providerZoneId, 'universal_ssl', sync)).toMatchObject(off)
      expect(await connection.editSetting(providerZoneId, 'universal_ssl', true, person)).toMatchObject({ ...off, value: true })
    })

    test('reads the settings of bots in one call and changes one of them', async () => {
      const ids = ['fight_mode', 'ai_bots_protection', 'crawler_protection', 'is_robots_txt_managed']
      expect((await connection.listBotSettings(providerZoneId, sync)).map(({ id }) => id)).toEqual(ids)
      for (const value of [true, false]) {
        const changed = await connection.editSetting(providerZoneId, 'crawler_protection', value, person)
        expect(changed).toMatchObject({ id: 'crawler_protection', value, editable: true })
        expect(await connection.getSetting(providerZoneId, 'crawler_protection', person)).toEqual(changed)
      }
      await connection.editSetting(providerZoneId, 'ai_bots_protection', 'block', person)
      const [, ai, labyrinth] = await connection.listBotSettings(providerZoneId, sync)
      expect([ai?.value, labyrinth?.value]).toEqual(['block', false])
    })

    test('enables and disables DNSSEC, with the DS record in the answer', async () => {
      expect(await connection.getSetting(providerZoneId, 'dnssec', sync)).toMatchObject({ value: false, details: { status: 'disabled' } })
      const on = await connection.editSetting(providerZoneId, 'dnssec', true, person)
      expect(on).toMatchObject({
        id: 'dnssec',
        value: true,
        editable: true,
        details: { status: 'pending', algorithm: '13', digestType: '2' },
      })
      expect(on.details?.ds).toContain(` DS ${on.details?.keyTag} 13 2 ${on.details?.digest}`)
      expect(await connection.getSetting(providerZoneId, 'dnssec', person)).toEqual(on)
      expect(await connection.editSetting(providerZoneId, 'dnssec', false, person)).toMatchObject({ value: false })
    })

    test('reports certificates, their verification, page rules and traffic', async () => {
      for (const pack of await connection.listCertificatePacks(providerZoneId, person)) expect(pack.hosts.length).toBeGreaterThan(0)
      for (const verification of await connection.listVerifications(providerZoneId, { ...person, retry: true }))
        expect(verification.certificateStatus).not.toBe('unknown')
      for (const rule of await connection.listPageRules(providerZoneId, person)) {
        expect(rule.targets.length).toBeGreaterThan(0)
        expect(rule.actions.length).toBeGreaterThan(0)
      }
      const traffic = await connection.traffic([providerZoneId], { from: '2026-11-10', to: '2026-11-19' }, person)
      expect([...traffic.keys()]).toEqual([providerZoneId])
      const days = traffic.get(providerZoneId) ?? []
      expect(days.length).toBeGreaterThan(0)
      expect(days.map(({ date }) => date)).toEqual(days.map(({ date }) => date).toSorted())
    })

    test('creates, changes, moves and deletes rules, each answer being the whole ruleset', async () => {
      const phase = 'http_request_firewall_custom'
      const rule = (path: string) => ({
        description: path,
        expression: `(http.request.uri.path eq "${path}")`,
        enabled: true,
        action: 'block',
        ref: `zonedeck_${path.slice(1)}`,
      })
      expect(await connection.getRuleset(providerZoneId, phase, sync)).toBeNull()
      const first = await connection.createRuleset(providerZoneId, phase, [rule('/one')], {}, person)
      expect(first).toMatchObject({ phase, rules: [{ ref: 'zonedeck_one', definition: rule('/one') }] })
      const rulesetId = first?.id ?? ''
      await expect(connection.createRuleset(providerZoneId, phase, [rule('/two')], {}, person)).rejects.toMatchObject({ code: 'conflict' })
      const second = await connection.createRule(providerZoneId, rulesetId, rule('/two'), { position: { index: 1 } }, person)
      const [two, one] = second?.rules ?? []
      expect([two?.ref, one?.ref]).toEqual(['zonedeck_two', 'zonedeck_one'])
      const changed = { ...rule('/two'), enabled: false }
      for (let time = 1; time <= 2; time += 1) {
        const updated = await connection.updateRule(providerZoneId, rulesetId, two?.id ?? '', changed, {}, person)
        expect(updated?.rules.map(({ id, definition }) => [id, definition.enabled])).toEqual([
          [two?.id, false],
          [one?.id, true],
        ])
        const moved = await connection.moveRule(providerZoneId, rulesetId, two?.id ?? '', { after: one?.id ?? '' }, {}, person)
        expect(moved?.rules.map(({ id }) => id)).toEqual([one?.id, two?.id])
        await connection.moveRule(providerZoneId, rulesetId, two?.id ?? '', { index: 1 }, {}, person)
      }
      const now = await connection.getRuleset(providerZoneId, phase, sync)
      const listed = (await connection.listRulesets(providerZoneId, sync)).filter(({ kind }) => kind === 'zone')
      expect(listed).toEqual([{ kind: 'zone', phase, id: rulesetId, version: now?.version, lastUpdated: now?.lastUpdated }])
      const left = await connection.deleteRule(providerZoneId, rulesetId, two?.id ?? '', {}, person)
      expect(left?.rules.map(({ id }) => id)).toEqual([one?.id])
      await expect(connection.deleteRule(providerZoneId, rulesetId, two?.id ?? '', {}, person)).rejects.toMatchObject({
        code: 'provider_not_found',
      })
      expect(await connection.getRuleset(providerZoneId, phase, sync)).toEqual(left)
    })

    test('checks a rule without writing it, and refuses it in the provider’s own words', async () => {
      const phase = 'http_request_dynamic_redirect'
      const rule = {
        description: 'moved',
        expression: '(http.host eq "old.example.com")',
        enabled: true,
        action: 'redirect',
        action_parameters: { from_value: { target_url: { value: 'https://example.com' }, status_code: 301 } },
      }
      const wrong = { ...rule, expression: '(http.hots eq "old.example.com")' }
      const refusal = { code: 'provider_rejected', provider: { pointer: expect.stringMatching(/expression$/) as string } }
      expect(await connection.createRuleset(providerZoneId, phase, [rule], { dryRun: true }, person)).toBeNull()
      await expect(connection.createRuleset(providerZoneId, phase, [wrong], { dryRun: true }, person)).rejects.toMatchObject(refusal)
      expect(await connection.getRuleset(providerZoneId, phase, sync)).toBeNull()
      const made = await connection.createRuleset(providerZoneId, phase, [rule], {}, person)
      const [rulesetId, ruleId] = [made?.id ?? '', made?.rules[0]?.id ?? '']
      const dry = { dryRun: true }
      expect(await connection.createRule(providerZoneId, rulesetId, { ...rule, description: 'again' }, dry, person)).toBeNull()
      expect(await connection.updateRule(providerZoneId, rulesetId, ruleId, { ...rule, enabled: false }, dry, person)).toBeNull()
      expect(await connection.moveRule(providerZoneId, rulesetId, ruleId, { index: 1 }, dry, person)).toBeNull()
      expect(await connection.deleteRule(providerZoneId, rulesetId, ruleId, dry, person)).toBeNull()
      await expect(connection.updateRule(providerZoneId, rulesetId, ruleId, wrong, dry, person)).rejects.toMatchObject(refusal)
      await expect(connection.updateRule(providerZoneId, rulesetId, ruleId, wrong, {}, person)).rejects.toMatchObject(refusal)
      expect(await connection.getRuleset(providerZoneId, phase, sync)).toEqual(made)
    })

    test('purges the whole cache or single URLs', async () => {
      const files = [`https://${subject.zones[0]?.name ?? ''}/a.css`]
      await expect(connection.purgeCache(providerZoneId, { files }, person)).resolves.toBeUndefined()
      await expect(connection.purgeCache(providerZoneId, { everything: true }, person)).resolves.toBeUndefined()
    })

    test('adds a domain as a pending zone, checks and deletes it; a deleted zone is not found', async () => {
      const zone = await connection.createZone({ name: subject.newDomain, accountId: subject.accountId }, person)
      expect(zone).toMatchObject({ name: subject.newDomain, account: { id: subject.accountId } })
      expect(['pending', 'initializing']).toContain(zone.status)
      await connection.checkActivation(zone.providerZoneId, person)
      await connection.deleteZone(zone.providerZoneId, person)
      await expect(connection.getZone(zone.providerZoneId, person)).rejects.toMatchObject({ code: 'provider_not_found' })
      await expect(connection.deleteZone(zone.providerZoneId, person)).rejects.toMatchObject({ code: 'provider_not_found' })
    })

    test('reports the provider’s own message for a wrong credential, without the credential', async () => {
      const wrong = subject.host.connect({ kind: 'global_key', email: 'nobody@example.com', apiKey: 'f'.repeat(37) }, null)
      const error = await wrong.identify(person).then(
        () => null,
        (reason: unknown) => reason,
      )
      expect(error).toMatchObject({ code: 'provider_auth', provider: { message: expect.stringMatching(/./) as string } })
      expect(JSON.stringify(error)).not.toContain('f'.repeat(37))
    })
  })
}
