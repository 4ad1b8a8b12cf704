import type { Page } from 'playwright/test'
import { z } from 'zod'
import { applyEdit } from '#server/simulators/cloudflare/control.ts'
import { rulesetsOf } from '#server/simulators/cloudflare/ruleset-world.ts'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import { mostProfileRules } from '#shared/features/profiles/rules.ts'
import { axeFindings } from '../../axe.ts'
import { dragRow } from '../../drag-row.ts'
import { call, deck, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ world: { zones: 8, accounts: 1, plain: true }, accounts: 1 })

const zones = z.object({ data: z.array(z.object({ id: z.uuid(), zoneId: z.string(), name: z.string(), status: z.string() })) })
const waf = 'http_request_firewall_custom'
const redirects = 'http_request_dynamic_redirect'
const many = (count: number) => ({ count, formatted: String(count) })
const foreign = { ref: 'other_country', description: 'Theirs', expression: '(ip.src.country eq "XX")', action: 'block' }

/** Active domains with a rule of another program, which the panel has read. */
async function domainsWithRules() {
  const active = (await call('GET', '/zones/live?limit=1000', zones)).data.filter(({ status }) => status === 'active')
  const [first, second] = active
  if (first === undefined || second === undefined) throw new Error('too few active domains')
  for (const { id, zoneId: providerZoneId } of [first, second]) {
    applyEdit(deck().cloudflare.state, { kind: 'ruleset', zone: providerZoneId, phase: waf, rules: [foreign] })
    await call('POST', `/zones/${id}/rulesets/refresh`, z.unknown())
  }
  return [first, second] as const
}
const atCloudflare = (providerZoneId: string, phase: RulePhase = waf) => {
  const { state } = deck().cloudflare
  const rules = rulesetsOf(state, state.getZone(providerZoneId)).get(phase)?.versions.at(-1)?.rules ?? []
  return rules.map(({ fields }) => fields)
}
const names = (providerZoneId: string) => atCloudflare(providerZoneId).map(({ description }) => description)

type Texts = Parameters<Parameters<typeof test>[2]>[0]['t']
const profileDialog = (page: Page, t: Texts, title: 'create_title' | 'edit_title') =>
  page.getByRole('dialog', { name: t(`profiles:form.${title}`) })
const ruleDialog = (page: Page, t: Texts, phase: RulePhase, kind: 'new' | 'edit' = 'new') =>
  page.getByRole('dialog', { name: t(`profiles:rules.${kind}`, { phase: t(`rule-names:phases.${phase}`) }) })
async function addTo(page: Page, t: Texts, phase: RulePhase) {
  await page
    .getByRole('button', { name: t('profiles:rules.add'), exact: true })
    .first()
    .click()
  await page
    .getByRole('menuitem')
    .filter({ hasText: t(`rule-names:phases.${phase}`) })
    .first()
    .click()
  return ruleDialog(page, t, phase)
}

test('a profile gets rules from the library and by hand; closing the form asks before they are lost', async ({ mine, t }) => {
  await mine.goto('/profiles')
  await mine.getByRole('button', { name: t('profiles:empty.action') }).click()
  const dialog = profileDialog(mine, t, 'create_title')
  await dialog.getByLabel(t('profiles:form.name')).fill('Лендинги')

  let rule = await addTo(mine, t, waf)
  await rule.getByLabel(t('rulesets:form.description')).fill('Admin')
  await rule.getByLabel(t('rulesets:form.expression')).fill('http.host eq "admin.{{domain}}"')
  await rule.getByLabel(t('rulesets:form.description')).press('Escape')
  await mine
    .getByRole('dialog', { name: t('common:discard.title') })
    .getByRole('button', { name: t('common:discard.keep') })
    .click()
  await rule.getByRole('button', { name: t('profiles:rules.add') }).click()
  await expect(rule).toBeHidden()

  rule = await addTo(mine, t, waf)
  await rule.getByLabel(t('rulesets:form.template')).selectOption('skip_postback')
  await expect(rule.getByLabel(t('profiles:rules.place'))).toHaveValue('first')
  await rule.getByRole('button', { name: t('profiles:rules.add') }).click()

  rule = await addTo(mine, t, redirects)
  const target = rule.getByRole('textbox', { name: t('rulesets:form.target') })
  await rule.getByLabel(t('rulesets:form.expression')).fill('http.host eq "www.{{domain}}"')
  await target.fill('www.{{domain}}')
  await rule.getByRole('button', { name: t('profiles:rules.add') }).click()
  await expect(target).toHaveAccessibleDescription(t('validation:invalid_url'))
  await target.fill('https://{{domain}}/')
  await rule.getByRole('button', { name: t('profiles:rules.add') }).click()
  await expect(rule).toBeHidden()

  const part = dialog.getByRole('region', { name: t(`rule-names:phases.${waf}`) })
  const rows = part.getByRole('listitem').filter({ has: mine.getByRole('switch') })
  await expect(rows).toHaveText([new RegExp(t('rulesets:templates.skip_postback.name')), /Admin/])
  await expect(part).toContainText(t('profiles:rules.used', { used: '2', limit: '5', plan: 'Free' }))
  const act = async (action: 'copy' | 'up' | 'delete', of: number, name: string) => {
    await rows
      .nth(of)
      .getByRole('button', { name: t('rulesets:row.menu', { rule: name }) })
      .click()
    await mine.getByRole('menuitem', { name: t(`rulesets:row.${action}`) }).click()
  }
  for (let count = 3; count <= 6; count += 1) {
    await act('copy', 1, 'Admin')
    await ruleDialog(mine, t, waf)
      .getByRole('button', { name: t('profiles:rules.add') })
      .click()
    await expect(rows).toHaveCount(count)
  }
  await expect(part).toContainText(t('profiles:rules.over', { used: '6', limit: '5', plan: 'Free' }))
  for (let count = 5; count >= 2; count -= 1) {
    await act('delete', count, 'Admin')
    await expect(rows).toHaveCount(count)
  }
  await act('up', 1, 'Admin')
  await expect(rows.last()).toContainText(t('profiles:rules.before'))
  const handle = t('rulesets:row.drag')
  const ordered = (...names: string[]) => expect(rows).toHaveText(names.map((name) => new RegExp(name)))
  const skip = t('rulesets:templates.skip_postback.name')
  await dragRow(mine, rows.nth(1), rows.nth(0), handle)
  // Escape ends the drag, not the form.
  await mine.keyboard.press('Escape')
  await mine.mouse.up()
  await ordered(skip, 'Admin')
  await dragRow(mine, rows.nth(1), rows.nth(0), handle)
  await mine.mouse.up()
  await ordered('Admin', skip)
  await dragRow(mine, rows.nth(0), rows.nth(1), handle)
  await mine.mouse.up()
  await ordered(skip, 'Admin')
  await rows
    .last()
    .getByRole('button', { name: t('rulesets:row.edit', { rule: 'Admin' }) })
    .click()
  rule = ruleDialog(mine, t, waf, 'edit')
  await rule.getByLabel(t('profiles:rules.place')).selectOption('last')
  await rule.getByRole('button', { name: t('profiles:rules.save') }).click()
  await expect(rows.last()).toContainText(t('profiles:rules.after'))
  expect(await axeFindings(mine)).toEqual([])

  await mine.keyboard.press('Escape')
  await mine
    .getByRole('dialog', { name: t('common:discard.title') })
    .getByRole('button', { name: t('common:discard.keep') })
    .click()
  await dialog.getByRole('button', { name: t('profiles:form.create') }).click()
  await expect(dialog).toBeHidden()
  const card = mine.getByRole('list', { name: t('profiles:title') }).getByRole('listitem')
  await expect(card).toContainText('Admin')
  await expect(card).toContainText(t(`rule-names:phases.${redirects}`))
})

test('its rules are applied after a preview, shown as ours, compared, applied again, undone and removed', async ({ mine, t }) => {
  const [one, other] = await domainsWithRules()
  await mine.goto('/domains?status=active')
  for (const { name } of [one, other]) await mine.getByRole('checkbox', { name: t('common:table.select_row', { row: name }) }).click()
  await mine
    .getByRole('toolbar')
    .getByRole('button', { name: t('operations:bulk.more') })
    .click()
  await mine.getByRole('menuitem', { name: t('operations:bulk.profile') }).click()
  const dialog = mine.getByRole('dialog')
  await dialog.getByLabel(t('operations:profile.verify')).check()
  await dialog.getByRole('button', { name: t('operations:bulk.preview') }).click()
  const plan = mine.getByRole('listitem').filter({ hasText: one.name })
  await expect(plan).toContainText(`${t(`rule-names:phases.${waf}`)}: Admin`)
  await expect(plan).toContainText(`http.host eq "admin.${one.name}"`)
  await mine.getByRole('button', { name: t('operations:preview.run', many(2)), exact: true }).click()
  const skip = t('rulesets:templates.skip_postback.name')
  for (const zone of [one, other]) await expect.poll(() => names(zone.zoneId), { timeout: 20_000 }).toEqual([skip, 'Theirs', 'Admin'])

  await mine.goto(`/domains/${one.id}/rules`)
  const rows = mine.getByRole('region', { name: t(`rule-names:phases.${waf}`), exact: true }).getByRole('listitem')
  const ours = new RegExp(t('rulesets:row.of_profile', { profile: 'Лендинги' }))
  await expect(rows).toHaveText([ours, new RegExp(t('rulesets:row.foreign')), ours])

  await mine.goto('/profiles')
  await mine.getByRole('button', { name: 'Лендинги', exact: true }).click()
  const form = profileDialog(mine, t, 'edit_title')
  await form.getByRole('button', { name: t('rulesets:row.edit', { rule: 'Admin' }) }).click()
  const rule = ruleDialog(mine, t, waf, 'edit')
  await rule.getByLabel(t('rulesets:form.action'), { exact: true }).selectOption('managed_challenge')
  await rule.getByRole('button', { name: t('profiles:rules.save') }).click()
  await form.getByRole('button', { name: t('profiles:form.save') }).click()
  await expect(form).toBeHidden()

  await mine.goto(`/domains/${one.id}`)
  const section = mine.getByRole('region', { name: t('zone:profile.title') })
  await expect(section).toContainText(t('zone:profile.version', { version: '1', current: '2' }))
  await expect(section).toContainText(`${t(`rule-names:phases.${waf}`)}: Admin`)
  await expect(section.getByRole('insertion')).toHaveText(t('rule-names:actions.managed_challenge'))
  await section.getByRole('button', { name: t('zone:profile.restore') }).click()
  await mine.getByRole('button', { name: t('operations:preview.run', many(1)), exact: true }).click()
  await expect(section).toContainText(t('zone:profile.same'))
  expect(atCloudflare(one.zoneId)[2]).toMatchObject({ action: 'managed_challenge' })

  const ended = mine.getByRole('status').filter({ has: mine.getByRole('button', { name: t('operations:page.undo') }) })
  await ended.getByRole('button', { name: t('operations:page.undo') }).click()
  await expect(dialog.getByRole('listitem').filter({ hasText: one.name })).toContainText(t('rule-names:actions.managed_challenge'))
  await dialog.getByRole('button', { name: t('operations:preview.run_undo', many(1)), exact: true }).click()
  await expect.poll(() => atCloudflare(one.zoneId)[2]?.['action'], { timeout: 20_000 }).toBe('block')

  await mine.goto(`/domains/${one.id}`)
  await section.getByRole('button', { name: t('zone:profile.forget') }).click()
  await dialog.getByLabel(t('zone:profile.remove_rules')).check()
  await dialog.getByRole('button', { name: t('zone:profile.preview') }).click()
  await mine.getByRole('button', { name: t('operations:preview.run', many(1)), exact: true }).click()
  await expect(section).toContainText(t('zone:profile.none'))
  expect(names(one.zoneId)).toEqual(['Theirs'])
  expect(names(other.zoneId)).toEqual([skip, 'Theirs', 'Admin'])
})

test('the rules of a profile are removed from selected domains', async ({ mine, t }) => {
  const { data } = await call('GET', '/zones/live?limit=1000', zones)
  const left = data.find((zone) => zone.status === 'active' && names(zone.zoneId).length > 1)
  if (left === undefined) throw new Error('no domain has the profile')
  await mine.goto('/domains?status=active')
  await mine.getByRole('checkbox', { name: t('common:table.select_row', { row: left.name }) }).click()
  await mine
    .getByRole('toolbar')
    .getByRole('button', { name: t('operations:bulk.more') })
    .click()
  await mine.getByRole('menuitem', { name: t('operations:bulk.profile') }).click()
  const dialog = mine.getByRole('dialog')
  await dialog.getByRole('combobox', { name: t('operations:profile.label') }).click()
  await mine.getByRole('option', { name: t('operations:profile.detach') }).click()
  await expect(dialog.getByLabel(t('operations:profile.verify'))).toHaveCount(0)
  await dialog.getByRole('button', { name: t('operations:bulk.preview') }).click()
  await mine.getByRole('button', { name: t('operations:preview.run', many(1)), exact: true }).click()
  await expect.poll(() => names(left.zoneId), { timeout: 20_000 }).toEqual(['Theirs'])
})

test('a profile with the most rules says why no more can be added', async ({ mine, t }) => {
  const rules = Array.from({ length: mostProfileRules }, (_, at) => ({
    key: `r${at}`,
    phase: waf,
    description: `Rule ${at}`,
    expression: 'ssl',
    action: 'block',
  }))
  await call('POST', '/profiles', z.unknown(), { name: 'Full', settings: {}, records: [], rules })
  await mine.goto('/profiles')
  await mine.getByRole('button', { name: 'Full', exact: true }).click()
  const add = profileDialog(mine, t, 'edit_title').getByRole('button', { name: t('profiles:rules.add') })
  await expect(add).toBeDisabled()
  await expect(add).toHaveAttribute('title', t('profiles:rules.full', { formatted: String(mostProfileRules) }))
})

test('a ready rule brings its list of countries as a variable, which a group and a domain have with values of their own', async ({
  mine,
  t,
}) => {
  const { data } = await call('GET', '/zones/live?limit=1000', zones)
  const zone = data.find(({ status }) => status === 'active')
  if (zone === undefined) throw new Error('no domain is active')
  await call('POST', '/groups', z.unknown(), { name: 'Лендинги СНГ' })
  await mine.goto('/profiles')
  const main = mine.locator('#main')
  await main
    .getByRole('button', { name: t('profiles:add') })
    .or(main.getByRole('button', { name: t('profiles:empty.action') }))
    .click()
  const dialog = profileDialog(mine, t, 'create_title')
  await dialog.getByLabel(t('profiles:form.name')).fill('По странам')
  const rule = await addTo(mine, t, waf)
  await rule.getByLabel(t('rulesets:form.template')).selectOption('allow_countries')
  await expect(rule.getByLabel(t('rulesets:form.expression'))).toHaveValue(/in \{\{allowed_countries\}\}/)
  await rule.getByLabel(t('rulesets:form.expression')).fill('not ip.src.country in {{allowed_countries}} or ip.src in {{office}}')
  await rule.getByRole('button', { name: t('profiles:rules.add') }).click()
  await expect(rule.getByLabel(t('rulesets:form.expression'))).toHaveAccessibleDescription(/\{\{office\}\}/)
  await rule.getByLabel(t('rulesets:form.expression')).fill('not ip.src.country in {{allowed_countries}}')
  await rule.getByRole('button', { name: t('profiles:rules.add') }).click()
  await expect(rule).toBeHidden()

  const variable = dialog.getByRole('group', { name: t('profiles:variables.row', { name: 'allowed_countries' }) })
  const values = variable.getByLabel(t('profiles:variables.default'))
  await expect(values).toHaveValue('US, CA')
  await values.fill('us, uk')
  await dialog.getByRole('button', { name: t('profiles:form.create') }).click()
  await expect(values).toHaveAccessibleDescription(t('faults:variable_country', { value: 'UK' }))
  await values.fill('us gb')
  expect(await axeFindings(mine)).toEqual([])
  await dialog.getByRole('button', { name: t('profiles:form.create') }).click()
  await expect(dialog).toBeHidden()

  await mine.goto(`/domains/${zone.id}`)
  const section = mine.getByRole('region', { name: t('zone:profile.title') })
  await section.getByRole('button', { name: t('zone:profile.values') }).click()
  const ofDomain = mine.getByRole('dialog', { name: t('profiles:values.title_domain', { name: zone.name }) })
  const own = ofDomain.getByLabel('allowed_countries')
  await expect(own).toHaveAttribute('placeholder', 'US, GB')
  await own.fill('kz')
  expect(await axeFindings(mine)).toEqual([])
  await ofDomain.getByRole('button', { name: t('profiles:values.save') }).click()
  await expect(ofDomain).toBeHidden()

  await mine.goto('/groups')
  await mine.getByRole('button', { name: t('groups:actions.label', { group: 'Лендинги СНГ' }) }).click()
  await mine.getByRole('menuitem', { name: t('groups:actions.values') }).click()
  const ofGroup = mine.getByRole('dialog', { name: t('profiles:values.title_group', { name: 'Лендинги СНГ' }) })
  await ofGroup.getByLabel('allowed_countries').fill('RU, BY')
  await ofGroup.getByRole('button', { name: t('profiles:values.save') }).click()
  await expect(ofGroup).toBeHidden()
  await mine.getByRole('button', { name: t('groups:actions.label', { group: 'Лендинги СНГ' }) }).click()
  await mine.getByRole('menuitem', { name: t('groups:actions.values') }).click()
  await expect(ofGroup.getByLabel('allowed_countries')).toHaveValue('RU, BY')
})

test('a rule of a profile that was changed at Cloudflare is adopted into the profile after a preview', async ({ mine, t }) => {
  const { data } = await call('GET', '/zones/live?limit=1000', zones)
  const zone = data.findLast(({ status }) => status === 'active')
  if (zone === undefined) throw new Error('no domain is active')
  const rule = { key: 'admin', phase: waf, description: 'Adopted', expression: 'http.request.uri.path eq "/admin"', action: 'block' }
  const made = z.object({ profile: z.object({ id: z.uuid() }) })
  const { profile } = await call('POST', '/profiles', made, { name: 'Переносимый', settings: {}, records: [], rules: [rule] })
  const draft = z.object({ operation: z.object({ id: z.uuid() }) })
  const request = { kind: 'profile', input: { profileId: profile.id } }
  const { operation } = await call('POST', '/operations', draft, { request, target: { ids: [zone.id] } })
  await call('POST', `/operations/${operation.id}/start`, z.unknown())
  await expect.poll(() => names(zone.zoneId), { timeout: 20_000 }).toContain('Adopted')
  const state = () => deck().cloudflare.state
  const present = rulesetsOf(state(), state().getZone(zone.zoneId)).get(waf)?.versions.at(-1)?.rules ?? []
  const rules = present.map(({ id, ref, fields }) => ({
    ...fields,
    id,
    ref,
    ...(fields['description'] === 'Adopted' && { action: 'log' }),
  }))
  applyEdit(state(), { kind: 'ruleset', zone: zone.zoneId, phase: waf, rules })
  await call('POST', `/zones/${zone.id}/rulesets/refresh`, z.unknown())

  await mine.goto(`/domains/${zone.id}`)
  const section = mine.getByRole('region', { name: t('zone:profile.title') })
  await section.getByRole('button', { name: t('zone:profile.adopt') }).click()
  const dialog = mine.getByRole('dialog')
  await expect(dialog).toContainText(t('zone:profile.adopt_text', { version: '2' }))
  await expect(dialog.getByRole('insertion')).toHaveText(t('rule-names:actions.log'))
  await expect(dialog).toContainText(t('zone:profile.adopt_none_differ'))
  expect(await axeFindings(mine)).toEqual([])
  await dialog.getByRole('button', { name: t('zone:profile.adopt_confirm') }).click()
  await expect(dialog).toBeHidden()
  await expect(section).toContainText(t('zone:profile.same'))
})
