import { z } from 'zod'
import { registrarCustomers } from '#server/simulators/registrar-world.ts'
import { call, deck, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ world: { zones: 20, accounts: 1, plain: true }, accounts: 1 })

const zones = z.object({ data: z.array(z.object({ id: z.uuid(), accountId: z.uuid(), displayName: z.string() })) })
const added = z.object({ zone: z.object({ nameServers: z.array(z.string()) }) })
const addedZone = z.object({ zone: z.object({ id: z.uuid() }) })
const created = z.object({ registrar: z.object({ id: z.uuid() }) })

test('R-REG-02 R-REG-03 a manual registrar is added, found, edited without its secrets and deleted', async ({ mine, t }) => {
  await mine.goto('/registrars')
  await mine.getByRole('button', { name: t('registrars:empty.action') }).click()
  const dialog = mine.getByRole('dialog')
  await dialog.getByRole('button', { name: t('registrars:add') }).click()
  await expect(dialog.getByText(t('validation:required')).first()).toBeVisible()
  await dialog.getByLabel(t('registrars:form.name')).fill('Nameshop')
  await dialog.getByRole('combobox', { name: t('registrars:form.provider') }).click()
  await mine.getByRole('option', { name: t('registrars:form.other') }).click()
  await dialog.getByRole('button', { name: t('registrars:add') }).click()
  await expect(dialog.getByText(t('validation:required'))).toHaveCount(3)
  await dialog.getByLabel(t('registrars:form.company')).fill('Gandi')
  await dialog.getByLabel(t('registrars:form.url')).fill('https://admin.gandi.net/')
  await dialog.getByLabel(t('registrars:field.manual_username')).fill('anna')
  await dialog.getByLabel(t('registrars:field.manual_password'), { exact: false }).first().fill('long-secret-word')
  await dialog.getByRole('button', { name: t('registrars:add') }).click()
  await expect(dialog).toBeHidden()
  await mine.getByLabel(t('registrars:search')).fill('gandi')
  const card = mine.getByRole('button', { name: 'Nameshop', exact: true })
  await expect(mine.getByText('Gandi', { exact: true })).toBeVisible()
  await card.click()
  await expect(dialog.getByRole('link', { name: t('registrars:details.open') })).toHaveAttribute('href', 'https://admin.gandi.net/')
  await mine.keyboard.press('Escape')
  await mine.getByLabel(t('registrars:search')).fill('')

  const menu = mine.getByRole('button', { name: t('registrars:actions.label', { registrar: 'Nameshop' }) })
  await menu.click()
  await mine.getByRole('menuitem', { name: t('registrars:actions.edit') }).click()
  await expect(dialog.getByLabel(t('registrars:field.manual_username'))).toHaveValue('')
  await dialog.getByRole('textbox', { name: t('registrars:form.name'), exact: true }).fill('Nameshop 2')
  await dialog.getByRole('button', { name: t('registrars:form.save') }).click()
  await expect(dialog).toBeHidden()
  await expect(mine.getByRole('button', { name: 'Nameshop 2', exact: true })).toBeVisible()

  await mine.getByRole('button', { name: t('registrars:actions.label', { registrar: 'Nameshop 2' }) }).click()
  await mine.getByRole('menuitem', { name: t('registrars:actions.delete') }).click()
  await dialog.getByRole('button', { name: t('registrars:delete.confirm') }).click()
  await expect(mine.getByText(t('registrars:empty.title'))).toBeVisible()
})

test('R-DOM-10 R-REG-04 a domain gets its registrar and shows its details; the registrar cannot be deleted until its domains are detached', async ({
  mine,
  t,
}) => {
  await call('POST', '/registrars', created, {
    name: 'Kept',
    username: 'anna',
    password: 'long-secret-word',
    apiUrl: 'https://panel.kept.example/',
  })
  const { data } = await call('GET', '/zones/live?limit=1', zones)
  await mine.goto(`/domains/${data[0]?.id ?? ''}`)
  // In the page: the sidebar has a button for new registrars too.
  const actions = mine.getByRole('region', { name: t('zone:actions.title') })
  await actions.getByRole('button', { name: t('zone:actions.registrar') }).click()
  const dialog = mine.getByRole('dialog')
  await dialog.getByRole('combobox', { name: t('zone:registrar.label') }).click()
  await mine.getByRole('option', { name: 'Kept' }).click()
  await dialog.getByRole('button', { name: t('zone:registrar.save') }).click()
  await expect(mine.getByText(t('zone:registrar.done', { registrar: 'Kept' }))).toBeVisible()

  const facts = mine.getByRole('region', { name: t('domains:details.general') })
  await facts.getByRole('button', { name: 'Kept', exact: true }).click()
  await expect(dialog.getByRole('heading', { name: 'Kept' })).toBeVisible()
  await expect(dialog.getByRole('link', { name: t('registrars:details.open') })).toHaveAttribute('href', 'https://panel.kept.example/')
  await dialog.getByRole('button', { name: t('registrars:details.reveal') }).click()
  await expect(dialog.getByText('anna', { exact: true })).toBeVisible()
  await dialog.getByRole('link', { name: t('zone:registrar.in_list') }).click()
  await expect(mine).toHaveURL(/\/registrars\?q=Kept/)

  await mine.goto('/registrars')
  await mine.getByRole('button', { name: t('registrars:actions.label', { registrar: 'Kept' }) }).click()
  await mine.getByRole('menuitem', { name: t('registrars:actions.delete') }).click()
  await expect(dialog.getByRole('button', { name: t('registrars:delete.confirm') })).toBeDisabled()
  await expect(dialog.getByText(data[0]?.displayName ?? 'none')).toBeVisible()
  await dialog.getByRole('link', { name: t('registrars:delete.show') }).click()
  await expect(mine).toHaveURL(/\/domains\?registrar=/)
  await expect(mine.getByRole('row').filter({ hasText: data[0]?.displayName ?? 'none' })).toBeVisible()

  await mine.goto('/registrars')
  const askToDelete = async () => {
    await mine.getByRole('button', { name: t('registrars:actions.label', { registrar: 'Kept' }) }).click()
    await mine.getByRole('menuitem', { name: t('registrars:actions.delete') }).click()
  }
  await askToDelete()
  await dialog.getByRole('button', { name: t('registrars:delete.detach', { count: 1, formatted: '1' }) }).click()
  await mine.getByRole('button', { name: t('operations:preview.run', { count: 1, formatted: '1' }), exact: true }).click()
  await expect(dialog).toHaveCount(0)
  const attached = z.object({ registrars: z.array(z.object({ name: z.string(), domainsCount: z.int() })) })
  const left = async () => (await call('GET', '/registrars', attached)).registrars.find(({ name }) => name === 'Kept')?.domainsCount
  await expect.poll(left).toBe(0)
  await mine.reload()
  await askToDelete()
  await dialog.getByRole('button', { name: t('registrars:delete.confirm') }).click()
  await expect(mine.getByText(t('registrars:done.deleted'))).toBeVisible()
})

test('R-REG-04 R-ERR-01 several registrars are deleted together, all or none, and the blocking ones are reported', async ({ mine, t }) => {
  const add = (name: string) => call('POST', '/registrars', created, { name, username: 'anna', password: 'long-secret-word' })
  const [held] = [await add('Old 1'), await add('Old 2'), await add('Old 3')]
  await mine.goto('/registrars?q=Old')
  await mine
    .getByRole('radiogroup')
    .locator('label')
    .filter({ hasText: t('common:view.list') })
    .click()
  const bar = mine.getByRole('toolbar')
  const dialog = mine.getByRole('dialog')
  const counted = { count: 3, formatted: '3' }
  await mine.getByRole('checkbox', { name: t('common:table.select_all') }).click()
  await expect(bar).toContainText(t('registrars:selected', counted))
  await bar.getByRole('button', { name: t('registrars:actions.delete') }).click()
  await expect(dialog.getByRole('heading', { name: t('registrars:delete_several.title', counted) })).toBeVisible()
  await expect(dialog.getByRole('listitem')).toHaveText(['Old 1', 'Old 2', 'Old 3'])

  // A domain is attached while the deletion is in progress.
  const { data } = await call('GET', '/zones/live?limit=1', zones)
  await mine.route(
    /registrars\.removeMany/,
    async (route) => {
      await call('PATCH', `/zones/${data[0]?.id ?? ''}/registrar`, z.unknown(), { registrarId: held.registrar.id })
      await route.continue()
    },
    { times: 1 },
  )
  await dialog.getByRole('button', { name: t('registrars:delete_several.confirm') }).click()
  await expect(mine.getByText(t('registrars:failed.delete_several'), { exact: true }).first()).toBeVisible()
  await expect(dialog).toContainText(t('registrars:delete_several.attached', { formatted: '1' }))
  await expect(dialog.getByRole('listitem')).toHaveText(['Old 1'])
  await expect(dialog.getByRole('button', { name: t('registrars:delete_several.confirm') })).toBeDisabled()
  await dialog.getByRole('button', { name: t('common:cancel') }).click()

  await call('PATCH', `/zones/${data[0]?.id ?? ''}/registrar`, z.unknown(), { registrarId: null })
  await mine.reload()
  await mine.getByRole('checkbox', { name: t('common:table.select_all') }).click()
  await bar.getByRole('button', { name: t('registrars:actions.delete') }).click()
  await dialog.getByRole('button', { name: t('registrars:delete_several.confirm') }).click()
  await expect(mine.getByText(t('registrars:done.deleted_several', counted))).toBeVisible()
  await expect(mine.getByText(t('registrars:empty.title'))).toBeVisible()
})

test('R-REG-05 R-BUY-04 the registrar pages show names without a zone, name servers by pair, and renewals with a calendar', async ({
  mine,
  t,
}) => {
  const { data } = await call('GET', '/zones/live?limit=1', zones)
  const { zone } = await call('POST', '/zones', added, {
    domainName: 'waits-for-its-servers.com',
    accountId: data[0]?.accountId,
    ipAddress: '192.0.2.10',
  })
  const pages = mine.getByRole('navigation', { name: t('registrars:tabs.label') })
  await mine.goto('/registrars/name-servers')
  await expect(mine.getByText('waits-for-its-servers.com')).toBeVisible()
  await mine.getByText(t('registrars:delegation.pairs'), { exact: true }).click()
  const pairs = mine.getByRole('list', { name: t('registrars:delegation.pairs') })
  await expect(pairs.getByText(zone.nameServers.join(' · '))).toBeVisible()

  await pages.getByRole('link', { name: t('registrars:tabs.unbound') }).click()
  await expect(mine.getByText(t('registrars:unbound.empty_title'))).toBeVisible()

  await pages.getByRole('link', { name: t('registrars:tabs.renewals') }).click()
  await mine.getByRole('button', { name: t('registrars:feed.open') }).click()
  const dialog = mine.getByRole('dialog')
  await dialog.getByRole('button', { name: t('registrars:feed.create') }).click()
  await expect(dialog.getByText('/api/renewals.ics?token=')).toBeVisible()
  await dialog.getByRole('button', { name: t('registrars:feed.remove') }).click()
  await expect(dialog.getByRole('button', { name: t('registrars:feed.create') })).toBeVisible()
})

test('R-REG-05 R-BUY-04 the expiry of a domain comes from the registry and the delegation of a name without a zone from DNS, each with its source', async ({
  mine,
  t,
}) => {
  const dayMs = 86_400_000
  const { data } = await call('GET', '/zones/live?limit=1', zones)
  const name = 'known-to-its-registry.com'
  deck().registered.set(name, {
    registeredAtMs: Date.now() - dayMs,
    expiresAtMs: Date.now() + 20 * dayMs,
    registrar: 'Some Shop, LLC',
    nameServers: [],
  })
  const add = (domainName: string) =>
    call('POST', '/zones', addedZone, { domainName, accountId: data[0]?.accountId, ipAddress: '192.0.2.10' }).then(({ zone }) => zone.id)
  const [known, russian] = [await add(name), await add('without-rdap.ru')]
  const facts = mine.getByRole('region', { name: t('domains:details.general') })
  await mine.goto(`/domains/${russian}`)
  await facts.getByRole('button', { name: t('zone:registry.ask') }).click()
  await expect(facts.getByText(t('zone:registry.not_offered', { tld: '.ru' }))).toBeVisible()
  await mine.goto(`/domains/${known}`)
  await facts.getByRole('button', { name: t('zone:registry.ask') }).click()
  await expect(facts.getByText(t('zone:registry.by_registry'))).toBeVisible()

  await mine.goto('/registrars/renewals')
  const row = mine.getByRole('row').filter({ hasText: name })
  await expect(row.getByText(t('registrars:renewals.by_registry'))).toBeVisible()
  await expect(row.getByTitle('Some Shop, LLC')).toBeVisible()

  const held = deck().market.accounts.find(({ provider }) => provider === 'PORKBUN')
  const heldSince = Date.now()
  const parked = ['ns1.old-host.example', 'ns2.old-host.example']
  const unbound = 'leads-elsewhere.com'
  held?.names.set(unbound, {
    name: unbound,
    createdAtMs: heldSince,
    expiresAtMs: heldSince + 300 * dayMs,
    autoRenew: true,
    locked: true,
    privacy: true,
    nameServers: parked,
    apiAccess: true,
  })
  deck().cloudflare.state.registrarNameServers.set(unbound, parked)
  await call('POST', '/registrars', created, { name: 'Porkbun', type: 'API_ENABLED', provider: 'PORKBUN', ...registrarCustomers.PORKBUN })
  await mine.goto('/registrars/unbound')
  const line = mine.getByRole('row').filter({ hasText: unbound })
  await expect(line.getByText(parked.join(', '))).toBeVisible()
  await line.getByRole('checkbox').check()
  await mine.getByRole('button', { name: t('registrars:unbound.bind') }).click()
  const dialog = mine.getByRole('dialog')
  await dialog.getByRole('button', { name: t('registrars:unbound.preview') }).click()
  await expect(dialog.getByText(parked.join(', '))).toBeVisible()
  await expect(dialog.getByText(t('operations:change.servers_given'))).toBeVisible()
})
