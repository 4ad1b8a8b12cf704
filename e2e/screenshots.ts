import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, devices } from 'playwright'
import type { Page } from 'playwright'
import { z } from 'zod'
import { startCloudflareSimulator } from '#server/simulators/cloudflare/simulator.ts'
import { registryOfWorld, startRdapSimulator } from '#server/simulators/rdap.ts'
import { registrarCustomers, startRegistrarWorld } from '#server/simulators/registrar-world.ts'
import { startTargetsSimulator } from '#server/simulators/targets/simulator.ts'
import { startTelegramSimulator } from '#server/simulators/telegram/simulator.ts'
import { sitesOfWorld } from '#server/simulators/web-of-world.ts'
import { startTrackerWorld } from '#server/simulators/tracker-world.ts'
import { buildWorld } from '#server/simulators/world.ts'
import { user } from '#shared/features/auth/schema.ts'
import { languages } from '#shared/i18n/languages.ts'
import type { Language } from '#shared/i18n/languages.ts'
import { chromiumPath } from './chromium.ts'
import { texts } from './texts.ts'
import { startPanel, temporaryFolder } from './panel.ts'
import { smallPng } from './small-png.ts'

/** The screenshots in the repository: PAGE-[phone-]THEME-LANGUAGE. Not every page is needed in every variant. */
const screenshots: ReadonlySet<string> = new Set([
  'domains-dark-en',
  'grid-dark-en',
  'records-dark-en',
  'preview-dark-en',
  'monitoring-dark-en',
  'history-dark-en',
  'trackers-dark-en',
  'palette-dark-en',
  'operations-dark-en',
  'system-dark-en',
  'domains-light-en',
  'domain-light-en',
  'accounts-light-en',
  'operation-light-en',
  'offers-light-en',
  'add-light-en',
  'groups-light-en',
  'registrars-light-en',
  'incidents-light-en',
  'security-light-en',
  'sharing-light-en',
  'addresses-light-en',
  'activity-light-en',
  'alerts-light-en',
  'welcome-light-en',
  'login-light-en',
  'domains-dark-ru',
  'domain-light-ru',
  'records-light-ru',
  'operation-dark-ru',
  'offers-light-ru',
  'renewals-dark-ru',
  'monitoring-dark-ru',
  'incidents-light-ru',
  'domains-phone-dark-en',
  'domain-phone-light-en',
  'operation-phone-dark-en',
  'records-phone-dark-ru',
  'monitoring-phone-light-ru',
  'incidents-phone-dark-ru',
])

/**
 * Takes the screenshots of `docs/screenshots` from a seeded world.
 * With names (`npm run screenshots -- trackers welcome`) only those pages are taken.
 */
const target = fileURLToPath(new URL('../docs/screenshots', import.meta.url))
const password = 'correct horse battery'
const only = new Set(process.argv.slice(2))
type Named = (what: string) => string
/** Whether the page is taken in the variant whose suffix is `name`. */
const isWanted = (what: string, name: Named): boolean => screenshots.has(name(what)) && (only.size === 0 || only.has(what))
let taken = 0
const session = z.object({ token: z.string(), user })

const world = buildWorld({ zones: 1_800, accounts: 12, seed: 3, nowMs: Date.now() })
const cloudflare = await startCloudflareSimulator({ world, budget: null, addressLimitPerSecond: null })
const targets = await startTargetsSimulator({ sites: sitesOfWorld(cloudflare.state, world.content().zones.slice(0, 400)) })
const telegram = await startTelegramSimulator()
const bot = { token: '4242424242:AApicturesPicturesPicturesPicturesPic', chatId: '-1004242424242' }
telegram.state.addBot('zonedeck_bot', bot.token)
telegram.state.addChat(Number(bot.chatId), 'supergroup')
const registrars = await startRegistrarWorld({
  world,
  onDelegation: (name, nameServers) => cloudflare.state.registrarNameServers.set(name, nameServers),
})
const rdap = await startRdapSimulator({
  find: registryOfWorld(registrars.market, (name) => cloudflare.state.zonesNamed(name)[0] ?? null),
  perSecond: null,
})
const trackers = await startTrackerWorld({ world, state: cloudflare.state })
const folder = await temporaryFolder()
const roots = join(folder.path, 'roots.pem')
await writeFile(roots, targets.root)
const panel = await startPanel({
  DATA_DIR: folder.path,
  CLOUDFLARE_BASE_URL: cloudflare.url,
  CLOUDFLARE_BUDGET: '1000000/10',
  DNS_SERVERS: targets.dnsServer,
  CHECK_VIA: targets.viaText,
  CHECK_ROOTS: roots,
  TELEGRAM_BASE_URL: telegram.url,
  RDAP_BOOTSTRAP_URL: rdap.url,
  // Registries are simulated locally, and the servers of the world have addresses reserved for documentation.
  OUTBOUND_ALLOW: '127.0.0.1/32,192.0.2.0/24,198.51.100.0/24,203.0.113.0/24,2001:db8::/32',
  ...registrars.urls,
  LOG_LEVEL: 'warn',
})
const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox', '--disable-gpu', '--no-first-run'] })

async function call<T extends z.ZodType>(method: string, path: string, schema: T, token?: string, body?: unknown): Promise<z.output<T>> {
  const response = await fetch(`${panel.url}/api${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  const answer = await response.text()
  return schema.parse(answer === '' ? undefined : JSON.parse(answer))
}

/** Adds registrars with their names, fully synced, and a manual one. */
async function fillRegistrars(token: string): Promise<void> {
  const companies = { NAMECHEAP: 'Namecheap', GODADDY: 'GoDaddy', PORKBUN: 'Porkbun', REGRU: 'REG.RU' } as const
  for (const provider of ['NAMECHEAP', 'GODADDY', 'PORKBUN', 'REGRU'] as const) {
    const fields = { name: companies[provider], type: 'API_ENABLED', provider, ...registrarCustomers[provider] }
    await call('POST', '/registrars', z.unknown(), token, fields)
  }
  const byHand = { name: 'Old shops', provider: 'OTHER', company: 'Nameshop', username: 'anna', password: 'a-word-of-its-own' }
  await call('POST', '/registrars', z.unknown(), token, byHand)
  await call('POST', '/registration/contacts', z.unknown(), token, {
    name: 'Main',
    firstName: 'Anna',
    lastName: 'Petrova',
    email: 'anna@example.com',
    phone: '+74951234567',
    address: 'Tverskaya 1',
    city: 'Moscow',
    region: 'Moscow',
    postalCode: '125009',
    country: 'RU',
    isDefault: true,
  })
  const read = z.object({
    registrars: z.array(z.object({ type: z.string(), sync: z.object({ state: z.string(), syncedAt: z.string().nullable() }) })),
  })
  for (;;) {
    const { registrars: all } = await call('GET', '/registrars', read, token)
    if (all.every(({ type, sync }) => type === 'MANUAL' || sync.syncedAt !== null || sync.state === 'failed')) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/** Adds both trackers, fully synced, with most of their domains bound, and some domains in reserve. */
async function fillTrackers(token: string): Promise<void> {
  const read = z.object({ trackers: z.array(z.object({ sync: z.object({ syncedAt: z.string().nullable() }) })) })
  const linkable = z.object({
    rows: z.array(z.object({ zone: z.object({ id: z.uuid() }).nullable(), tracker: z.object({ id: z.uuid() }).nullable() })),
  })
  for (const [kind, name, { url, apiKey }, addresses] of [
    ['KEITARO', 'Keitaro', trackers.keitaro, trackers.addresses.keitaro],
    ['BINOM', 'Binom', trackers.binom, trackers.addresses.binom],
  ] as const) {
    await call('POST', '/trackers', z.unknown(), token, { kind, name, url, apiKey, addresses })
  }
  while (!(await call('GET', '/trackers', read, token)).trackers.every(({ sync }) => sync.syncedAt !== null)) {
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  const { rows } = await call('GET', '/trackers/reconciliation?state=not_linked&limit=100', linkable, token)
  for (const { zone, tracker } of rows) {
    if (zone !== null && tracker !== null) await call('POST', `/zones/${zone.id}/tracker`, z.unknown(), token, { trackerId: tracker.id })
  }
  const spare = z.object({ data: z.array(z.object({ id: z.uuid() })) })
  const { data } = await call('GET', '/zones/live?tracker=none&limit=12', spare, token)
  await call('POST', '/reserve-domains', z.unknown(), token, { zoneIds: data.map(({ id }) => id), note: 'Spare for landing pages' })
}

/** Loads the seeded world into the panel, fully synced. */
async function fill(): Promise<{ readonly session: z.output<typeof session>; readonly domainId: string; readonly operationId: string }> {
  const owner = await call('POST', '/auth/register', session, undefined, {
    name: 'Anna Petrova',
    email: 'anna@example.com',
    password,
    passwordConfirmation: password,
  })
  for (const { email, globalKey, condition } of world.credentials) {
    await call('POST', '/accounts', z.unknown(), owner.token, { email, apiKey: globalKey }).catch((error: unknown) => {
      if (condition !== 'revoked') throw error
    })
  }
  const accounts = z.object({ accounts: z.array(z.object({ sync: z.object({ state: z.string(), detailsPending: z.int() }) })) })
  for (;;) {
    const { accounts: all } = await call('GET', '/accounts', accounts, owner.token)
    if (all.every(({ sync }) => (sync.state === 'idle' || sync.state === 'failed') && sync.detailsPending === 0)) break
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  await call('PATCH', '/settings/monitoring', z.unknown(), owner.token, {
    enabled: true,
    regions: ['EUROPE'],
    notifications: { statusChange: true, dnsMismatch: true, sslIssues: true, traffic: true, recovery: true },
    telegram: { chatId: bot.chatId, botToken: bot.token },
  })
  await fillRegistrars(owner.token)
  await fillTrackers(owner.token)
  const { data } = await call(
    'GET',
    '/zones/live?limit=1&status=active',
    z.object({ data: z.array(z.object({ id: z.uuid() })) }),
    owner.token,
  )
  const domainId = data[0]?.id ?? ''
  // Gives the history some changes.
  const records = z.object({ records: z.array(z.object({ id: z.string(), type: z.string() })) })
  const zone = `/zones/${domainId}`
  await call('PATCH', `${zone}/settings`, z.unknown(), owner.token, { ssl: 'strict', minTlsVersion: '1.2' })
  const address = (await call('GET', `${zone}/dns-records`, records, owner.token)).records.find(({ type }) => type === 'A')
  if (address !== undefined) {
    await call('PATCH', `${zone}/dns-records/${address.id}`, z.unknown(), owner.token, { content: '203.0.113.77', comment: 'new server' })
  }
  const spf = 'v=spf1 include:_spf.google.com ip4:192.0.2.10 -all'
  const added = await call('POST', `${zone}/dns-records`, z.object({ record: z.object({ id: z.string() }) }), owner.token, {
    type: 'TXT',
    name: 'news',
    content: spf,
  })
  await call('PATCH', `${zone}/dns-records/${added.record.id}`, z.unknown(), owner.token, { content: spf.replace('.10', '.77') })
  return { session: owner, domainId, operationId: await fillMore(owner.token) }
}

/** Adds groups, profiles, users and an operation with a few failed domains. */
async function fillMore(token: string): Promise<string> {
  const zones = z.object({ data: z.array(z.object({ id: z.uuid(), zoneId: z.string() })) })
  const { data } = await call('GET', '/zones/live?limit=400&status=active', zones, token)
  const ids = data.map(({ id }) => id)
  const made = z.object({ group: z.object({ id: z.uuid() }) })
  const groups = [
    ['Landing pages', 'rocket', '#4f7cff'],
    ['Shops', 'cart', '#22a06b'],
    ['Blogs', 'world', '#d9a514'],
  ] as const
  for (const [index, [name, icon, color]] of groups.entries()) {
    const { group } = await call('POST', '/groups', made, token, { name, icon, color, description: '' })
    await call('POST', `/groups/${group.id}/zones`, z.unknown(), token, { zoneIds: ids.slice(index * 60, index * 60 + 24 + index * 10) })
  }
  const settings = { ssl: 'strict', minTlsVersion: '1.2', alwaysUseHttps: true }
  const records = [{ type: 'A', name: '@', content: '203.0.113.10', ttl: 1, proxied: true }]
  await call('POST', '/profiles', z.unknown(), token, { name: 'Landing page', settings, records })
  await call('POST', '/profiles', z.unknown(), token, { name: 'Under attack', settings: { securityLevel: 'under_attack' }, records: [] })
  for (const [username, name, role] of [
    ['daniel', 'Daniel Weber', 'user'],
    ['elena', 'Elena Volkova', 'admin'],
    ['mia', 'Mia Larsen', 'user'],
  ]) {
    await call('POST', '/users', z.unknown(), token, { username, name, role, email: `${username}@example.com`, password })
  }
  for (const { zoneId: providerZoneId } of data.slice(3, 8)) {
    cloudflare.faults.add({ method: 'PATCH', path: `/zones/${providerZoneId}/settings*`, effect: { kind: 'success-false' } })
  }
  const started = z.object({ operation: z.object({ id: z.uuid() }) })
  const { operation } = await call('POST', '/zones/bulk-update-settings', started, token, {
    ids: ids.slice(0, 150),
    settings: { ssl: 'strict' },
  })
  const now = z.object({ operation: z.object({ state: z.string() }) })
  for (;;) {
    if ((await call('GET', `/operations/${operation.id}`, now, token)).operation.state === 'done') break
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  cloudflare.faults.clear()
  const overview = z.object({ health: z.object({ unknown: z.int(), ok: z.int() }) })
  for (const until = Date.now() + 120_000; Date.now() < until;) {
    const { health } = await call('GET', '/monitoring', overview, token)
    if (health.ok > 0 && health.unknown < health.ok / 10) break
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  return operation.id
}

const settled = async (page: Page) => {
  await page.locator('.loader').first().waitFor({ state: 'detached' })
  await page.locator('[aria-busy=true], [class*=skeleton]').first().waitFor({ state: 'detached' })
  await page.evaluate(() => document.fonts.ready)
}

async function shoot(page: Page, what: string, name: Named): Promise<void> {
  if (!isWanted(what, name)) return
  await writeFile(`${target}/${name(what)}.png`, smallPng(await page.screenshot({ animations: 'disabled', caret: 'hide' })))
  taken += 1
}

async function palette(page: Page, name: Named): Promise<void> {
  await page.goto(`${panel.url}/domains`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('textbox').fill('me')
  await page.getByRole('dialog').locator('mark').first().waitFor()
  await shoot(page, 'palette', name)
}

const newNames = Array.from({ length: 40 }, (_, index) => `new-offer-${index + 1}.com`).join('\n')

/** Takes the dialogs of bulk changes, of additions and of the shares of a group. */
async function dialogs(page: Page, language: Language, name: Named): Promise<void> {
  const t = texts(language)
  const dialog = page.getByRole('dialog').last()
  const show = async (what: string): Promise<void> => {
    await settled(page)
    await shoot(page, what, name)
  }
  await page.goto(`${panel.url}/domains?status=active`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page
    .getByRole('main')
    .getByRole('button', { name: t('domains:add.button') })
    .click()
  await dialog.getByText(t('domains:add.many'), { exact: true }).click()
  await dialog.getByRole('textbox').first().fill(newNames)
  for (let account = 0; account < 2; account += 1) {
    await dialog.getByLabel(t('domains:add.add_account'), { exact: true }).first().click()
    await page.getByRole('option').first().click()
  }
  await dialog.locator('[name=ipAddress]').fill('203.0.113.10')
  await show('add')
  await dialog.getByRole('button', { name: t('domains:add.preview') }).click()
  await page.getByRole('list', { name: t('operations:preview.shares') }).waitFor()
  await show('preview')

  await page.goto(`${panel.url}/groups`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page
    .getByRole('button', { name: t('groups:actions.label', { group: 'Shops' }) })
    .first()
    .click()
  await page.getByRole('menuitem', { name: t('groups:actions.share') }).click()
  await dialog.getByRole('textbox', { name: t('sharing:user') }).waitFor()
  await show('sharing')
}

const wantedNames = ['harbor', 'lantern', 'orchard', 'meadow', 'premium-bay', 'taken-bay']
  .flatMap((word) =>
    ['com', 'net', 'shop'].map((zone) => `${word.startsWith('premium') || word.startsWith('taken') ? word : `free-${word}`}.${zone}`),
  )
  .join('\n')

/** Takes the prices of several registrars for the same names. */
async function buying(page: Page, language: Language, name: Named): Promise<void> {
  const t = texts(language)
  await page.goto(`${panel.url}/register-domains`)
  await page.getByLabel(t('buying:names.label')).fill(wantedNames)
  await page.getByRole('button', { name: t('buying:names.check') }).click()
  await page.getByText(t('buying:offers.asked')).waitFor()
  await page.getByLabel(t('buying:term.label')).selectOption('2')
  await settled(page)
  await shoot(page, 'offers', name)
}

try {
  const { session: owner, domainId, operationId } = await fill()
  const pages = {
    domains: '/domains',
    grid: '/domains?view=grid',
    domain: `/domains/${domainId}`,
    records: `/domains/${domainId}/records`,
    security: `/domains/${domainId}/security`,
    history: `/domains/${domainId}/history`,
    groups: '/groups',
    accounts: '/accounts',
    registrars: '/registrars',
    renewals: '/registrars/renewals',
    addresses: '/addresses',
    monitoring: '/monitoring',
    incidents: '/monitoring?tab=incidents',
    alerts: '/settings?tab=monitoring',
    trackers: '/trackers',
    welcome: '/welcome',
    operations: '/operations',
    operation: `/operations/${operationId}`,
    activity: '/activity-logs',
    system: '/settings?tab=system',
  }
  if (only.size === 0) await rm(target, { recursive: true, force: true })
  await mkdir(target, { recursive: true })
  for (const device of ['desktop', 'phone'] as const) {
    for (const theme of ['dark', 'light'] as const) {
      for (const language of languages) {
        const name = (what: string) => `${what}-${device === 'phone' ? 'phone-' : ''}${theme}-${language}`
        const context = await browser.newContext({
          ...(device === 'phone' ? { ...devices['Pixel 7'], deviceScaleFactor: 1 } : { viewport: { width: 1280, height: 800 } }),
          locale: language,
          reducedMotion: 'reduce',
        })
        await context.addInitScript(
          ([selectedTheme, selectedLanguage]) => {
            localStorage.setItem('zonedeck.theme', selectedTheme ?? '')
            localStorage.setItem('zonedeck.language', selectedLanguage ?? '')
          },
          [theme, language],
        )
        const page = await context.newPage()
        await page.goto(`${panel.url}/login`)
        await settled(page)
        await shoot(page, 'login', name)
        await context.addInitScript(
          (stored) => localStorage.setItem('zonedeck.auth', stored),
          JSON.stringify({ ...owner, isAuthenticated: true }),
        )
        for (const [what, path] of Object.entries(pages).filter(([each]) => isWanted(each, name))) {
          await page.goto(`${panel.url}${path}`)
          await page.getByRole('heading', { level: 1 }).waitFor()
          if (what === 'alerts') await page.getByRole('main').getByRole('heading', { level: 2 }).first().waitFor()
          await settled(page)
          await shoot(page, what, name)
        }
        if (isWanted('palette', name)) await palette(page, name)
        if (['add', 'preview', 'sharing'].some((each) => isWanted(each, name))) await dialogs(page, language, name)
        if (isWanted('offers', name)) await buying(page, language, name)
        await context.close()
      }
    }
  }
  process.stdout.write(`${taken} screenshots\n`)
} finally {
  await browser.close()
  await panel.stop()
  await rdap.close()
  await registrars.close()
  await trackers.close()
  await targets.close()
  await telegram.close()
  await cloudflare.close()
  await folder.remove()
}
