import type { Page } from 'playwright/test'
import { z } from 'zod'
import { applyEdit } from '#server/simulators/cloudflare/control.ts'
import { rulesetsOf } from '#server/simulators/cloudflare/ruleset-world.ts'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import { dragByFinger, dragRow } from '../../drag-row.ts'
import { call, deck, expect, register, signIn, test, useDeck } from '../../fixtures.ts'

useDeck({ world: { zones: 40, accounts: 1, plain: true }, accounts: 1 })

const zones = z.object({ data: z.array(z.object({ id: z.uuid(), zoneId: z.string(), name: z.string(), status: z.string() })) })
const used = new Set<string>()
const waf = 'http_request_firewall_custom'
const foreign = [
  {
    ref: 'other_bots',
    description: 'Verified bots',
    expression: '(cf.client.bot)',
    action: 'skip',
    action_parameters: { ruleset: 'current' },
  },
  { ref: 'other_country', description: 'Theirs', expression: '(ip.src.country eq "XX")', action: 'block' },
]

const remoteOf = (providerZoneId: string) => deck().cloudflare.state.getZone(providerZoneId)
const setOutside = (providerZoneId: string, rules: readonly object[], phase: RulePhase = waf) =>
  applyEdit(deck().cloudflare.state, { kind: 'ruleset', zone: providerZoneId, phase, rules: rules as Record<string, unknown>[] })
const atCloudflare = (providerZoneId: string, phase: RulePhase = waf) =>
  rulesetsOf(deck().cloudflare.state, remoteOf(providerZoneId))
    .get(phase)
    ?.versions.at(-1)
    ?.rules.map(({ fields }) => fields) ?? []

/**
 * A domain on the Free plan that no other test uses, with rules that another program created. It was just refreshed: its page would do so by
 * itself if that was long ago, and read the rules again at any time.
 */
async function fresh(rules: readonly object[] = foreign) {
  const { data } = await call('GET', '/zones/live', zones)
  const found = data.find((zone) => zone.status === 'active' && !used.has(zone.id) && remoteOf(zone.zoneId).plan === 'free')
  if (found === undefined) throw new Error('no domain is left')
  used.add(found.id)
  setOutside(found.zoneId, rules)
  await call('POST', `/zones/${found.id}/refresh`, z.unknown())
  return { id: found.id, providerZoneId: found.zoneId }
}

const undoOf = (page: Page, title: string, undo: string) =>
  page.getByRole('status').filter({ hasText: title }).getByRole('button', { name: undo })

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('rules of a domain are listed by phase, and a rule is added, switched, moved, edited and deleted, which can be undone', async ({
  mine,
  t,
}) => {
  const { id, providerZoneId } = await fresh()
  await mine.goto(`/domains/${id}`)
  await mine.getByRole('link', { name: t('zone:tabs.rules') }).click()
  const part = section(mine, t(`rule-names:phases.${waf}`))
  await expect(part.getByRole('listitem')).toHaveCount(2)
  await expect(part).toContainText(t('rulesets:used_on', { used: '2', limit: '5', plan: 'Free' }))
  await expect(part.getByText(t('rulesets:row.foreign'))).toHaveCount(2)
  const tab = mine.getByRole('link', { name: t('zone:tabs.rules') })
  // With the page rules of the domain.
  const all = mine.getByRole('main').getByRole('listitem')
  const before = await all.count()
  await expect(tab).toHaveText(`${t('zone:tabs.rules')}${before}`)

  await part.getByRole('button', { name: t('rulesets:add_to', { phase: t(`rule-names:phases.${waf}`) }) }).click()
  const dialog = mine.getByRole('dialog')
  await dialog.getByLabel(t('rulesets:form.description')).fill('Ours')
  const expression = dialog.getByLabel(t('rulesets:form.expression'))
  await expression.pressSequentially('http.request.uri.pat')
  await expect(mine.getByRole('listbox').getByRole('option').first()).toContainText('http.request.uri.path')
  await expression.press('Enter')
  await expect(expression).toHaveValue(/^http\.request\.uri\.path ?$/)
  await expression.fill('http.request.uri.path eq "/admin"')
  // The first Escape closes the suggestions only.
  await expression.press('Escape')
  await dialog.getByLabel(t('rulesets:form.position')).selectOption('1')
  await dialog.getByRole('button', { name: t('rulesets:check.action') }).click()
  await expect(dialog.getByText(t('rulesets:check.accepted'))).toBeVisible()
  await dialog.getByRole('button', { name: t('rulesets:form.add') }).click()
  await expect(dialog).toBeHidden()
  const rows = part.getByRole('listitem')
  await expect(rows).toHaveCount(3)
  await expect(tab).toHaveText(`${t('zone:tabs.rules')}${before + 1}`)
  await expect(rows.first()).toContainText('Ours')
  expect(atCloudflare(providerZoneId).map(({ description }) => description)).toEqual(['Ours', 'Verified bots', 'Theirs'])

  await rows.first().getByRole('switch').click()
  await expect.poll(() => atCloudflare(providerZoneId)[0]?.['enabled']).toBe(false)
  await undoOf(mine, t('rulesets:switched_off', { rule: 'Ours' }), t('history:undo')).click()
  await expect.poll(() => atCloudflare(providerZoneId)[0]?.['enabled']).toBe(true)
  await expect(rows.first().getByRole('switch')).toBeChecked()

  await rows
    .first()
    .getByRole('button', { name: t('rulesets:row.menu', { rule: 'Ours' }) })
    .click()
  await mine.getByRole('menuitem', { name: t('rulesets:row.last') }).click()
  await expect.poll(() => atCloudflare(providerZoneId).map(({ description }) => description)).toEqual(['Verified bots', 'Theirs', 'Ours'])
  await expect(rows.last()).toContainText('Ours')

  await rows
    .last()
    .getByRole('button', { name: t('rulesets:row.edit', { rule: 'Ours' }) })
    .click()
  await dialog.getByLabel(t('rulesets:form.action')).selectOption('managed_challenge')
  await dialog.getByRole('button', { name: t('rulesets:form.save') }).click()
  await expect(dialog).toBeHidden()
  await expect(rows.last()).toContainText(t('rule-names:actions.managed_challenge'))

  await rows
    .last()
    .getByRole('button', { name: t('rulesets:row.menu', { rule: 'Ours' }) })
    .click()
  await mine.getByRole('menuitem', { name: t('rulesets:row.delete') }).click()
  await expect(dialog).toContainText(t(`rulesets:phases.${waf}.deleted`))
  await dialog.getByRole('button', { name: t('rulesets:delete.confirm') }).click()
  await expect(rows).toHaveCount(2)
  await undoOf(mine, t('rulesets:deleted', { rule: 'Ours' }), t('history:undo')).click()
  await expect(rows).toHaveCount(3)
  expect(atCloudflare(providerZoneId).map(({ description }) => description)).toEqual(['Verified bots', 'Theirs', 'Ours'])
})

test('a rule is dragged to another place, which can be undone; Escape and a position of an outdated list leave the order', async ({
  mine,
  t,
}) => {
  const third = { ...foreign[1], ref: 'other_third', description: 'Third' }
  const { id, providerZoneId } = await fresh([...foreign, third])
  await mine.goto(`/domains/${id}/rules`)
  const rows = section(mine, t(`rule-names:phases.${waf}`)).getByRole('listitem')
  await expect(rows).toHaveCount(3)
  const names = () => atCloudflare(providerZoneId).map(({ description }) => description)
  const first = ['Verified bots', 'Theirs', 'Third']
  const handle = t('rulesets:row.drag')
  // Otherwise a pen would scroll.
  await expect(rows.nth(0).getByTitle(handle)).toHaveCSS('touch-action', 'none')

  await dragRow(mine, rows.nth(2), rows.nth(0), handle)
  await mine.keyboard.press('Escape')
  await mine.mouse.up()
  await expect(rows).toHaveText(first.map((name) => new RegExp(name)))
  await dragRow(mine, rows.nth(2), rows.nth(0), handle)
  await mine.mouse.up()
  await expect(rows).toHaveText(['Third', 'Verified bots', 'Theirs'].map((name) => new RegExp(name)))
  await expect.poll(names).toEqual(['Third', 'Verified bots', 'Theirs'])
  await undoOf(mine, t('rulesets:moved', { rule: 'Third' }), t('history:undo')).click()
  await expect.poll(names).toEqual(first)
  await expect(rows).toHaveText(first.map((name) => new RegExp(name)))

  await dragRow(mine, rows.nth(0), rows.nth(1), handle)
  await mine.mouse.up()
  await expect.poll(names).toEqual(['Theirs', 'Verified bots', 'Third'])
  setOutside(providerZoneId, [...foreign, third])
  await dragRow(mine, rows.nth(2), rows.nth(0), handle)
  await mine.mouse.up()
  await expect(rows.last().getByRole('alert')).toContainText(t('rulesets:failed.move'))
  await expect(rows).toHaveText(first.map((name) => new RegExp(name)))
  expect(names()).toEqual(first)
})

test('on a laptop with a touch screen a finger on the grip of a rule drags it, and elsewhere scrolls', async ({ mine, t }) => {
  const { id, providerZoneId } = await fresh()
  await mine.goto(`/domains/${id}/rules`)
  const rows = section(mine, t(`rule-names:phases.${waf}`)).getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await expect(rows.nth(0)).toHaveCSS('touch-action', 'auto')
  await dragByFinger(mine, rows.nth(1), rows.nth(0), t('rulesets:row.drag'))
  await expect(rows).toHaveText(['Theirs', 'Verified bots'].map((name) => new RegExp(name)))
  await expect.poll(() => atCloudflare(providerZoneId).map(({ description }) => description)).toEqual(['Theirs', 'Verified bots'])
})

test('a move in an order that the failed move before it would have made is refused and sends nothing', async ({ mine, t }) => {
  const names = ['A', 'B', 'C', 'D']
  const { id, providerZoneId } = await fresh(names.map((name) => ({ ...foreign[1], ref: `other_${name}`, description: `Rule ${name}` })))
  await mine.goto(`/domains/${id}/rules`)
  const rows = section(mine, t(`rule-names:phases.${waf}`)).getByRole('listitem')
  await expect(rows).toHaveCount(4)
  const expectOrder = (order: readonly string[]) => expect(rows).toHaveText(order.map((name) => new RegExp(`Rule ${name}`)))
  const { promise: chosen, resolve: fail } = Promise.withResolvers<undefined>()
  await mine.route(
    /rulesets\.moveRule/,
    async (route) => {
      await chosen
      await route.abort()
    },
    { times: 1 },
  )
  const drag = async (from: number, to: number) => {
    await dragRow(mine, rows.nth(from), rows.nth(to), t('rulesets:row.drag'))
    await mine.mouse.up()
  }
  await drag(3, 0)
  await expectOrder(['D', 'A', 'B', 'C'])
  await drag(3, 1)
  await expectOrder(['D', 'C', 'A', 'B'])
  fail(undefined)
  await expect(rows.filter({ hasText: 'Rule C' }).getByRole('alert')).toContainText(t('rulesets:failed.move'))
  await expectOrder(names)
  expect(atCloudflare(providerZoneId).map(({ description }) => description)).toEqual(names.map((name) => `Rule ${name}`))
})

test('a rule is saved or added only after the change before it, whose new version is no conflict', async ({ mine, t }) => {
  const { id, providerZoneId } = await fresh()
  await mine.goto(`/domains/${id}/rules`)
  const name = t(`rule-names:phases.${waf}`)
  const part = section(mine, name)
  const rows = part.getByRole('listitem')
  await expect(rows).toHaveCount(2)
  const sent: string[] = []
  /** The next change by a switch is held until the returned function is called. */
  const holdSwitch = async (): Promise<() => void> => {
    const { promise: released, resolve } = Promise.withResolvers<undefined>()
    await mine.route(
      /rulesets\.updateRule/,
      async (route) => {
        await released
        sent.push('switch')
        await route.continue()
      },
      { times: 1 },
    )
    return () => resolve(undefined)
  }
  mine.on('request', (request) => {
    const procedure = /rulesets\.(createRule|updateRule)/.exec(request.url())?.[1]
    if (procedure !== undefined) sent.push(procedure)
  })
  const dialog = mine.getByRole('dialog')
  const submit = async (button: string, release: () => void): Promise<void> => {
    await dialog.getByRole('button', { name: button }).click()
    await expect(dialog.getByRole('button', { name: button })).toBeDisabled()
    release()
    await expect(dialog).toBeHidden()
  }

  const releaseFirst = await holdSwitch()
  await rows.last().getByRole('switch').click()
  await part.getByRole('button', { name: t('rulesets:row.edit', { rule: 'Theirs' }) }).click()
  await dialog.getByLabel(t('rulesets:form.description')).fill('Mine')
  await submit(t('rulesets:form.save'), releaseFirst)
  expect(atCloudflare(providerZoneId)[1]).toMatchObject({ description: 'Mine', enabled: false })

  const releaseSecond = await holdSwitch()
  await rows.last().getByRole('switch').click()
  await part.getByRole('button', { name: t('rulesets:add_to', { phase: name }) }).click()
  await dialog.getByLabel(t('rulesets:form.description')).fill('Added')
  await dialog.getByLabel(t('rulesets:form.expression')).fill('http.request.uri.path eq "/admin"')
  await dialog.getByLabel(t('rulesets:form.position')).selectOption('2')
  await submit(t('rulesets:form.add'), releaseSecond)
  expect(atCloudflare(providerZoneId)).toMatchObject([{ description: 'Verified bots' }, { description: 'Added' }, { enabled: true }])
  expect(sent).toEqual(['updateRule', 'switch', 'updateRule', 'updateRule', 'switch', 'createRule'])
})

test('two changes one after the other each keep their undo, also of the same rule', async ({ mine, t }) => {
  const { id, providerZoneId } = await fresh()
  await mine.goto(`/domains/${id}/rules`)
  const rows = section(mine, t(`rule-names:phases.${waf}`)).getByRole('listitem')
  await expect(rows).toHaveCount(2)
  const enabled = () => atCloudflare(providerZoneId).map(({ enabled: on }) => on ?? true)
  await rows.nth(0).getByRole('switch').click()
  await rows.nth(1).getByRole('switch').click()
  const undo = t('history:undo')
  const [bots, theirs] = ['Verified bots', 'Theirs'].map((rule) => undoOf(mine, t('rulesets:switched_off', { rule }), undo))
  if (bots === undefined || theirs === undefined) throw new Error('no offers')
  await expect(theirs).toBeVisible()
  await expect(bots).toBeVisible()
  expect(enabled()).toEqual([false, false])
  await bots.click()
  await expect.poll(enabled).toEqual([true, false])
  await theirs.click()
  await expect.poll(enabled).toEqual([true, true])

  // Two moves have one history, of the order: the later one is undone first.
  const menu = async (row: number, rule: string, action: 'first' | 'last') => {
    await rows
      .nth(row)
      .getByRole('button', { name: t('rulesets:row.menu', { rule }) })
      .click()
    await mine.getByRole('menuitem', { name: t(`rulesets:row.${action}`) }).click()
  }
  const names = () => atCloudflare(providerZoneId).map(({ description }) => description)
  await menu(1, 'Theirs', 'first')
  await menu(1, 'Verified bots', 'first')
  await expect.poll(names).toEqual(['Verified bots', 'Theirs'])
  await undoOf(mine, t('rulesets:moved', { rule: 'Verified bots' }), undo).click()
  await expect.poll(names).toEqual(['Theirs', 'Verified bots'])
  await undoOf(mine, t('rulesets:moved', { rule: 'Theirs' }), undo).click()
  await expect.poll(names).toEqual(['Verified bots', 'Theirs'])
})

test('a response of its own for a block is disabled on the Free plan, which says why', async ({ mine, t }) => {
  const { id } = await fresh([])
  await mine.goto(`/domains/${id}/rules`)
  const name = t(`rule-names:phases.${waf}`)
  await section(mine, name)
    .getByRole('button', { name: t('rulesets:add_to', { phase: name }) })
    .click()
  const response = mine.getByRole('dialog').getByRole('switch', { name: t('rulesets:form.own_response') })
  await expect(response).toBeDisabled()
  await expect(response).toHaveAccessibleDescription(new RegExp(t('rulesets:form.not_on_free')))
})

test('a refused expression is shown at its field in the words of Cloudflare, and the input stays', async ({ mine, t }) => {
  const { id, providerZoneId } = await fresh()
  await mine.goto(`/domains/${id}/rules`)
  const name = t(`rule-names:phases.${waf}`)
  await section(mine, name)
    .getByRole('button', { name: t('rulesets:add_to', { phase: name }) })
    .click()
  const dialog = mine.getByRole('dialog')
  const expression = dialog.getByLabel(t('rulesets:form.expression'))
  await expression.fill('http.no_such_field eq "x"')
  await dialog.getByRole('button', { name: t('rulesets:check.action') }).click()
  const checked = dialog.getByRole('status').filter({ hasText: t('rulesets:check.refused') })
  await expect(checked).toContainText('no_such_field')
  await dialog.getByRole('button', { name: t('rulesets:form.add') }).click()
  await expect(dialog.getByText(/Cloudflare 20127: .*no_such_field/).first()).toBeVisible()
  await expect(expression).toHaveValue('http.no_such_field eq "x"')
  await expect(expression).toHaveAttribute('aria-invalid', 'true')
  // The field says it, so the check does not repeat it.
  await expect(checked).not.toContainText('no_such_field', { timeout: 5_000 })
  expect(atCloudflare(providerZoneId)).toHaveLength(2)
})

test('a rule that was changed at Cloudflare meanwhile is not overwritten without asking', async ({ mine, t }) => {
  const { id, providerZoneId } = await fresh()
  await mine.goto(`/domains/${id}/rules`)
  await section(mine, t(`rule-names:phases.${waf}`))
    .getByRole('button', { name: t('rulesets:row.edit', { rule: 'Theirs' }) })
    .click()
  const dialog = mine.getByRole('dialog')
  await dialog.getByLabel(t('rulesets:form.description')).fill('Mine')
  await mine.keyboard.press('Escape')
  await mine
    .getByRole('dialog', { name: t('common:discard.title') })
    .getByRole('button', { name: t('common:discard.keep') })
    .click()
  await expect(dialog).toHaveCount(1)
  setOutside(providerZoneId, [{ ...foreign[0] }, { ...foreign[1], description: 'Edited elsewhere', action: 'managed_challenge' }])
  await dialog.getByRole('button', { name: t('rulesets:form.save') }).click()
  const question = dialog.getByRole('alert')
  await expect(question).toContainText('Edited elsewhere')
  await expect(question).toContainText(t('rule-names:actions.managed_challenge'))
  await expect(question).toBeFocused()
  await expect(dialog.getByRole('button', { name: t('rulesets:form.save') })).toBeDisabled()
  expect(atCloudflare(providerZoneId)[1]?.['description']).toBe('Edited elsewhere')
  await question.getByRole('button', { name: t('rulesets:conflict.mine') }).click()
  await expect(dialog).toBeHidden()
  expect(atCloudflare(providerZoneId)[1]?.['description']).toBe('Mine')
})

test('switching or deleting a rule that was deleted at Cloudflare says so', async ({ mine, t }) => {
  const { id, providerZoneId } = await fresh()
  await mine.goto(`/domains/${id}/rules`)
  const rows = section(mine, t(`rule-names:phases.${waf}`)).getByRole('listitem')
  await expect(rows).toHaveCount(2)
  setOutside(providerZoneId, foreign.slice(0, 1))
  await rows.last().getByRole('switch').click()
  await expect(rows).toHaveCount(1)
  await expect(mine.getByRole('alert')).toContainText(t('rulesets:failed.toggle'))
  await rows.getByRole('button', { name: t('rulesets:row.menu', { rule: 'Verified bots' }) }).click()
  await mine.getByRole('menuitem', { name: t('rulesets:row.delete') }).click()
  setOutside(providerZoneId, [])
  await mine
    .getByRole('dialog')
    .getByRole('button', { name: t('rulesets:delete.confirm') })
    .click()
  await expect(mine.getByText(t('rulesets:already_deleted'))).toBeVisible()
  await expect(mine.getByRole('dialog')).toBeHidden()
  await expect(rows).toHaveCount(0)
})

test('a deletion whose answer is lost is reported by what happened to the rule', async ({ mine, t }) => {
  const { id, providerZoneId } = await fresh()
  await mine.goto(`/domains/${id}/rules`)
  const rows = section(mine, t(`rule-names:phases.${waf}`)).getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await mine.route('**/trpc/rulesets.deleteRule**', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await rows.getByRole('button', { name: t('rulesets:row.menu', { rule: 'Theirs' }) }).click()
  await mine.getByRole('menuitem', { name: t('rulesets:row.delete') }).click()
  const dialog = mine.getByRole('dialog')
  await dialog.getByRole('button', { name: t('rulesets:delete.confirm') }).click()
  await expect(mine.getByText(t('rulesets:deleted', { rule: 'Theirs' }))).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(rows).toHaveCount(1)
  await expect(mine.getByText(t('rulesets:already_deleted'))).toHaveCount(0)
  expect(atCloudflare(providerZoneId)).toHaveLength(1)
})

test('a deletion that was refused is not reported as done, although somebody else deleted the rule meanwhile', async ({ mine, t }) => {
  const { id, providerZoneId } = await fresh()
  await mine.goto(`/domains/${id}/rules`)
  const rows = section(mine, t(`rule-names:phases.${waf}`)).getByRole('listitem')
  await expect(rows).toHaveCount(2)
  const data = { code: 'provider_rate_limited', httpStatus: 502, retryable: true, params: { retryAfterSeconds: 5 }, requestId: null }
  const error = { message: data.code, code: -32603, data }
  await mine.route('**/trpc/rulesets.deleteRule**', async (route) => {
    setOutside(providerZoneId, foreign.slice(0, 1))
    await call('POST', `/zones/${id}/rulesets/refresh`, z.unknown(), {})
    const isBatch = new URL(route.request().url()).searchParams.has('batch')
    await route.fulfill({ status: 502, json: isBatch ? [{ error }] : { error } })
  })
  await rows.getByRole('button', { name: t('rulesets:row.menu', { rule: 'Theirs' }) }).click()
  await mine.getByRole('menuitem', { name: t('rulesets:row.delete') }).click()
  await mine
    .getByRole('dialog')
    .getByRole('button', { name: t('rulesets:delete.confirm') })
    .click()
  await expect(mine.getByText(t('rulesets:already_deleted'))).toBeVisible()
  await expect(rows).toHaveCount(1)
  await expect(mine.getByText(t('rulesets:deleted', { rule: 'Theirs' }))).toHaveCount(0)
})

test('a rule is not moved or added at a position of an outdated list', async ({ mine, t }) => {
  const { id, providerZoneId } = await fresh()
  await mine.goto(`/domains/${id}/rules`)
  const name = t(`rule-names:phases.${waf}`)
  const rows = section(mine, name).getByRole('listitem')
  await expect(rows).toHaveCount(2)
  const added = { ...foreign[1], ref: 'other_new', description: 'New' }
  setOutside(providerZoneId, [added, ...foreign])
  await rows
    .last()
    .getByRole('button', { name: t('rulesets:row.menu', { rule: 'Theirs' }) })
    .click()
  await mine.getByRole('menuitem', { name: t('rulesets:row.first') }).click()
  await expect(rows.last().getByRole('alert')).toContainText(t('rulesets:failed.move'))
  const names = () => atCloudflare(providerZoneId).map(({ description }) => description)
  expect(names()).toEqual(['New', 'Verified bots', 'Theirs'])
  await expect(rows).toHaveCount(3)

  await section(mine, name)
    .getByRole('button', { name: t('rulesets:add_to', { phase: name }) })
    .click()
  const dialog = mine.getByRole('dialog')
  await dialog.getByLabel(t('rulesets:form.description')).fill('Ours')
  await dialog.getByLabel(t('rulesets:form.expression')).fill('http.request.uri.path eq "/admin"')
  await dialog.getByLabel(t('rulesets:form.position')).selectOption('2')
  setOutside(providerZoneId, [...foreign, added])
  await dialog.getByRole('button', { name: t('rulesets:form.add') }).click()
  await expect(dialog.getByText(t('rulesets:failed.create'))).toBeVisible()
  expect(names()).toEqual(['Verified bots', 'Theirs', 'New'])
  await dialog.getByRole('button', { name: t('rulesets:form.add') }).click()
  await expect(dialog).toBeHidden()
  expect(names()).toEqual(['Verified bots', 'Ours', 'Theirs', 'New'])
})

test('a refused switch is rolled back and shows the reason at the rule', async ({ mine, t }) => {
  const { id, providerZoneId } = await fresh()
  await mine.goto(`/domains/${id}/rules`)
  const row = section(mine, t(`rule-names:phases.${waf}`))
    .getByRole('listitem')
    .last()
  await expect(row.getByRole('switch')).toBeChecked()
  const heal = deck().cloudflare.faults.add({
    method: 'PATCH',
    path: `/zones/${providerZoneId}/rulesets/*/rules/*`,
    effect: { kind: 'forbidden' },
  })
  // The reason does not wait for the rules, which are read again.
  const { promise: shown, resolve: answer } = Promise.withResolvers<undefined>()
  const readAgain = mine.waitForRequest(/rulesets\.list/)
  await mine.route(/rulesets\.list/, async (route) => {
    await shown
    await route.continue()
  })
  await row.getByRole('switch').click()
  await readAgain
  await expect(row.getByRole('alert')).toContainText(t('rulesets:failed.toggle'))
  await expect(row.getByRole('switch')).toBeChecked()
  answer(undefined)
  heal()
})

test('a domain at the limit of its plan says so, and adding is disabled', async ({ mine, t }) => {
  const { id } = await fresh([1, 2, 3, 4, 5].map((number) => ({ ...foreign[1], ref: `other_${number}`, description: `Rule ${number}` })))
  await mine.goto(`/domains/${id}/rules`)
  const name = t(`rule-names:phases.${waf}`)
  const add = section(mine, name).getByRole('button', { name: t('rulesets:add_to', { phase: name }) })
  await expect(add).toBeDisabled()
  await expect(section(mine, name).getByText(t('rulesets:full'))).toBeVisible()
  await section(mine, name)
    .getByRole('button', { name: t('rulesets:row.edit', { rule: 'Rule 1' }) })
    .click()
  await expect(mine.getByRole('dialog').getByText(t('rulesets:check.full'))).toBeVisible()
  await expect(mine.getByRole('button', { name: t('rulesets:check.action') })).toHaveCount(0)
})

test('every phase has a form, and a redirect is added with it', async ({ mine, t }) => {
  const { id, providerZoneId } = await fresh([])
  await mine.goto(`/domains/${id}/rules`)
  await expect(mine.getByText(t('rulesets:empty'))).toBeVisible()
  const phase = 'http_request_dynamic_redirect'
  const name = t(`rule-names:phases.${phase}`)
  await section(mine, name)
    .getByRole('button', { name: t('rulesets:add_to', { phase: name }) })
    .click()
  const dialog = mine.getByRole('dialog')
  await dialog.getByLabel(t('rulesets:form.expression')).fill('http.request.uri.path eq "/old"')
  const target = dialog.getByRole('textbox', { name: t('rulesets:form.target') })
  await target.fill('example.com')
  await dialog.getByRole('button', { name: t('rulesets:form.add') }).click()
  await expect(target).toHaveAccessibleDescription(t('validation:invalid_url'))
  await target.fill('https://example.com/new')
  await dialog.getByRole('button', { name: t('rulesets:form.add') }).click()
  await expect(dialog).toBeHidden()
  await expect(section(mine, name)).toContainText('301 → https://example.com/new')
  expect(atCloudflare(providerZoneId, phase)[0]).toMatchObject({
    action: 'redirect',
    action_parameters: { from_value: { target_url: { value: 'https://example.com/new' }, status_code: 301, preserve_query_string: true } },
  })
})

test('a rule is added from a template, for this domain', async ({ mine, t }) => {
  const { id, providerZoneId } = await fresh([])
  const { name: domain } = remoteOf(providerZoneId)
  await mine.goto(`/domains/${id}/rules`)
  const phase = 'http_request_dynamic_redirect'
  const name = t(`rule-names:phases.${phase}`)
  await section(mine, name)
    .getByRole('button', { name: t('rulesets:add_to', { phase: name }) })
    .click()
  const dialog = mine.getByRole('dialog')
  const template = dialog.getByLabel(t('rulesets:form.template'))
  await template.selectOption('force_https')
  await template.selectOption('without_www')
  await expect(template).toHaveAccessibleDescription(t('rulesets:templates.without_www.text'))
  await dialog.getByRole('button', { name: t('rulesets:check.action') }).click()
  await expect(dialog.getByText(t('rulesets:check.accepted'))).toBeVisible()
  await dialog.getByRole('button', { name: t('rulesets:form.add') }).click()
  await expect(dialog).toBeHidden()
  await expect(section(mine, name)).toContainText(t('rulesets:templates.without_www.name'))
  expect(atCloudflare(providerZoneId, phase)).toMatchObject([
    {
      expression: `http.host eq "www.${domain}"`,
      action_parameters: { from_value: { target_url: { expression: `concat("https://${domain}", http.request.uri.path)` } } },
    },
  ])
  await mine.goto(`/domains/${id}/history`)
  const entry = mine.getByRole('list', { name: t('history:list') })
  await expect(entry).toContainText(t('rule-names:actions.redirect'))
  await expect(entry).toContainText('from_value.status_code: 301')
})

test('the template that lets postbacks through is added before the rules that it skips', async ({ mine, t }) => {
  const { id, providerZoneId } = await fresh()
  await mine.goto(`/domains/${id}/rules`)
  const name = t(`rule-names:phases.${waf}`)
  await section(mine, name)
    .getByRole('button', { name: t('rulesets:add_to', { phase: name }) })
    .click()
  const dialog = mine.getByRole('dialog')
  await dialog.getByLabel(t('rulesets:form.template')).selectOption('skip_postback')
  await dialog.getByRole('button', { name: t('rulesets:form.add') }).click()
  await expect(dialog).toBeHidden()
  expect(atCloudflare(providerZoneId).map(({ action }) => action)).toEqual(['skip', 'skip', 'block'])
  expect(atCloudflare(providerZoneId)[0]).toMatchObject({ expression: 'ends_with(http.request.uri.path, "/postback")' })
})

test('a viewer sees the rules and cannot change them', async ({ page, t }) => {
  const { id, providerZoneId } = await fresh()
  await call('GET', `/zones/${id}/rulesets`, z.unknown())
  const guest = await register('Viewer')
  const { accounts } = await call('GET', '/accounts', z.object({ accounts: z.array(z.object({ id: z.uuid() })) }))
  await call('POST', '/shares', z.unknown(), { accountId: accounts[0]?.id, user: guest.user.username, level: 'view' })
  await signIn(page, guest)
  await page.goto(`/domains/${id}/rules`)
  const part = section(page, t(`rule-names:phases.${waf}`))
  await expect(part.getByRole('listitem')).toHaveCount(2)
  await expect(part.getByRole('switch').first()).toBeDisabled()
  await expect(part.getByRole('button', { name: t('rulesets:row.edit', { rule: 'Theirs' }) })).toBeDisabled()
  await expect(part.getByTitle(t('rulesets:row.drag'))).toHaveCount(0)
  expect(atCloudflare(providerZoneId)).toHaveLength(2)
})
