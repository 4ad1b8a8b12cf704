import { webcrypto } from 'node:crypto'
import 'reflect-metadata'
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ActivityAction, ActivityEntity } from '#shared/features/activity/schema.ts'
import { createAuthenticator, fromBase32 } from '#server/testing/authenticator.ts'
import { callAs, signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { zoneMonitors } from '#server/db/schema/index.ts'
import { insertIncidents } from '#server/testing/alerts.ts'
import { emptyTables } from '#server/testing/empty-tables.ts'
import { insertAccount, insertGroup, insertZone, testPassword } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import { porkbunKeys } from '#server/testing/test-registrars.ts'
import { syncDueRegistrars } from '#server/features/registrars/index.ts'
import { syncDueTrackers } from '#server/features/trackers/index.ts'
import { totpCode } from '#server/features/two-factor/totp.policy.ts'
import { listProcedures } from '#server/transports/trpc/list-procedures.ts'

const origin = 'https://panel.test'
type Call = SignedIn['call']

/** Resources of an owner who is also an administrator; each is created on first use. */
interface Stage {
  readonly me: SignedIn
  /** Runs a prerequisite of the call under test. */
  readonly call: Call
  zone(): Promise<{ readonly id: string; readonly name: string; readonly accountId: string; readonly recordId: string }>
  account(): Promise<string>
  group(): Promise<string>
  profile(): Promise<string>
  somebody(): Promise<{ readonly id: string; readonly username: string }>
  /** Of the zone, as a preview leaves it. */
  draft(): Promise<string>
  /** Of Keitaro. */
  tracker(): Promise<string>
  /** The zone, in the tracker. */
  bound(): Promise<{ readonly id: string; readonly trackerId: string }>
  /** For a name that Porkbun sells. */
  order(): Promise<Parameters<Call['operations']['previewPurchase']>[0]>
  /** A name in the list of Porkbun. */
  heldName(): Promise<string>
  /** Started and not yet run. */
  queued(): Promise<string>
  totp(): Promise<readonly string[]>
  passkey(): Promise<ReturnType<typeof createAuthenticator>>
  asks(): Promise<string>
  incident(): Promise<string>
}

/** Prepares and returns the call under test. */
type Act = (stage: Stage) => Promise<(call: Call) => Promise<unknown>> | ((call: Call) => Promise<unknown>)
/** Details that the entry must contain. */
type Change = readonly [action: ActivityAction, entityType: ActivityEntity, details: object, act: Act, by?: 'nobody']
/** Why a mutation changes no one's data, and the tables it may still write to. */
type NoChange = readonly [why: string, tables: readonly string[], act: Act, by?: 'nobody']

const some: unknown = expect.anything()
const fromTo = (from: unknown, to: unknown) => ({ from, to })
const newPassword = 'a new password'
const password = { password: newPassword, passwordConfirmation: newPassword }
const newcomer = { email: 'newcomer@people.example', ...password }
const fields = { username: 'newcomer', email: 'newcomer@people.example', password: newPassword, role: 'user' } as const
const waf = 'http_request_firewall_custom'
const blockRule = { description: 'Block it', expression: '(http.host eq "a.example")', action: 'block' }
const A = { type: 'A', name: 'new', content: '192.0.2.9', ttl: 300 } as const
const settings = { ssl: 'strict' } as const
const byHand = { name: 'By hand', username: 'anna', password: 'what it was before' } as const
const byApi = { name: 'Pork', type: 'API_ENABLED', provider: 'PORKBUN', ...porkbunKeys } as const
const anna = {
  firstName: 'Anna',
  lastName: 'Petrova',
  email: 'anna@people.example',
  phone: '+7 916 123-45-67',
  address: 'Tverskaya 1',
  city: 'Moscow',
  region: 'Moscow',
  postalCode: '125009',
  country: 'ru',
} as const
const maintenance = { name: 'Move', startsAt: '2030-01-01T00:00:00.000Z', endsAt: '2030-01-02T00:00:00.000Z' } as const
const longer = { ...maintenance, endsAt: '2030-01-03T00:00:00.000Z' } as const
const chat = { kind: 'telegram', chatId: '-100123', name: 'Chat' } as const
const inAnHour = () => new Date(Date.now() + 3600_000).toISOString()
const created = (accountId: string) => ({ domains: ['brand-new.com'], accountIds: [accountId], ipAddress: '192.0.2.9' })

/** A monitored zone. */
async function watched(s: Stage): Promise<string> {
  const { id } = await s.zone()
  const { sql } = panel.services.db
  await sql`
    insert into zone_monitors (zone_id, owner_id, interval_seconds, slot, regions) values (${id}, ${s.me.user.id}, 300, 0, '{EUROPE}')
    on conflict do nothing`
  await sql`insert into zone_views (zone_id, region) values (${id}, 'EUROPE') on conflict do nothing`
  return id
}

const ipBlock = { values: ['192.0.2.1'], mode: 'block' as const }

/** A mutation missing from both lists fails the test. */
async function ruleOf(s: Stage, id: string): Promise<string> {
  const { ruleset } = await s.call.rulesets.createRule({ id, phase: waf, rule: blockRule })
  return ruleset.rules.at(-1)?.id ?? ''
}

const changes: Readonly<Record<string, Change>> = {
  'alerts.acknowledge': [
    'update',
    'zone',
    { incident: 'acknowledged' },
    async (s) => {
      const id = await s.incident()
      return (call) => call.alerts.acknowledge({ id })
    },
  ],
  'alerts.acknowledgeMany': [
    'update',
    'zone',
    { incident: 'acknowledged' },
    async (s) => {
      const id = await s.incident()
      return (call) => call.alerts.acknowledgeMany({ ids: [id] })
    },
  ],
  'alerts.createChannel': ['create', 'settings', { alertChannel: 'telegram' }, () => (call) => call.alerts.createChannel(chat)],
  'alerts.createWindow': ['create', 'settings', { maintenance: some }, () => (call) => call.alerts.createWindow(maintenance)],
  'alerts.mute': [
    'update',
    'zone',
    { muted: some },
    async (s) => {
      const id = await s.incident()
      return (call) => call.alerts.mute({ id })
    },
  ],
  'alerts.muteMany': [
    'update',
    'zone',
    { muted: some },
    async (s) => {
      const id = await s.incident()
      return (call) => call.alerts.muteMany({ ids: [id] })
    },
  ],
  'alerts.removeChannel': [
    'delete',
    'settings',
    { alertChannel: 'telegram' },
    async (s) => {
      const { channel } = await s.call.alerts.createChannel(chat)
      return (call) => call.alerts.removeChannel({ id: channel.id })
    },
  ],
  'alerts.removeWindow': [
    'delete',
    'settings',
    { maintenance: some },
    async (s) => {
      const { window } = await s.call.alerts.createWindow(maintenance)
      return (call) => call.alerts.removeWindow({ id: window.id })
    },
  ],
  'alerts.updateChannel': [
    'update',
    'settings',
    { criticalOnly: fromTo(false, true) },
    async (s) => {
      const { channel } = await s.call.alerts.createChannel(chat)
      return (call) => call.alerts.updateChannel({ id: channel.id, criticalOnly: true })
    },
  ],
  'alerts.updateWindow': [
    'update',
    'settings',
    { maintenance: some },
    async (s) => {
      const { window } = await s.call.alerts.createWindow(maintenance)
      return (call) => call.alerts.updateWindow({ id: window.id, ...longer })
    },
  ],
  'abuseReports.appeal': [
    'update',
    'zone',
    { abuseReport: some, appeal: 'content_removed', mitigations: 1 },
    async (s) => {
      const { id, name, accountId } = await s.zone()
      const reportId = panel.simulator.state.abuse.add({ id: key.accountId }, { domain: name }, { mitigations: [{ id: 'taken' }] })
      const [report] = await panel.services.db.sql<{ id: string }[]>`
        insert into abuse_reports (owner_id, account_id, report_id, reported_at, domain, zone_name, kind, status, submitter, urls, accepted_urls,
          active, pending, in_review, host_notified, mitigations_due, mitigations)
        select owner_id, account_id, ${reportId}, now(), ${name}, ${name}, 'phishing', 'accepted',
          '{"name":null,"company":null,"email":null,"telephone":null}', '[]', 0, 1, 0, 0, false, false,
          '[{"id":"taken","type":"network_block","status":"active","entityType":"zone","entity":"","effectiveAt":null}]'
        from zones where id = ${id} and account_id = ${accountId} returning id`
      return (call) => call.abuseReports.appeal({ id: report?.id ?? '', mitigationIds: ['taken'], reason: 'removed' })
    },
  ],
  'abuseReports.update': [
    'update',
    'zone',
    { abuseReport: 'report', abuseState: fromTo('open', 'done') },
    async (s) => {
      const { id, name, accountId } = await s.zone()
      const [report] = await panel.services.db.sql<{ id: string }[]>`
        insert into abuse_reports (owner_id, account_id, report_id, reported_at, domain, zone_name, kind, status, submitter, urls, accepted_urls,
          active, pending, in_review, host_notified, mitigations_due)
        select owner_id, account_id, 'report', now(), ${name}, ${name}, 'phishing', 'accepted', '{}', '[]', 0, 0, 0, 0, false, false
        from zones where id = ${id} and account_id = ${accountId} returning id`
      return (call) => call.abuseReports.update({ id: report?.id ?? '', state: 'done' })
    },
  ],
  'accounts.add': [
    'create',
    'account',
    { kind: 'global_key' },
    () => (call) => call.accounts.add({ email: key.email, apiKey: key.globalKey }),
  ],
  'accounts.addMany': [
    'create',
    'account',
    { kind: 'global_key' },
    () => (call) => call.accounts.addMany({ text: `${key.email};${newPassword};${key.globalKey}` }),
  ],
  'accounts.remove': [
    'delete',
    'account',
    { domains: 1 },
    async (s) => {
      const { accountId: id } = await s.zone()
      return (call) => call.accounts.remove({ id })
    },
  ],
  'accounts.removeMany': [
    'delete',
    'account',
    { domains: 1 },
    async (s) => {
      const { accountId } = await s.zone()
      return (call) => call.accounts.removeMany({ ids: [accountId] })
    },
  ],
  'accounts.requestSync': [
    'sync',
    'account',
    { asked: true },
    async (s) => {
      const id = await s.account()
      return (call) => call.accounts.requestSync({ ids: [id] })
    },
  ],
  'accounts.reveal': [
    'reveal',
    'account',
    {},
    async (s) => {
      const id = await s.account()
      return (call) => call.accounts.reveal({ id })
    },
  ],
  'accounts.sync': [
    'sync',
    'account',
    { asked: true },
    async (s) => {
      const id = await s.account()
      return (call) => call.accounts.sync({ id })
    },
  ],
  'accounts.decideDisappearance': [
    'update',
    'account',
    { missing: 'kept' },
    async (s) => {
      const id = await s.account()
      await panel.services.db
        .sql`insert into disappearances (account_id, keys, known, sampled, still_there) values (${id}, '{z1,z2}', 40, 2, 0)`
      return (call) => call.accounts.decideDisappearance({ id, decision: 'keep' })
    },
  ],
  'accounts.decideMissingRecords': [
    'update',
    'account',
    { domains: 1, records: 30, missing: 'kept' },
    async (s) => {
      const { id, accountId } = await s.zone()
      await panel.services.db.sql`insert into record_disappearances (zone_id, missing, known) values (${id}, 30, 40)`
      return (call) => call.accounts.decideMissingRecords({ id: accountId, decision: 'keep' })
    },
  ],
  'accounts.update': [
    'update',
    'account',
    { name: fromTo(null, 'Shops'), password: 'changed' },
    async (s) => {
      const id = await s.account()
      return (call) => call.accounts.update({ id, name: 'Shops', password: newPassword })
    },
  ],
  'apiTokens.create': ['create', 'token', { scope: 'write' }, () => (call) => call.apiTokens.create({ name: 'tool', scope: 'write' })],
  'apiTokens.revoke': [
    'delete',
    'token',
    {},
    async (s) => {
      const { token } = await s.call.apiTokens.create({ name: 'tool', scope: 'read' })
      return (call) => call.apiTokens.revoke({ id: token.id })
    },
  ],
  'auth.login': ['login', 'user', {}, (s) => (call) => call.auth.login({ email: s.me.user.email, password: testPassword }), 'nobody'],
  'auth.logout': ['logout', 'user', {}, () => (call) => call.auth.logout()],
  'auth.register': ['create', 'user', { role: 'user' }, () => (call) => call.auth.register(newcomer), 'nobody'],
  'auth.secondFactor': [
    'login',
    'user',
    { by: 'recovery' },
    async (s) => {
      const [code = ''] = await s.totp()
      const ticket = await s.asks()
      return (call) => call.auth.secondFactor({ ticket, method: 'recovery', code })
    },
    'nobody',
  ],
  'auth.signInByPasskey': [
    'login',
    'user',
    { by: 'passkey' },
    async (s) => {
      const authenticator = await s.passkey()
      const { ticket, passkey } = await s.call.auth.askForPasskey()
      return (call) => call.auth.signInByPasskey({ ticket, passkey: authenticator.get(passkey) })
    },
    'nobody',
  ],
  'buying.contacts.create': [
    'create',
    'settings',
    { contact: 'Anna' },
    () => (call) => call.buying.contacts.create({ name: 'Anna', ...anna }),
  ],
  'buying.contacts.remove': [
    'delete',
    'settings',
    { contact: 'Anna' },
    async (s) => {
      const { contact } = await s.call.buying.contacts.create({ name: 'Anna', ...anna })
      return (call) => call.buying.contacts.remove({ id: contact.id })
    },
  ],
  'buying.contacts.update': [
    'update',
    'settings',
    { contact: 'Anna', changed: ['phone'] },
    async (s) => {
      const { contact } = await s.call.buying.contacts.create({ name: 'Anna', ...anna })
      return (call) => call.buying.contacts.update({ id: contact.id, phone: '+79161234568', email: anna.email })
    },
  ],
  'groups.addZones': [
    'update',
    'group',
    { domainsAdded: 1 },
    async (s) => {
      const [id, zone] = [await s.group(), await s.zone()]
      return (call) => call.groups.addZones({ id, zoneIds: [zone.id] })
    },
  ],
  'groups.create': ['create', 'group', { name: 'Shops' }, () => (call) => call.groups.create({ name: 'Shops' })],
  'groups.remove': [
    'delete',
    'group',
    { domains: 0 },
    async (s) => {
      const id = await s.group()
      return (call) => call.groups.remove({ id })
    },
  ],
  'groups.removeZones': [
    'update',
    'group',
    { domainsRemoved: 1 },
    async (s) => {
      const [id, zone] = [await s.group(), await s.zone()]
      await s.call.groups.addZones({ id, zoneIds: [zone.id] })
      return (call) => call.groups.removeZones({ id, zoneIds: [zone.id] })
    },
  ],
  'groups.update': [
    'update',
    'group',
    { name: fromTo(some, 'Renamed') },
    async (s) => {
      const id = await s.group()
      return (call) => call.groups.update({ id, name: 'Renamed' })
    },
  ],
  'history.revert': [
    'update',
    'zone',
    { part: 'records', source: 'revert', deleted: 1 },
    async (s) => {
      const { id } = await s.zone()
      await s.call.records.create({ id, ...A })
      const [entry] = (await s.call.history.list({ id })).entries
      const ids = [entry?.id ?? '']
      const { token } = await s.call.history.previewRevert({ id, ids })
      return (call) => call.history.revert({ id, ids, token })
    },
  ],
  'history.revertOfAccount': [
    'update',
    'account',
    { part: 'ip_access', source: 'revert', deleted: 1 },
    async (s) => {
      const id = await s.account()
      await s.call.ipAccess.addToAccount({ id, ...ipBlock })
      const [entry] = (await s.call.history.listOfAccount({ id })).entries
      const ids = [entry?.id ?? '']
      const { token } = await s.call.history.previewRevertOfAccount({ id, ids })
      return (call) => call.history.revertOfAccount({ id, ids, token })
    },
  ],
  'me.changePassword': [
    'update',
    'user',
    { password: 'changed' },
    () => (call) => call.me.changePassword({ currentPassword: testPassword, ...password }),
  ],
  'me.endOtherSessions': [
    'logout',
    'user',
    { sessions: 1 },
    async (s) => {
      await s.call.auth.login({ email: s.me.user.email, password: testPassword })
      return (call) => call.me.endOtherSessions({})
    },
  ],
  'me.endSession': [
    'logout',
    'user',
    { remote: true },
    async (s) => {
      await s.call.auth.login({ email: s.me.user.email, password: testPassword })
      const other = (await s.call.me.sessions()).sessions.find(({ current }) => !current)
      return (call) => call.me.endSession({ id: other?.id ?? '' })
    },
  ],
  'me.update': ['update', 'user', { name: fromTo(null, 'Anna') }, () => (call) => call.me.update({ name: 'Anna' })],
  'monitoring.mute': [
    'update',
    'zone',
    { muted: some },
    async (s) => {
      const id = await watched(s)
      return (call) => call.monitoring.mute({ ids: [id], minutes: 60 })
    },
  ],
  'monitoring.pause': [
    'update',
    'zone',
    { checksPaused: 'forever' },
    async (s) => {
      const id = await watched(s)
      return (call) => call.monitoring.pause({ ids: [id], minutes: 'forever' })
    },
  ],
  'monitoring.removeStatusPage': [
    'update',
    'group',
    { statusPage: fromTo('some-shops', null) },
    async (s) => {
      const groupId = await s.group()
      await s.call.monitoring.saveStatusPage({ groupId, slug: 'some-shops', title: 'Shops' })
      return (call) => call.monitoring.removeStatusPage({ groupId })
    },
  ],
  'monitoring.saveStatusPage': [
    'update',
    'group',
    { statusPage: fromTo(null, 'our-shops'), enabled: true },
    async (s) => {
      const groupId = await s.group()
      return (call) => call.monitoring.saveStatusPage({ groupId, slug: 'our-shops', title: 'Shops' })
    },
  ],
  'monitoring.setOverride': [
    'update',
    'group',
    { monitoring: fromTo(null, { enabled: false }) },
    async (s) => {
      const groupId = await s.group()
      return (call) => call.monitoring.setOverride({ groupId, override: { enabled: false } })
    },
  ],
  'monitoring.updateSettings': [
    'update',
    'settings',
    { enabled: fromTo(false, true) },
    () => (call) => call.monitoring.updateSettings({ enabled: true }),
  ],
  'operations.bulkCreate': [
    'create',
    'operation',
    { step: 'start', domains: 1 },
    async (s) => {
      const id = await s.account()
      return (call) => call.operations.bulkCreate(created(id))
    },
  ],
  'operations.bulkDelete': [
    'delete',
    'operation',
    { step: 'start', domains: 1 },
    async (s) => {
      const { id } = await s.zone()
      return (call) => call.operations.bulkDelete({ ids: [id] })
    },
  ],
  'operations.bulkDns': [
    'update',
    'operation',
    { step: 'start', input: { records: [expect.objectContaining(A)], mode: 'add', values: [] } },
    async (s) => {
      const { id } = await s.zone()
      return (call) => call.operations.bulkDns({ ids: [id], add: [A] })
    },
  ],
  'operations.bulkIp': [
    'update',
    'operation',
    { step: 'start', input: { ipAddress: '192.0.2.9', mode: 'add' } },
    async (s) => {
      const { id } = await s.zone()
      return (call) => call.operations.bulkIp({ ids: [id], ipAddress: '192.0.2.9', mode: 'add' })
    },
  ],
  'operations.bulkSettings': [
    'update',
    'operation',
    { step: 'start', input: { settings } },
    async (s) => {
      const { id } = await s.zone()
      return (call) => call.operations.bulkSettings({ ids: [id], settings })
    },
  ],
  'operations.bulkBindTracker': [
    'update',
    'operation',
    { step: 'start', domains: 1 },
    async (s) => {
      const [{ id }, trackerId] = [await s.zone(), await s.tracker()]
      return (call) => call.operations.bulkBindTracker({ ids: [id], trackerId })
    },
  ],
  'operations.bulkUnbindTracker': [
    'update',
    'operation',
    { step: 'start', domains: 1 },
    async (s) => {
      const { id } = await s.bound()
      return (call) => call.operations.bulkUnbindTracker({ ids: [id] })
    },
  ],
  'operations.cancel': [
    'update',
    'operation',
    { step: 'cancel' },
    async (s) => {
      const id = await s.queued()
      return (call) => call.operations.cancel({ id })
    },
  ],
  'operations.pause': [
    'update',
    'operation',
    { step: 'pause' },
    async (s) => {
      const id = await s.queued()
      return (call) => call.operations.pause({ id })
    },
  ],
  'operations.refreshAll': [
    'update',
    'operation',
    { step: 'start', domains: 1 },
    async (s) => {
      await s.zone()
      return (call) => call.operations.refreshAll({})
    },
  ],
  'operations.reschedule': [
    'update',
    'operation',
    { step: 'reschedule', scheduledAt: null },
    async (s) => {
      const id = await s.queued()
      return (call) => call.operations.reschedule({ id, scheduledAt: null })
    },
  ],
  'operations.resume': [
    'update',
    'operation',
    { step: 'resume' },
    async (s) => {
      const id = await s.queued()
      await s.call.operations.pause({ id })
      return (call) => call.operations.resume({ id })
    },
  ],
  'operations.purchase': [
    'create',
    'operation',
    { step: 'start', domains: 1 },
    async (s) => {
      const order = await s.order()
      return (call) => call.operations.purchase(order)
    },
  ],
  'operations.retryFailed': [
    'update',
    'operation',
    { step: 'retry' },
    async (s) => {
      const id = await s.queued()
      await panel.services.db.sql`update operation_items set state = 'failed' where operation_id = ${id}`
      return (call) => call.operations.retryFailed({ id })
    },
  ],
  'operations.start': [
    'update',
    'operation',
    { step: 'start', domains: 1, input: { settings } },
    async (s) => {
      const id = await s.draft()
      return (call) => call.operations.start({ id })
    },
  ],
  'profiles.adopt': [
    'update',
    'profile',
    { settings: fromTo(settings, some) },
    async (s) => {
      const [profileId, { id }] = [await s.profile(), await s.zone()]
      await panel.services.db.sql`insert into zone_profiles (zone_id, profile_id) values (${id}, ${profileId})`
      await panel.services.db
        .sql`insert into zone_settings (zone_id, read_at) values (${id}, now()) on conflict (zone_id) do update set read_at = now()`
      return async (call) => {
        const { fingerprint } = await call.profiles.previewAdoption({ id })
        return call.profiles.adopt({ id, fingerprint })
      }
    },
  ],
  'profiles.create': ['create', 'profile', { settings }, () => (call) => call.profiles.create({ name: 'Shop', settings, records: [] })],
  'profiles.duplicate': [
    'create',
    'profile',
    { of: 'Shop' },
    async (s) => {
      const id = await s.profile()
      return (call) => call.profiles.duplicate({ id })
    },
  ],
  'profiles.forget': [
    'update',
    'zone',
    { profile: fromTo({ id: some, name: 'Shop', version: null }, null) },
    async (s) => {
      const [profileId, zone] = [await s.profile(), await s.zone()]
      await panel.services.db.sql`insert into zone_profiles (zone_id, profile_id) values (${zone.id}, ${profileId})`
      return (call) => call.profiles.forget({ id: zone.id })
    },
  ],
  'profiles.remove': [
    'delete',
    'profile',
    { domains: 0 },
    async (s) => {
      const id = await s.profile()
      return (call) => call.profiles.remove({ id })
    },
  ],
  'profiles.setDefault': [
    'update',
    'profile',
    { isDefault: fromTo(false, true) },
    async (s) => {
      const id = await s.profile()
      return (call) => call.profiles.setDefault({ id, isDefault: true })
    },
  ],
  'profiles.setDomainValues': [
    'update',
    'zone',
    { profile: 'Shop', variables: fromTo([], ['office: 192.0.2.0/24']) },
    async (s) => {
      const [profileId, { id }] = [await s.profile(), await s.zone()]
      return (call) => call.profiles.setDomainValues({ id, profileId, values: { office: ['192.0.2.0/24'] } })
    },
  ],
  'profiles.setGroupValues': [
    'update',
    'group',
    { profile: 'Shop', variables: fromTo([], ['office: 192.0.2.1']) },
    async (s) => {
      const [profileId, id] = [await s.profile(), await s.group()]
      return (call) => call.profiles.setGroupValues({ id, profileId, values: { office: ['192.0.2.1'] } })
    },
  ],
  'profiles.update': [
    'update',
    'profile',
    { name: fromTo('Shop', 'Shops') },
    async (s) => {
      const id = await s.profile()
      return (call) => call.profiles.update({ id, name: 'Shops' })
    },
  ],
  'providerChanges.allow': [
    'create',
    'settings',
    { allowedAuthor: 'deploy', allowedKind: 'all', reason: 'CI' },
    () => (call) => call.providerChanges.allow({ actor: 'deploy', reason: 'CI' }),
  ],
  'providerChanges.disallow': [
    'delete',
    'settings',
    { allowedAuthor: 'deploy', allowedKind: 'records' },
    async (s) => {
      const { allowedChange } = await s.call.providerChanges.allow({ actor: 'deploy', kind: 'records' })
      return (call) => call.providerChanges.disallow({ id: allowedChange.id })
    },
  ],
  'providerChanges.review': [
    'update',
    'account',
    { reviewed: 1 },
    async (s) => {
      const { accountId } = await s.zone()
      await panel.services.db.sql`
        insert into provider_changes (owner_id, account_id, change_id, changed_at, kind, action, actor, is_own)
        select owner_id, id, 'change', now(), 'records', 'update', 'colleague@example.com', false from accounts where id = ${accountId}`
      return (call) => call.providerChanges.review({ accountId, readUntil: '2099-01-01T00:00:00.000Z' })
    },
  ],
  'records.change': [
    'update',
    'zone',
    { part: 'records', created: 1, deleted: 1, records: [some, some] },
    async (s) => {
      const { id, recordId } = await s.zone()
      return (call) => call.records.change({ id, deletes: [recordId], creates: [A] })
    },
  ],
  'records.changeIp': [
    'update',
    'zone',
    { part: 'records', created: 0, deleted: 0 },
    async (s) => {
      const { id } = await s.zone()
      return (call) => call.records.changeIp({ id, ipAddress: '192.0.2.9' })
    },
  ],
  'records.create': [
    'update',
    'zone',
    { part: 'records', created: 1, content: fromTo(null, '192.0.2.9') },
    async (s) => {
      const { id } = await s.zone()
      return (call) => call.records.create({ id, ...A })
    },
  ],
  'records.decideMissing': [
    'update',
    'zone',
    { part: 'records', missing: 'kept' },
    async (s) => {
      const { id } = await s.zone()
      await panel.services.db.sql`insert into record_disappearances (zone_id, missing, known) values (${id}, 30, 40)`
      return (call) => call.records.decideMissing({ id, decision: 'keep' })
    },
  ],
  'records.importFile': [
    'update',
    'zone',
    { part: 'records', created: 1 },
    async (s) => {
      const { id, name } = await s.zone()
      const file = { id, text: `imported.${name}. 300 IN A 192.0.2.9` }
      const { token } = await s.call.records.previewImport(file)
      return (call) => call.records.importFile({ ...file, token })
    },
  ],
  'records.remove': [
    'update',
    'zone',
    { part: 'records', deleted: 1, content: fromTo(some, null) },
    async (s) => {
      const { id, recordId } = await s.zone()
      return (call) => call.records.remove({ id, recordId })
    },
  ],
  'records.update': [
    'update',
    'zone',
    { part: 'records', updated: 1, content: fromTo(some, '192.0.2.9') },
    async (s) => {
      const { id, recordId } = await s.zone()
      return (call) => call.records.update({ id, recordId, content: '192.0.2.9' })
    },
  ],
  'ipAccess.add': [
    'update',
    'zone',
    { part: 'ip_access', created: 1, rules: ['block 192.0.2.1'] },
    async (s) => {
      const { id } = await s.zone()
      return (call) => call.ipAccess.add({ id, ...ipBlock })
    },
  ],
  'ipAccess.delete': [
    'update',
    'zone',
    { part: 'ip_access', deleted: 1, rules: ['block 192.0.2.1'] },
    async (s) => {
      const { id } = await s.zone()
      const ruleId = (await s.call.ipAccess.add({ id, ...ipBlock })).rules[0]?.id ?? ''
      return (call) => call.ipAccess.delete({ id, ruleId })
    },
  ],
  'ipAccess.update': [
    'update',
    'zone',
    { part: 'ip_access', updated: 1, rules: ['challenge 192.0.2.1'] },
    async (s) => {
      const { id } = await s.zone()
      const ruleId = (await s.call.ipAccess.add({ id, ...ipBlock })).rules[0]?.id ?? ''
      return (call) => call.ipAccess.update({ id, ruleId, mode: 'challenge' })
    },
  ],
  'ipAccess.addToAccount': [
    'update',
    'account',
    { part: 'ip_access', created: 1, rules: ['block 192.0.2.1'] },
    async (s) => {
      const id = await s.account()
      return (call) => call.ipAccess.addToAccount({ id, ...ipBlock })
    },
  ],
  'ipAccess.deleteOfAccount': [
    'update',
    'account',
    { part: 'ip_access', deleted: 1, rules: ['block 192.0.2.1'] },
    async (s) => {
      const id = await s.account()
      const { rules } = await s.call.ipAccess.addToAccount({ id, ...ipBlock })
      const ruleId = rules[0]?.id ?? ''
      return (call) => call.ipAccess.deleteOfAccount({ id, ruleId })
    },
  ],
  'ipAccess.updateOfAccount': [
    'update',
    'account',
    { part: 'ip_access', updated: 1 },
    async (s) => {
      const id = await s.account()
      const { rules } = await s.call.ipAccess.addToAccount({ id, ...ipBlock })
      const ruleId = rules[0]?.id ?? ''
      return (call) => call.ipAccess.updateOfAccount({ id, ruleId, note: 'bots' })
    },
  ],
  'originCertificates.issue': [
    'update',
    'zone',
    { originCertificate: 'issued', hostnames: some, expiresAt: some },
    async (s) => {
      const { id } = await s.zone()
      return (call) => call.originCertificates.issue({ id, keyType: 'ecc' })
    },
  ],
  'originCertificates.sign': [
    'update',
    'zone',
    { originCertificate: 'issued', hostnames: some, expiresAt: some },
    async (s) => {
      const { id, name } = await s.zone()
      const keys = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
      const signingAlgorithm = { name: 'ECDSA', hash: 'SHA-256' }
      const csr = (await Pkcs10CertificateRequestGenerator.create({ name: `CN=${name}`, keys, signingAlgorithm })).toString('pem')
      return (call) => call.originCertificates.sign({ id, csr })
    },
  ],
  'originCertificates.reveal': [
    'reveal',
    'zone',
    { originCertificate: 'key_shown', hostnames: some },
    async (s) => {
      const { id } = await s.zone()
      const { certificate } = await s.call.originCertificates.issue({ id, keyType: 'ecc', keepKey: true })
      return (call) => call.originCertificates.reveal({ id, certificateId: certificate.id })
    },
  ],
  'originCertificates.forgetKey': [
    'update',
    'zone',
    { originCertificate: 'key_deleted', hostnames: some },
    async (s) => {
      const { id } = await s.zone()
      const { certificate } = await s.call.originCertificates.issue({ id, keyType: 'ecc', keepKey: true })
      return (call) => call.originCertificates.forgetKey({ id, certificateId: certificate.id })
    },
  ],
  'originCertificates.revoke': [
    'update',
    'zone',
    { originCertificate: 'revoked', hostnames: some },
    async (s) => {
      const { id } = await s.zone()
      const { certificate } = await s.call.originCertificates.issue({ id, keyType: 'ecc' })
      return (call) => call.originCertificates.revoke({ id, certificateId: certificate.id })
    },
  ],
  'rulesets.createRule': [
    'update',
    'zone',
    { part: 'rules', created: 1, rules: ['Block it'] },
    async (s) => {
      const { id } = await s.zone()
      return (call) => call.rulesets.createRule({ id, phase: waf, rule: blockRule })
    },
  ],
  'rulesets.deleteRule': [
    'update',
    'zone',
    { part: 'rules', deleted: 1, rules: ['Block it'] },
    async (s) => {
      const { id } = await s.zone()
      const ruleId = await ruleOf(s, id)
      return (call) => call.rulesets.deleteRule({ id, phase: waf, ruleId })
    },
  ],
  'rulesets.moveRule': [
    'update',
    'zone',
    { part: 'rules', updated: 1 },
    async (s) => {
      const { id } = await s.zone()
      const ruleId = await ruleOf(s, id)
      await ruleOf(s, id)
      return (call) => call.rulesets.moveRule({ id, phase: waf, ruleId, position: 2 })
    },
  ],
  'rulesets.updateRule': [
    'update',
    'zone',
    { part: 'rules', updated: 1, rules: ['Block it'] },
    async (s) => {
      const { id } = await s.zone()
      const ruleId = await ruleOf(s, id)
      return (call) => call.rulesets.updateRule({ id, phase: waf, ruleId, rule: { enabled: false } })
    },
  ],
  'settings.update': [
    'update',
    'settings',
    { before: { timeZone: 'UTC' }, after: { timeZone: 'Europe/Moscow' } },
    () => (call) => call.settings.update({ timeZone: 'Europe/Moscow' }),
  ],
  'registrars.create': ['create', 'registrar', { type: 'MANUAL' }, () => (call) => call.registrars.create(byHand)],
  'registrars.createCalendarFeed': [
    'update',
    'settings',
    { calendarFeed: 'changed' },
    () => (call) => call.registrars.createCalendarFeed(),
  ],
  'registrars.removeCalendarFeed': [
    'update',
    'settings',
    { calendarFeed: 'removed' },
    async (s) => {
      await s.call.registrars.createCalendarFeed()
      return (call) => call.registrars.removeCalendarFeed()
    },
  ],
  'registrars.decideDisappearance': [
    'update',
    'registrar',
    { missing: 'kept' },
    async (s) => {
      const { registrar } = await s.call.registrars.create(byHand)
      await panel.services.db
        .sql`insert into disappearances (registrar_id, keys, known, sampled, still_there) values (${registrar.id}, '{a.com,b.com}', 40, 2, 0)`
      return (call) => call.registrars.decideDisappearance({ id: registrar.id, decision: 'keep' })
    },
  ],
  'registrars.remove': [
    'delete',
    'registrar',
    { provider: 'NAMECHEAP' },
    async (s) => {
      const { registrar } = await s.call.registrars.create(byHand)
      return (call) => call.registrars.remove({ id: registrar.id })
    },
  ],
  'registrars.removeMany': [
    'delete',
    'registrar',
    { type: 'MANUAL' },
    async (s) => {
      const { registrar } = await s.call.registrars.create(byHand)
      return (call) => call.registrars.removeMany({ ids: [registrar.id] })
    },
  ],
  'registrars.reveal': [
    'reveal',
    'registrar',
    {},
    async (s) => {
      const { registrar } = await s.call.registrars.create(byHand)
      return (call) => call.registrars.reveal({ id: registrar.id })
    },
  ],
  'registrars.setDs': [
    'update',
    'zone',
    { dsRecords: fromTo([], [some]) },
    async (s) => {
      const { id, name } = await s.zone()
      const { registrar } = await s.call.registrars.create(byApi)
      const account = panel.registrars?.account
      const [held] = account?.names.values() ?? []
      if (held !== undefined) account?.names.set(name, { ...held, name, apiAccess: true })
      await s.call.registrars.setOfDomain({ id, registrarId: registrar.id })
      await s.call.zoneSettings.update({ id, dnssec: true })
      return (call) => call.registrars.setDs({ id, published: true })
    },
  ],
  'registrars.setOfDomain': [
    'update',
    'zone',
    { registrar: fromTo(null, some) },
    async (s) => {
      const { id } = await s.zone()
      const { registrar } = await s.call.registrars.create(byHand)
      return (call) => call.registrars.setOfDomain({ id, registrarId: registrar.id })
    },
  ],
  'registrars.sync': [
    'sync',
    'registrar',
    { asked: true },
    async (s) => {
      const { registrar } = await s.call.registrars.create(byApi)
      return (call) => call.registrars.sync({ id: registrar.id })
    },
  ],
  'registrars.update': [
    'update',
    'registrar',
    { name: fromTo('By hand', 'Other'), credential: 'changed' },
    async (s) => {
      const { registrar } = await s.call.registrars.create(byHand)
      return (call) => call.registrars.update({ id: registrar.id, name: 'Other', password: newPassword })
    },
  ],
  'sharing.create': [
    'update',
    'group',
    { access: { user: some, from: null, to: 'view' } },
    async (s) => {
      const [groupId, { username: user }] = [await s.group(), await s.somebody()]
      return (call) => call.sharing.create({ groupId, user, level: 'view' })
    },
  ],
  'sharing.remove': [
    'update',
    'group',
    { access: { user: some, from: 'view', to: null } },
    async (s) => {
      const [groupId, { username: user }] = [await s.group(), await s.somebody()]
      const { share } = await s.call.sharing.create({ groupId, user, level: 'view' })
      return (call) => call.sharing.remove({ id: share.id })
    },
  ],
  'sharing.update': [
    'update',
    'group',
    { access: { user: some, from: 'view', to: 'manage' } },
    async (s) => {
      const [groupId, { username: user }] = [await s.group(), await s.somebody()]
      const { share } = await s.call.sharing.create({ groupId, user, level: 'view' })
      return (call) => call.sharing.update({ id: share.id, level: 'manage' })
    },
  ],
  'trackers.addReserve': [
    'update',
    'zone',
    { reserve: 'added' },
    async (s) => {
      const { id } = await s.zone()
      return (call) => call.trackers.addReserve({ zoneIds: [id] })
    },
  ],
  'trackers.bind': [
    'update',
    'zone',
    { tracker: fromTo(null, some) },
    async (s) => {
      const [{ id }, trackerId] = [await s.zone(), await s.tracker()]
      return (call) => call.trackers.bind({ id, trackerId })
    },
  ],
  'trackers.create': [
    'create',
    'tracker',
    { kind: 'KEITARO' },
    () => (call) => call.trackers.create({ kind: 'KEITARO', name: 'Main', url: keitaro().url, apiKey: keitaro().apiKey }),
  ],
  'trackers.remove': [
    'delete',
    'tracker',
    { unbound: 1 },
    async (s) => {
      const { trackerId } = await s.bound()
      return (call) => call.trackers.remove({ id: trackerId })
    },
  ],
  'trackers.removeReserve': [
    'update',
    'zone',
    { reserve: 'removed' },
    async (s) => {
      const { id } = await s.zone()
      await s.call.trackers.addReserve({ zoneIds: [id] })
      return (call) => call.trackers.removeReserve({ zoneIds: [id] })
    },
  ],
  'trackers.reveal': [
    'reveal',
    'tracker',
    {},
    async (s) => {
      const id = await s.tracker()
      return (call) => call.trackers.reveal({ id })
    },
  ],
  'trackers.sync': [
    'sync',
    'tracker',
    { asked: true },
    async (s) => {
      const id = await s.tracker()
      return (call) => call.trackers.sync({ id })
    },
  ],
  'trackers.unbind': [
    'update',
    'zone',
    { tracker: fromTo(some, null) },
    async (s) => {
      const { id } = await s.bound()
      return (call) => call.trackers.unbind({ id })
    },
  ],
  'trackers.update': [
    'update',
    'tracker',
    { name: fromTo('Main', 'Other'), apiKey: 'changed' },
    async (s) => {
      const id = await s.tracker()
      return (call) => call.trackers.update({ id, name: 'Other', apiKey: newPassword.replaceAll(' ', '-') })
    },
  ],
  'trackers.updateSettings': [
    'create',
    'tracker',
    { kind: 'BINOM' },
    () => (call) => call.trackers.updateSettings({ binomUrl: 'https://binom.example', binomApiKey: keitaro().apiKey }),
  ],
  'twoFactor.addPasskey': [
    'update',
    'user',
    { secondFactor: 'passkey', change: 'added', name: 'Key' },
    async (s) => {
      const { ticket, passkey } = await s.call.twoFactor.startPasskey()
      return (call) => call.twoFactor.addPasskey({ ticket, name: 'Key', passkey: createAuthenticator(origin).create(passkey) })
    },
  ],
  'twoFactor.confirmTotp': [
    'update',
    'user',
    { secondFactor: 'totp', change: 'added' },
    async (s) => {
      const { ticket, secret } = await s.call.twoFactor.startTotp()
      return (call) => call.twoFactor.confirmTotp({ ticket, code: codeOf(secret) })
    },
  ],
  'twoFactor.removePasskey': [
    'update',
    'user',
    { secondFactor: 'passkey', change: 'removed', name: 'Key' },
    async (s) => {
      await s.passkey()
      const [key] = (await s.call.twoFactor.get()).passkeys
      return (call) => call.twoFactor.removePasskey({ id: key?.id ?? '' })
    },
  ],
  'twoFactor.removeTotp': [
    'update',
    'user',
    { secondFactor: 'totp', change: 'removed' },
    async (s) => {
      await s.totp()
      return (call) => call.twoFactor.removeTotp()
    },
  ],
  'twoFactor.renewRecoveryCodes': [
    'update',
    'user',
    { secondFactor: 'recovery', change: 'renewed' },
    async (s) => {
      await s.totp()
      return (call) => call.twoFactor.renewRecoveryCodes()
    },
  ],
  'twoFactor.reset': [
    'update',
    'user',
    { secondFactor: 'all', change: 'removed' },
    async (s) => {
      const { id: userId } = await s.somebody()
      return (call) => call.twoFactor.reset({ userId })
    },
  ],
  'users.create': ['create', 'user', { role: 'user' }, () => (call) => call.users.create(fields)],
  'users.createResetLink': [
    'update',
    'user',
    { resetLink: 'made' },
    async (s) => {
      const { id } = await s.somebody()
      return (call) => call.users.createResetLink({ id })
    },
  ],
  'users.disable': [
    'update',
    'user',
    { disabled: fromTo(false, true) },
    async (s) => {
      const { id } = await s.somebody()
      return (call) => call.users.disable({ id })
    },
  ],
  'users.enable': [
    'update',
    'user',
    { disabled: fromTo(true, false) },
    async (s) => {
      const { id } = await s.somebody()
      await s.call.users.disable({ id })
      return (call) => call.users.enable({ id })
    },
  ],
  'users.remove': [
    'delete',
    'user',
    {},
    async (s) => {
      const { id } = await s.somebody()
      return (call) => call.users.remove({ id })
    },
  ],
  'users.removeMany': [
    'delete',
    'user',
    {},
    async (s) => {
      const { id } = await s.somebody()
      return (call) => call.users.removeMany({ ids: [id] })
    },
  ],
  'users.resetByLink': [
    'update',
    'user',
    { password: 'changed', resetLink: 'used' },
    async (s) => {
      const { id } = await s.somebody()
      const { path } = await s.call.users.createResetLink({ id })
      return (call) => call.users.resetByLink({ ticket: path.split('#')[1] ?? '', ...password })
    },
    'nobody',
  ],
  'users.signOut': [
    'logout',
    'user',
    { sessions: 'all' },
    async (s) => {
      const { id } = await s.somebody()
      return (call) => call.users.signOut({ id })
    },
  ],
  'users.update': [
    'update',
    'user',
    { name: fromTo(null, 'Boris'), password: 'changed' },
    async (s) => {
      const { id } = await s.somebody()
      return (call) => call.users.update({ id, name: 'Boris', password: newPassword })
    },
  ],
  'zoneCreation.create': [
    'create',
    'zone',
    { account: some },
    async (s) => {
      const accountId = await s.account()
      return (call) => call.zoneCreation.create({ domainName: 'brand-new.com', accountId, ipAddress: '192.0.2.9' })
    },
  ],
  'zoneSettings.pause': [
    'update',
    'zone',
    { paused: fromTo(false, true) },
    async (s) => {
      const { id } = await s.zone()
      return (call) => call.zoneSettings.pause({ id, paused: true })
    },
  ],
  'zoneSettings.purgeCache': [
    'update',
    'zone',
    { cache: { everything: true } },
    async (s) => {
      const { id } = await s.zone()
      return (call) => call.zoneSettings.purgeCache({ id, purgeEverything: true })
    },
  ],
  'zoneSettings.remove': [
    'delete',
    'zone',
    {},
    async (s) => {
      const { id } = await s.zone()
      return (call) => call.zoneSettings.remove({ id })
    },
  ],
  'zoneSettings.setDevelopmentMode': [
    'update',
    'zone',
    { developmentMode: fromTo('off', 'on') },
    async (s) => {
      const { id } = await s.zone()
      return (call) => call.zoneSettings.setDevelopmentMode({ id, enabled: true })
    },
  ],
  'zoneSettings.setGroup': [
    'update',
    'zone',
    { group: fromTo(null, { id: some, name: some }) },
    async (s) => {
      const [{ id }, groupId] = [await s.zone(), await s.group()]
      return (call) => call.zoneSettings.setGroup({ id, groupId })
    },
  ],
  'zoneSettings.setUniversal': [
    'update',
    'zone',
    { universalSsl: fromTo(true, false) },
    async (s) => {
      const { id } = await s.zone()
      return (call) => call.zoneSettings.setUniversal({ id, enabled: false })
    },
  ],
  'zoneSettings.update': [
    'update',
    'zone',
    { ssl: fromTo(some, 'strict') },
    async (s) => {
      const { id } = await s.zone()
      await s.call.zoneSettings.update({ id, ssl: 'off' })
      return (call) => call.zoneSettings.update({ id, ssl: 'strict' })
    },
  ],
}

const asksOnly = 'asks for a proof; what is done with it is written when it is done'
const drafts = 'a draft for one person, of which nothing has been sent; its start is written'
const reads = 'reads what the provider has; what was changed there is told in the domain’s timeline as coming from outside'
const mirror = ['dns_records', 'zone_settings', 'zone_ssl', 'zones']
const draftTables = ['operation_items', 'operations']

const noChanges: Readonly<Record<string, NoChange>> = {
  'alerts.testChannel': [
    'a message to try a channel with; whether it arrived is kept',
    ['alert_channels', 'attempts'],
    async (s) => {
      const { channel } = await s.call.alerts.createChannel(chat)
      return (call) => call.alerts.testChannel({ id: channel.id })
    },
  ],
  'me.saveLayout': [
    'how the person likes a table, seen by nobody else',
    ['users'],
    () => (call) => call.me.saveLayout({ table: 'domains', layout: { columns: { ssl: true }, widths: {}, comfortable: true } }),
  ],
  'notifications.read': [
    'what the person has seen, read by nobody else',
    ['users'],
    () => (call) => call.notifications.read({ until: new Date().toISOString() }),
  ],
  'accounts.check': [
    'asks for a look; what is found otherwise than it was is written by the look',
    ['accounts'],
    async (s) => {
      const id = await s.account()
      return (call) => call.accounts.check({ ids: [id] })
    },
  ],
  'auth.askConfirmation': [
    asksOnly,
    ['challenges'],
    async (s) => {
      await s.totp()
      return (call) => call.auth.askConfirmation()
    },
  ],
  'auth.askForPasskey': [asksOnly, ['challenges', 'attempts'], () => (call) => call.auth.askForPasskey(), 'nobody'],
  'auth.confirm': [
    'marks this session as proven for ten minutes; what that allows is written when it is done',
    ['attempts', 'sessions'],
    () => (call) => call.auth.confirm({ method: 'password', password: testPassword }),
  ],
  'buying.check': [
    'a question whose names do not fit into an address; the balance that comes with it is kept',
    ['registrars'],
    async (s) => {
      const { registrar } = await s.call.registrars.create(byApi)
      return (call) => call.buying.check({ registrarId: registrar.id, names: ['free-one.com'] })
    },
  ],
  'domains.lookup': [
    'a question whose names do not fit into an address',
    [],
    async (s) => {
      const { name } = await s.zone()
      return (call) => call.domains.lookup({ names: [name, 'other.com'] })
    },
  ],
  'history.previewRevert': [
    'a preview, of which nothing is kept',
    [],
    async (s) => {
      const { id } = await s.zone()
      await s.call.records.create({ id, ...A })
      const [entry] = (await s.call.history.list({ id })).entries
      return (call) => call.history.previewRevert({ id, ids: [entry?.id ?? ''] })
    },
  ],
  'history.previewRevertOfAccount': [
    'a preview, of which nothing is kept',
    [],
    async (s) => {
      const id = await s.account()
      await s.call.ipAccess.addToAccount({ id, ...ipBlock })
      const [entry] = (await s.call.history.listOfAccount({ id })).entries
      return (call) => call.history.previewRevertOfAccount({ id, ids: [entry?.id ?? ''] })
    },
  ],
  'monitoring.checkNow': [
    'asks for a look; what is found is an incident',
    ['zone_views'],
    async (s) => {
      const id = await watched(s)
      return (call) => call.monitoring.checkNow({ ids: [id] })
    },
  ],
  'operations.exclude': [
    drafts,
    draftTables,
    async (s) => {
      const id = await s.draft()
      return (call) => call.operations.exclude({ id, dangers: [] })
    },
  ],
  'operations.discard': [
    drafts,
    draftTables,
    async (s) => {
      const id = await s.draft()
      return (call) => call.operations.discard({ id })
    },
  ],
  'operations.preview': [
    drafts,
    draftTables,
    async (s) => {
      const { id } = await s.zone()
      return (call) => call.operations.preview({ request: { kind: 'settings', input: { settings } }, target: { ids: [id] } })
    },
  ],
  'operations.previewChange': [
    'a preview, of which nothing is kept',
    [],
    async (s) => {
      const { id } = await s.zone()
      return (call) => call.operations.previewChange({ id, change: { kind: 'settings', input: { settings } } })
    },
  ],
  'operations.previewCreate': [
    drafts,
    draftTables,
    async (s) => {
      const id = await s.account()
      return (call) => call.operations.previewCreate(created(id))
    },
  ],
  'operations.previewPurchase': [
    `${drafts}; the balance that is looked at is kept`,
    [...draftTables, 'registrars'],
    async (s) => {
      const order = await s.order()
      return (call) => call.operations.previewPurchase(order)
    },
  ],
  'operations.previewAutoRenew': [
    drafts,
    draftTables,
    async (s) => {
      const target = { nameIds: [await s.heldName()] }
      return (call) => call.operations.previewAutoRenew({ target, enabled: false })
    },
  ],
  'operations.previewRedirects': [
    `${drafts}; the redirects that it reads first are kept`,
    [...draftTables, 'redirect_lists', 'redirects'],
    async (s) => {
      const id = await s.account()
      return (call) => call.operations.previewRedirects({ id, csv: 'a.example,https://b.example' })
    },
  ],
  'operations.previewDomainRedirects': [
    `${drafts}; the redirects that it reads first are kept`,
    [...draftTables, 'redirect_lists', 'redirects'],
    async (s) => {
      const { id } = await s.zone()
      return (call) => call.operations.previewDomainRedirects({ target: { ids: [id] }, url: 'https://target.example/' })
    },
  ],
  'operations.previewRenewal': [
    `${drafts}; the balance that is looked at is kept`,
    [...draftTables, 'registrars'],
    async (s) => {
      const target = { nameIds: [await s.heldName()] }
      return (call) => call.operations.previewRenewal({ target })
    },
  ],
  'operations.previewTrackerArchive': [
    drafts,
    draftTables,
    async (s) => {
      const id = await s.tracker()
      keitaro().state.add({ name: 'stranger.com' })
      await syncDueTrackers(panel.services, new AbortController().signal)
      const { trackerDomainIds } = await s.call.trackers.reconcileIds({ trackerIds: [id] })
      return (call) => call.operations.previewTrackerArchive({ trackerDomainIds })
    },
  ],
  'trackers.check': [
    'what the tracker finds is the mirror’s',
    ['tracker_domains', 'trackers'],
    async (s) => {
      const { id } = await s.bound()
      return (call) => call.trackers.check({ id })
    },
  ],
  'trackers.test': [
    'what it finds is its answer',
    ['attempts'],
    async (s) => {
      const id = await s.tracker()
      return (call) => call.trackers.test({ id, kind: 'KEITARO' })
    },
  ],
  'operations.previewUndo': [
    drafts,
    draftTables,
    async (s) => {
      const id = await s.queued()
      await panel.services.db.sql`update operation_items set state = 'done' where operation_id = ${id}`
      return (call) => call.operations.previewUndo({ id })
    },
  ],
  'records.previewImport': [
    'a preview, of which nothing is kept',
    [],
    async (s) => {
      const { id } = await s.zone()
      return (call) => call.records.previewImport({ id, text: 'www 300 IN A 192.0.2.9' })
    },
  ],
  'records.refresh': [
    reads,
    mirror,
    async (s) => {
      const { id } = await s.zone()
      return (call) => call.records.refresh({ id })
    },
  ],
  'records.refreshIp': [
    reads,
    mirror,
    async (s) => {
      const { id } = await s.zone()
      return (call) => call.records.refreshIp({ id })
    },
  ],
  'registrars.examine': [
    'asks the provider whether the registrar works, and keeps what it says',
    ['attempts', 'registrars'],
    async (s) => {
      const { registrar } = await s.call.registrars.create(byApi)
      return (call) => call.registrars.examine({ id: registrar.id })
    },
  ],
  'registry.ask': [
    'asks the registry until when a name is registered, and keeps what it says',
    ['registry_names'],
    async (s) => {
      const { id } = await s.zone()
      return (call) => call.registry.ask({ id })
    },
  ],
  'twoFactor.startPasskey': [asksOnly, ['challenges'], () => (call) => call.twoFactor.startPasskey()],
  'twoFactor.startTotp': [asksOnly, ['challenges'], () => (call) => call.twoFactor.startTotp()],
  'rulesets.checkRule': [
    'asks the provider, which changes nothing',
    [],
    async (s) => {
      const { id } = await s.zone()
      return (call) => call.rulesets.checkRule({ id, phase: waf, rule: blockRule })
    },
  ],
  'redirects.refresh': [
    'what is read is the mirror’s',
    ['redirect_lists', 'redirects'],
    async (s) => {
      const id = await s.account()
      return (call) => call.redirects.refresh({ id })
    },
  ],
  'ipAccess.refresh': [
    reads,
    ['zone_ip_rules'],
    async (s) => {
      const { id } = await s.zone()
      return (call) => call.ipAccess.refresh({ id })
    },
  ],
  'rulesets.refresh': [
    reads,
    ['zone_rulesets', 'zones'],
    async (s) => {
      const { id } = await s.zone()
      return (call) => call.rulesets.refresh({ id })
    },
  ],
  'zoneSettings.checkNameServers': [
    'asks the world’s DNS and keeps nothing',
    [],
    async (s) => {
      const { id } = await s.zone()
      return (call) => call.zoneSettings.checkNameServers({ ids: [id] })
    },
  ],
  'records.exportFiles': [
    'a question whose ids do not fit into an address',
    [],
    async (s) => {
      const { id } = await s.zone()
      return (call) => call.records.exportFiles({ zoneIds: [id] })
    },
  ],
  'zoneSettings.batch': [
    'a question whose ids do not fit into an address',
    [],
    async (s) => {
      const { id } = await s.zone()
      return (call) => call.zoneSettings.batch({ zoneIds: [id] })
    },
  ],
  'zoneSettings.refresh': [
    reads,
    mirror,
    async (s) => {
      const { id } = await s.zone()
      return (call) => call.zoneSettings.refresh({ id })
    },
  ],
  'users.checkResetLink': [asksOnly, [], () => (call) => call.users.checkResetLink({ ticket: 'bogus' })],
}

let panel: TestPanel
let key: ReturnType<TestPanel['credential']>
beforeAll(async () => {
  panel = await createTestPanel({ world: { zones: 6, accounts: 1, recordsPerZone: 4 }, registrarNames: ['one.com'], trackers: true })
  key = panel.credential(0)
})
afterAll(() => panel.close())
beforeEach(async () => {
  panel.simulator.reset()
  keitaro().reset()
  await emptyTables(panel.services.db, 'users', 'panel_settings')
})

function keitaro() {
  if (panel.trackers === null) throw new Error('there are no trackers')
  return panel.trackers.keitaro
}

const codeOf = (secret: string) => totpCode(fromBase32(secret), Math.floor(Date.now() / 30_000))

const callOf = ({ me }: Stage, by: 'nobody' | undefined): Call => callAs(panel.services, by === 'nobody' ? null : me.actor, origin)

async function stage(): Promise<Stage> {
  const { services } = panel
  const me = await signIn(services, { role: 'admin' })
  const actor = { ...me.actor, verifiedAt: new Date() }
  const call = callAs(services, actor, origin)
  const ownerId = me.user.id
  const stage: Stage = {
    me: { ...me, actor },
    call,
    async account() {
      const credential = { secrets: services.secrets, apiKey: key.globalKey, password: testPassword }
      return (await insertAccount(services.db, { ownerId, email: key.email, providerUserId: key.userId }, credential)).id
    },
    async zone() {
      const sim = [...panel.simulator.state.zonesById.values()].find(({ status }) => status === 'active')
      if (sim === undefined) throw new Error('the world has no active zone')
      const accountId = await stage.account()
      const { id } = await insertZone(services.db, { ownerId, accountId, providerZoneId: sim.id, name: sim.name })
      await call.zoneSettings.refresh({ id })
      const record = (await call.records.list({ id })).records.find(({ type }) => type === 'A')
      return { id, name: sim.name, accountId, recordId: record?.id ?? '' }
    },
    group: async () => (await insertGroup(services.db, { ownerId })).id,
    async tracker() {
      const { url, apiKey } = keitaro()
      return (await call.trackers.create({ kind: 'KEITARO', name: 'Main', url, apiKey })).tracker.id
    },
    async bound() {
      const [{ id }, trackerId] = [await stage.zone(), await stage.tracker()]
      await call.trackers.bind({ id, trackerId })
      return { id, trackerId }
    },
    profile: async () => {
      const office = { name: 'office', kind: 'addresses' as const }
      return (await call.profiles.create({ name: 'Shop', settings, records: [], variables: [office] })).profile.id
    },
    somebody: async () => (await signIn(services)).user,
    async draft() {
      const { id } = await stage.zone()
      const request = { kind: 'settings', input: { settings } } as const
      return (await call.operations.preview({ request, target: { ids: [id] } })).operation.id
    },
    async order() {
      const accountId = await stage.account()
      const { registrar } = await call.registrars.create(byApi)
      const { contact } = await call.buying.contacts.create({ name: 'Anna', ...anna })
      const price = { minor: 1_098, currency: 'USD' }
      return {
        names: [{ name: 'free-one.com', registrarId: registrar.id, price, years: 1 }],
        accountIds: [accountId],
        contactId: contact.id,
      }
    },
    async heldName() {
      const { registrar } = await call.registrars.create(byApi)
      await syncDueRegistrars(services, new AbortController().signal)
      const { names } = await call.registrars.names({ registrarId: registrar.id })
      return names[0]?.id ?? ''
    },
    async queued() {
      const id = await stage.draft()
      await call.operations.start({ id, scheduledAt: inAnHour() })
      return id
    },
    async totp() {
      const { ticket, secret } = await call.twoFactor.startTotp()
      return (await call.twoFactor.confirmTotp({ ticket, code: codeOf(secret) })).recoveryCodes ?? []
    },
    async passkey() {
      const authenticator = createAuthenticator(origin)
      const { ticket, passkey } = await call.twoFactor.startPasskey()
      await call.twoFactor.addPasskey({ ticket, name: 'Key', passkey: authenticator.create(passkey) })
      return authenticator
    },
    async incident() {
      const { id: domainId, name } = await stage.zone()
      const watched = { domainId, ownerId, intervalSeconds: 300, slot: 0, regions: ['EUROPE' as const] }
      await services.db.orm.insert(zoneMonitors).values(watched)
      return (await insertIncidents(services, ownerId, [{ domainId, name }]))[0]?.id ?? ''
    },
    async asks() {
      const answer = await call.auth.login({ email: me.user.email, password: testPassword })
      if (!('secondFactor' in answer)) throw new Error('no second factor was asked for')
      return answer.secondFactor.ticket
    },
  }
  return stage
}

/** Secrets in responses that must appear nowhere else. */
function secretsIn(answer: unknown): string[] {
  if (typeof answer !== 'object' || answer === null) return []
  return Object.entries(answer).flatMap(([name, value]) => {
    if (name === 'recoveryCodes' && Array.isArray(value)) return value.map(String)
    if (typeof value !== 'string') return secretsIn(value)
    return /^(token|secret|ticket|path|uri|apiKey|password)$/.test(name) ? [value.split('#').at(-1) ?? ''] : []
  })
}

test('R-LOG-01 every mutation of the live router is in one of the two lists', () => {
  const mutations = listProcedures().flatMap(({ path, type }) => (type === 'mutation' ? [path] : []))
  expect([...Object.keys(changes), ...Object.keys(noChanges)].toSorted()).toEqual(mutations.toSorted())
})

test.each(Object.entries(changes).map(([path, change]) => ({ path, change })))(
  'R-LOG-01 $path is logged with actor, action and owner, and without secrets',
  async ({ change: [action, entityType, details, act, by] }) => {
    const s = await stage()
    const run = await act(s)
    await emptyTables(panel.services.db, 'activity')
    const answer = await run(callOf(s, by))
    const entries = await panel.services.db.sql<
      { action: string; entityType: string; entityName: string | null; ownerId: string | null; details: object; actorName: string }[]
    >`select action, entity_type as "entityType", entity_name as "entityName", owner_id as "ownerId", details, actor_name as "actorName"
      from activity order by id`
    expect(entries).toContainEqual(expect.objectContaining({ action, entityType, details: expect.objectContaining(details) as unknown }))
    for (const entry of entries) {
      expect(entry.actorName).not.toBe('anonymous')
      expect(entry.entityName).not.toBeNull()
      if (entityType !== 'settings') expect(entry.ownerId).not.toBeNull()
    }
    const secrets = [key.globalKey, keitaro().apiKey, testPassword, newPassword, '"v1.', '$argon2', ...secretsIn(answer)]
    const written = JSON.stringify(entries)
    expect(secrets.filter((secret) => written.includes(secret))).toEqual([])
  },
)

/** The content of every table. Budgets of provider calls are written asynchronously. */
async function contents(): Promise<Map<string, string>> {
  const { sql } = panel.services.db
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_type = 'BASE TABLE' and table_schema = 'public' and table_name <> 'call_budgets'`
  const each = tables.map(
    ({ name }) => `select '${name}' as name, (select string_agg(x::text, chr(10) order by x::text) from "${name}" x) as rows`,
  )
  const all = await sql.unsafe<{ name: string; rows: string | null }[]>(each.join(' union all '))
  return new Map(all.map(({ name, rows }) => [name, rows ?? '']))
}

const unchanging = Object.entries(noChanges).map(([path, [why, tables, act, by]]) => ({ path, why, tables, act, by }))
test.each(unchanging)('R-LOG-01 $path changes no one’s data: $why', async ({ tables, act, by }) => {
  const s = await stage()
  const run = await act(s)
  const before = await contents()
  await run(callOf(s, by))
  const after = await contents()
  const touched = [...after].flatMap(([name, rows]) => (rows === before.get(name) ? [] : [name]))
  expect(touched.filter((name) => !tables.includes(name))).toEqual([])
})
