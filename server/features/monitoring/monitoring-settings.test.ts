import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTelegram } from '#server/integrations/telegram/adapter.ts'
import { startTelegramSimulator } from '#server/simulators/telegram/simulator.ts'
import type { TelegramSimulator } from '#server/simulators/telegram/simulator.ts'
import { createTestApp, signIn } from '#server/testing/app.ts'
import type { SignedIn, TestApp } from '#server/testing/app.ts'
import { insertAccount, insertGroup, insertZones } from '#server/testing/factories.ts'

const refusal = (path: string, message: string) => ({
  cause: expect.objectContaining({ code: 'validation_failed', issues: [{ path, message }] }) as unknown,
})

describe('monitoring settings', () => {
  let t: TestApp
  let telegram: TelegramSimulator
  let token: string
  beforeAll(async () => {
    telegram = await startTelegramSimulator({ limits: false })
    token = telegram.state.addBot('watch_bot').token
    t = await createTestApp({ messenger: createTelegram({ baseUrl: telegram.url, userAgent: 'zonedeck/test' }) })
  })
  afterAll(async () => {
    await t.close()
    await telegram.close()
  })
  const somebody = (): Promise<SignedIn> => signIn(t.services)
  const rest = (who: SignedIn, method: 'GET' | 'PATCH', payload?: object) =>
    t.app.inject({ method, url: '/api/settings/monitoring', headers: who.headers, ...(payload && { payload }) })

  test('R-MON-04 quiet hours that end when they begin would never apply, and are refused', async () => {
    const { call } = await somebody()
    const night = { from: '22:00', to: '08:00', timeZone: 'UTC' }
    expect((await call.monitoring.updateSettings({ quietHours: night })).settings.quietHours).toEqual(night)
    await expect(call.monitoring.updateSettings({ quietHours: { ...night, from: '08:00' } })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })

  test('R-MON-01 monitoring starts disabled, with three regions, five minutes and all notifications on', async () => {
    const answer = await rest(await somebody(), 'GET')
    expect(answer.json()).toMatchObject({
      settings: {
        enabled: false,
        regions: ['EUROPE', 'NORTH_AMERICA', 'ASIA'],
        checkInterval: 5,
        telegram: { chatId: '', configured: false, botName: null },
        notifications: { statusChange: true, dnsMismatch: true, sslIssues: true, traffic: true, recovery: true },
      },
    })
  })

  test('R-MON-01 each section is saved separately, belongs to the user, and is in the activity log', async () => {
    const [me, other] = [await somebody(), await somebody()]
    await me.call.monitoring.updateSettings({ enabled: true, regions: ['ASIA', 'EUROPE', 'ASIA'], checkInterval: 15 })
    const { settings } = await me.call.monitoring.updateSettings({ notifications: { recovery: false }, options: { path: '/health' } })
    expect(settings).toMatchObject({
      enabled: true,
      regions: ['EUROPE', 'ASIA'],
      checkInterval: 15,
      notifications: { statusChange: true, recovery: false },
      options: { path: '/health', failuresToDown: 2 },
    })
    expect((await other.call.monitoring.settings({})).settings.enabled).toBe(false)
    const entries = await t.services.db.sql<{ details: Record<string, unknown> }[]>`
      select details from activity where owner_id = ${me.user.id} and entity_name = 'monitoring' order by id`
    expect(entries.map(({ details }) => Object.keys(details).toSorted())).toEqual([
      ['checkInterval', 'enabled', 'regions'],
      ['notifications', 'options'],
    ])
  })

  test('R-MON-01 saving without a region is refused with an explanation', async () => {
    const me = await somebody()
    const answer = await rest(me, 'PATCH', { regions: [] })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ issues: [{ path: 'regions', message: 'Select at least one region for monitoring' }] })
    for (const payload of [{ checkInterval: 0 }, { checkInterval: 1441 }, { options: { path: 'no-slash' } }, {}]) {
      expect((await rest(me, 'PATCH', payload)).statusCode).toBe(400)
    }
    expect((await me.call.monitoring.settings({})).settings.regions).toHaveLength(3)
  })

  test('R-MON-02 the token is verified with Telegram, stored encrypted, and never shown again', async () => {
    const me = await somebody()
    const { settings } = await me.call.monitoring.updateSettings({ telegram: { chatId: '-1001', botToken: token } })
    expect(settings.telegram).toEqual({ chatId: '-1001', configured: true, botName: 'watch_bot' })
    const answer = await rest(me, 'GET')
    expect(answer.body).not.toContain(token.slice(-12))
    const rows = await t.services.db.sql`
      select s::text || coalesce((select string_agg(a::text, '') from activity a where a.owner_id = s.owner_id), '') as all
      from monitor_settings s where owner_id = ${me.user.id}`
    expect(String(rows[0]?.['all'])).not.toContain(token.slice(-12))
    // Changing the chat with an empty token keeps the stored token.
    const moved = await me.call.monitoring.updateSettings({ telegram: { chatId: '-1002', botToken: '' } })
    expect(moved.settings.telegram).toEqual({ chatId: '-1002', configured: true, botName: 'watch_bot' })
    const channels = await t.services.db.sql`select chat_id from alert_channels where owner_id = ${me.user.id} and main`
    expect(channels.map((row) => String(row['chatId']))).toEqual(['-1002'])
  })

  test('R-MON-02 clearing both fields deletes the token and its chat', async () => {
    const me = await somebody()
    await me.call.monitoring.updateSettings({ telegram: { chatId: '-1001', botToken: token } })
    const { settings } = await me.call.monitoring.updateSettings({ telegram: { chatId: '', botToken: '' } })
    expect(settings.telegram).toEqual({ chatId: '', configured: false, botName: null })
    const left = await t.services.db.sql`
      select bot_token_sealed from monitor_settings where owner_id = ${me.user.id} and bot_token_sealed is not null
      union all select name from alert_channels where owner_id = ${me.user.id}`
    expect(left).toHaveLength(0)
  })

  test('R-MON-02 a token that Telegram does not know, a bot without a chat and a chat without a bot are refused', async () => {
    const me = await somebody()
    const save = (chatId: string, botToken: string) => me.call.monitoring.updateSettings({ telegram: { chatId, botToken } })
    await expect(save('-1001', `123456789:${'A'.repeat(35)}`)).rejects.toMatchObject(refusal('telegram.botToken', 'telegram_token_refused'))
    await expect(save('', token)).rejects.toMatchObject(refusal('telegram.chatId', 'required'))
    await expect(save('-1001', '')).rejects.toMatchObject(refusal('telegram.botToken', 'required'))
    expect((await me.call.monitoring.settings({})).settings.telegram.configured).toBe(false)
  })

  test('R-AUT-07 an API token can change how domains are monitored but not who is notified', async () => {
    const me = await somebody()
    const { secret } = await me.call.apiTokens.create({ name: 'tool', scope: 'write' })
    const ask = (method: 'POST' | 'PATCH', url: string, payload: object) =>
      t.app.inject({ method, url, headers: { authorization: `Bearer ${secret}` }, payload })
    expect((await ask('PATCH', '/api/settings/monitoring', { checkInterval: 10 })).statusCode).toBe(200)
    const { channel } = await me.call.alerts.createChannel({ kind: 'webhook', name: 'Ours', url: 'https://hooks.example/x' })
    const refused = [
      await ask('PATCH', '/api/settings/monitoring', { telegram: { chatId: '-1001', botToken: token } }),
      await ask('PATCH', '/api/settings/monitoring', { checkInterval: 15, telegram: { chatId: '', botToken: '' } }),
      await ask('POST', '/api/alert-channels', { kind: 'telegram', name: 'Theirs', chatId: '-1001' }),
      await ask('PATCH', `/api/alert-channels/${channel.id}`, { url: 'https://elsewhere.example/x' }),
    ]
    expect(refused.map((answer) => [answer.statusCode, answer.json<{ code: string }>().code])).toEqual(
      Array.from({ length: 4 }, () => [403, 'session_only']),
    )
    expect((await me.call.monitoring.settings({})).settings).toMatchObject({
      checkInterval: 10,
      telegram: { chatId: '', configured: false },
    })
    expect((await me.call.alerts.listChannels({})).channels).toEqual([channel])
  })

  test('R-MON-04 a window lists its domains by name and can be edited after one is deleted; another person’s domains are not found', async () => {
    const [me, other] = [await somebody(), await somebody()]
    const named = async ({ user }: SignedIn, names: readonly string[]) => {
      const { id: accountId } = await insertAccount(t.services.db, { ownerId: user.id })
      return insertZones(t.services.db, { ownerId: user.id, accountId }, names.length, (at) => ({ name: names[at] ?? '' }))
    }
    const zones = await named(me, ['xn--e1afmkfd.example', 'shop.example', 'going.example'])
    const [theirs] = await named(other, ['theirs.example'])
    const whole = { name: 'Move', startsAt: '2099-01-01T00:00:00.000Z', endsAt: '2099-01-02T00:00:00.000Z' }
    const domainIds = zones.map(({ id }) => id)
    const { window } = await me.call.alerts.createWindow({ ...whole, zoneIds: domainIds })
    const names = async () =>
      (await me.call.alerts.listWindows({})).windows.map(({ domains }) => domains.map(({ displayName }) => displayName))
    expect(window.domains.map(({ displayName }) => displayName)).toEqual(['going.example', 'shop.example', 'пример.example'])
    expect(await names()).toEqual([['going.example', 'shop.example', 'пример.example']])
    await t.services.db.sql`delete from zones where id = ${zones[2]?.id ?? ''}`
    await me.call.alerts.updateWindow({ id: window.id, ...whole, name: 'Later', zoneIds: domainIds })
    expect(await names()).toEqual([['shop.example', 'пример.example']])
    const foreign = me.call.alerts.updateWindow({ id: window.id, ...whole, zoneIds: [...domainIds, theirs?.id ?? ''] })
    await expect(foreign).rejects.toMatchObject({ cause: { code: 'not_found' } })
  })

  test('R-MON-04 a repeating window shows its next occurrence, and overlapping occurrences are refused', async () => {
    const me = await somebody()
    const whole = { name: 'Nightly', startsAt: '2099-01-01T00:00:00.000Z', endsAt: '2099-01-01T02:00:00.000Z' }
    const repeat = { every: 'day', timeZone: 'Europe/Berlin', until: null } as const
    const { window } = await me.call.alerts.createWindow({ ...whole, repeat })
    expect(window).toMatchObject({ repeat, next: { startsAt: whole.startsAt, endsAt: whole.endsAt } })
    await t.services.db.sql`update maintenance_windows set starts_at = '2020-01-01T00:00:00Z', ends_at = '2020-01-01T02:00:00Z'`
    const [listed] = (await me.call.alerts.listWindows({})).windows
    expect(Date.parse(listed?.next?.endsAt ?? '')).toBeGreaterThan(t.services.clock.now())
    expect(Date.parse(listed?.next?.startsAt ?? '')).toBeLessThan(t.services.clock.now() + 86_400_000)
    await t.services.db.sql`update maintenance_windows set repeat = jsonb_set(repeat, '{until}', '"2021-01-01T00:00:00.000Z"')`
    expect((await me.call.alerts.listWindows({})).windows).toEqual([])

    const refused = (endsAt: string, given: { every: 'day' | 'week' | 'month'; timeZone?: string; until?: string }) =>
      me.call.alerts.createWindow({ ...whole, endsAt, repeat: { timeZone: 'UTC', ...given } }).then(
        () => null,
        (error: { cause: { issues: { path: string; message: string }[] } }) =>
          error.cause.issues.map(({ path, message }) => `${path} ${message}`),
      )
    expect(await refused('2099-01-02T00:00:00.000Z', { every: 'day' })).toBeNull()
    expect(await refused('2099-01-02T00:00:00.001Z', { every: 'day' })).toEqual(['endsAt maintenance_length'])
    expect(await refused('2099-01-08T00:00:00.001Z', { every: 'week' })).toEqual(['endsAt maintenance_length'])
    expect(await refused('2099-01-29T00:00:00.001Z', { every: 'month' })).toEqual(['endsAt maintenance_length'])
    expect(await refused(whole.endsAt, { every: 'day', until: whole.startsAt })).toEqual(['repeat,until maintenance_order'])
    expect(await refused(whole.endsAt, { every: 'day', timeZone: '+03:00' })).toEqual(['repeat,timeZone invalid_time_zone'])
  })

  test('R-MON-01 thresholds are settings, default where an older version stored none, and can be overridden per group', async () => {
    const me = await somebody()
    const thresholds = { downRegions: 2, slowMs: 1_500, certificateDays: 21, expiryDays: 60, expiryDaysAutoRenew: 3 }
    await me.call.monitoring.updateSettings({ options: thresholds })
    expect((await me.call.monitoring.settings({})).settings.options).toMatchObject(thresholds)
    await t.services.db.sql`update monitor_settings set options = '{"path": "/health"}' where owner_id = ${me.user.id}`
    expect((await me.call.monitoring.settings({})).settings.options).toMatchObject({
      path: '/health',
      downRegions: null,
      slowMs: null,
      certificateDays: 14,
      expiryDays: 30,
      expiryDaysAutoRenew: 7,
    })
    const { id: groupId } = await insertGroup(t.services.db, { ownerId: me.user.id })
    await me.call.monitoring.setOverride({ groupId, override: { certificateDays: 7, slowMs: null } })
    expect((await me.call.monitoring.overrides({})).overrides).toEqual([{ groupId, override: { certificateDays: 7, slowMs: null } }])
    for (const wrong of [{ downRegions: 7 }, { downRegions: 0 }, { slowMs: 99 }, { certificateDays: 0 }, { expiryDays: 366 }])
      await expect(me.call.monitoring.updateSettings({ options: wrong })).rejects.toMatchObject({ cause: { name: 'ZodError' } })
  })

  test('R-PRM-02 an administrator views and sets another user’s monitoring and notifications without the token; for others that user is not found', async () => {
    const [me, other, admin] = [await somebody(), await somebody(), await signIn(t.services, { role: 'admin' })]
    const ownerId = me.user.id
    const { id: groupId } = await insertGroup(t.services.db, { ownerId })
    const whole = { name: 'Move', startsAt: '2099-01-01T00:00:00.000Z', endsAt: '2099-01-02T00:00:00.000Z' }
    await admin.call.monitoring.updateSettings({ ownerId, enabled: true, telegram: { chatId: '-1009', botToken: token } })
    await admin.call.monitoring.setOverride({ groupId, override: { intervalMinutes: 30 } })
    await admin.call.monitoring.saveStatusPage({ groupId, slug: `of-${ownerId}`, title: 'Theirs' })
    const { channel } = await admin.call.alerts.createChannel({
      ownerId,
      kind: 'webhook',
      name: 'Theirs',
      url: 'https://hooks.example/x',
      groupIds: [groupId],
    })
    const { window } = await admin.call.alerts.createWindow({ ownerId, ...whole, groupId })
    const read = async (call: SignedIn['call'], of: { ownerId?: string }) => ({
      settings: (await call.monitoring.settings(of)).settings,
      overrides: (await call.monitoring.overrides(of)).overrides,
      pages: (await call.monitoring.statusPages(of)).statusPages.map(({ groupId: id }) => id),
      channels: (await call.alerts.listChannels(of)).channels.map(({ id, main }) => (main ? 'main' : id)),
      windows: (await call.alerts.listWindows(of)).windows.map(({ id }) => id),
    })
    const mine = await read(me.call, {})
    expect(mine).toMatchObject({
      settings: { enabled: true, telegram: { chatId: '-1009', configured: true, botName: 'watch_bot' } },
      overrides: [{ groupId, override: { intervalMinutes: 30 } }],
      pages: [groupId],
      channels: ['main', channel.id],
      windows: [window.id],
    })
    expect(await read(admin.call, { ownerId })).toEqual(mine)
    expect(JSON.stringify(await read(admin.call, { ownerId }))).not.toContain(token.slice(-12))
    expect(await read(admin.call, {})).toMatchObject({ settings: { enabled: false }, overrides: [], pages: [], channels: [], windows: [] })
    // The settings belong to the owner: their bot sends with the token, and the change is in their log.
    const entries = await t.services.db.sql`select from activity where owner_id = ${ownerId} and actor_id = ${admin.user.id}`
    expect(entries.length).toBeGreaterThanOrEqual(5)
    const nobody = '00000000-0000-7000-8000-000000000000'
    const refused = (call: SignedIn['call'], id: string) => [
      call.monitoring.settings({ ownerId: id }),
      call.monitoring.updateSettings({ ownerId: id, enabled: true }),
      call.monitoring.overrides({ ownerId: id }),
      call.monitoring.statusPages({ ownerId: id }),
      call.alerts.listChannels({ ownerId: id }),
      call.alerts.createChannel({ ownerId: id, kind: 'webhook', name: 'Mine', url: 'https://hooks.example/x' }),
      call.alerts.listWindows({ ownerId: id }),
      call.alerts.createWindow({ ownerId: id, ...whole }),
      call.alerts.listMessages({ ownerId: id }),
    ]
    const answers = await Promise.allSettled([...refused(other.call, ownerId), ...refused(admin.call, nobody)])
    expect(
      answers.map((each) => (each.status === 'rejected' ? (each.reason as { cause: { code: string } }).cause.code : each.status)),
    ).toEqual(Array.from({ length: 18 }, () => 'not_found'))
    expect(await read(me.call, {})).toEqual(mine)
  })

  test('a group can override monitoring; an empty override is none, and another person’s group is not found', async () => {
    const [me, other] = [await somebody(), await somebody()]
    const { id: groupId } = await insertGroup(t.services.db, { ownerId: me.user.id })
    const override = { intervalMinutes: 30, regions: ['ASIA' as const], keyword: 'shop' }
    await me.call.monitoring.setOverride({ groupId, override })
    expect((await me.call.monitoring.overrides({})).overrides).toEqual([{ groupId, override }])
    await expect(other.call.monitoring.setOverride({ groupId, override: { enabled: false } })).rejects.toMatchObject({
      cause: { code: 'not_found' },
    })
    await me.call.monitoring.setOverride({ groupId, override: {} })
    expect((await me.call.monitoring.overrides({})).overrides).toEqual([])
  })
})
