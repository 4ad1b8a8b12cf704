import { describe, expect, test } from 'vitest'
import { recordsOf } from '#server/simulators/cloudflare/records.ts'
import { signIn } from '#server/testing/app.ts'
import { createOperationWorld } from '#server/testing/operation-world.ts'
import type { Redirect } from '#shared/features/redirects/schema.ts'
import { putRedirects } from './redirects.repo.ts'

const errorCode = (code: string) => ({ cause: { code } })
const url = 'https://target.example/start'
const off = { preserveQueryString: false, includeSubdomains: false, subpathMatching: false, preservePathSuffix: false }
const stored = (source: string, target: string, flags: Partial<Redirect> = {}): Redirect => ({
  source,
  target,
  status: 301,
  ...off,
  ...flags,
})

async function createStage(zones = 4, accounts = 2) {
  const world = await createOperationWorld(zones, accounts, { recordsPerZone: 0 })
  const { panel, ann, sims, ids, accountIds } = world
  const { state } = panel.simulator
  state.listOperationMs = 20
  /** Source and target of each redirect at Cloudflare, of all accounts. */
  const hosted = () =>
    [...new Set(sims.map(({ account }) => account.id))]
      .flatMap((at) => [...(state.redirectLists.get(at)?.values() ?? [])])
      .flatMap(({ items }) => [...items.values()].map(({ redirect }) => `${redirect.source_url} ${redirect.target_url}`))
      .toSorted()
  const preview = (input: Partial<Parameters<typeof ann.call.operations.previewDomainRedirects>[0]> = {}) =>
    ann.call.operations.previewDomainRedirects({ target: { ids: [...ids] }, url, ...input })
  const itemsOf = async (id: string) => (await ann.call.operations.items({ id })).items
  const names = sims.map(({ name }) => name)
  const accountOf = (at: number) => accountIds[Math.floor(at / (zones / accounts))] ?? ''
  return { ...world, state, call: ann.call, hosted, preview, itemsOf, names, accountOf }
}

test('domains of several accounts are redirected by one operation, with their records, and the undo restores everything', async () => {
  const { sims, state, preview, call, work, reaches, beginUndo, hosted, names, itemsOf } = await createStage()
  const recordsNow = () => sims.map((zone) => recordsOf(state, zone).length)
  const before = recordsNow()
  const { operation, accounts, missingRecords, dnsOnly } = await preview({ status: 302 })
  expect(accounts).toHaveLength(2)
  expect(accounts).toMatchObject(
    [1, 2].map(() => ({ domains: 2, added: 2, changed: 0, unchanged: 0, used: 2, limit: 10_000, refused: null })),
  )
  expect([missingRecords.count, dnsOnly.count]).toEqual([4, 0])
  expect(operation).toMatchObject({ kind: 'redirects', subject: url, total: 6, skipped: 0 })
  await call.operations.start({ id: operation.id })
  await work()
  await reaches(operation.id, 'done')
  expect(hosted()).toEqual(names.map((name) => `${name}/ ${url}`).toSorted())
  const items = await itemsOf(operation.id)
  expect(items.map(({ state: now, code, message }) => [now, code, message])).toEqual(items.map(() => ['done', null, null]))
  const redirect = [...(state.redirectLists.get(sims[0]?.account.id ?? '')?.values() ?? [])].flatMap((list) => [...list.items.values()])[0]
  expect(redirect?.redirect).toMatchObject({
    status_code: 302,
    preserve_query_string: true,
    include_subdomains: true,
    subpath_matching: true,
    preserve_path_suffix: true,
  })
  expect(recordsNow()).toEqual(before.map((count) => count + 1))
  await expect(preview({ status: 302 })).rejects.toMatchObject(errorCode('nothing_to_do'))
  await reaches(await beginUndo(operation.id), 'done')
  expect(hosted()).toEqual([])
  expect(recordsNow()).toEqual(before)
})

test('an account that cannot be reached is skipped with the reason, and the others go on', async () => {
  const { preview, call, accountIds, work, reaches, hosted, names, itemsOf, panel } = await createStage(6, 3)
  const lost = panel.credential(1)
  panel.simulator.faults.add({ path: '/accounts/*/rules/lists', accountId: lost.accountId, effect: { kind: 'revoked-key' } })
  const { operation, accounts } = await preview({ createRecords: false })
  const skippedOne = accounts.find(({ accountId }) => accountId === accountIds[1])
  expect(skippedOne).toMatchObject({ domains: 2, added: 0, rules: 0, used: null, refused: 'provider_auth' })
  expect(operation).toMatchObject({ total: 4, skipped: 2 })
  const skipped = (await itemsOf(operation.id)).filter(({ state }) => state === 'skipped')
  expect(skipped.map(({ domain, code }) => `${domain} ${code}`).toSorted()).toEqual(
    [2, 3].map((at) => `${names[at]} provider_auth`).toSorted(),
  )
  await call.operations.start({ id: operation.id })
  await work()
  await reaches(operation.id, 'done')
  expect(hosted()).toEqual([0, 1, 4, 5].map((at) => `${names[at]}/ ${url}`).toSorted())
})

const phase = 'http_request_dynamic_redirect'
const foreignRule = (description: string) => ({
  description,
  expression: 'http.request.uri.path eq "/x"',
  enabled: true,
  action: 'redirect' as const,
  actionParameters: { from_value: { status_code: 302, target_url: { value: 'https://x.example/' } } },
})

describe('where the list of an account cannot be used', () => {
  async function createRuleStage(zones = 4, accounts = 2) {
    const stage = await createStage(zones, accounts)
    const { services, accountIds, call } = stage
    await services.db.sql`update accounts set provider_account_ids = '{a,b}' where id = ${accountIds[0] ?? ''}`
    /** The single redirects of a domain at Cloudflare. */
    const rulesOf = async (id = '') => {
      const { rulesets } = await call.rulesets.refresh({ id })
      return rulesets.find((ruleset) => ruleset.phase === phase)?.rules ?? []
    }
    const codesOf = async (operation: string) => (await stage.itemsOf(operation)).map(({ domain, state, code }) => [domain, state, code])
    return { ...stage, rulesOf, codesOf }
  }

  test('each domain gets a single redirect after the rules of others, which the URL test follows and the undo deletes', async () => {
    const { preview, call, accountIds, ids, sims, state, names, work, reaches, beginUndo, hosted, rulesOf, itemsOf } =
      await createRuleStage()
    const [first = '', second = ''] = ids
    await call.rulesets.list({ id: first })
    const { ruleset } = await call.rulesets.createRule({ id: first, phase, rule: foreignRule('Theirs') })
    const theirs = { id: ruleset.rules[0]?.id, description: 'Theirs' }
    const { operation, accounts, dangers } = await preview({ keepQuery: false })
    const partsOf = (of: typeof accounts) =>
      new Map(of.map(({ accountId, refused, rules, added, used }) => [accountId, { refused, rules, added, used }]))
    expect(partsOf(accounts)).toEqual(
      new Map([
        [accountIds[0], { refused: 'redirect_account_unclear', rules: 2, added: 0, used: null }],
        [accountIds[1], { refused: null, rules: 0, added: 2, used: 2 }],
      ]),
    )
    expect(operation).toMatchObject({ total: 7, skipped: 0 })
    // The rules of the second domain were not read.
    expect(dangers).toEqual({ rules_unread: 1 })
    const shown = (await itemsOf(operation.id)).find(({ domain, plan }) => domain === names[0] && !Array.isArray(plan.after))
    expect(shown?.plan).toMatchObject({ before: { rules: [null] }, after: { rules: [{ position: 2, expression: 'true' }] } })
    await call.operations.start({ id: operation.id })
    await work()
    await reaches(operation.id, 'done')
    const made = {
      ref: 'zonedeck_redirect',
      action: 'redirect',
      expression: 'true',
      actionParameters: {
        from_value: {
          status_code: 301,
          preserve_query_string: false,
          target_url: { expression: 'concat("https://target.example/start", http.request.uri.path)' },
        },
      },
    }
    expect(await rulesOf(first)).toMatchObject([theirs, made])
    expect(await rulesOf(second)).toMatchObject([made])
    expect(await rulesOf(ids[2])).toEqual([])
    expect(hosted()).toEqual([2, 3].map((at) => `${names[at]}/ ${url}`).toSorted())
    expect(sims.map((zone) => recordsOf(state, zone).filter(({ content }) => content === '100::').length)).toEqual([1, 1, 1, 1])
    const tested = await call.redirects.test({ id: accountIds[0] ?? '', url: `https://www.${names[0]}/page` })
    expect(tested).toMatchObject({ hops: [{ kind: 'rule', status: 301 }], end: 'https://target.example/start/page', uncertain: null })

    await reaches(await beginUndo(operation.id), 'done')
    expect(await rulesOf(first)).toMatchObject([theirs])
    expect(await rulesOf(second)).toEqual([])
    expect(hosted()).toEqual([])
    expect(sims.map((zone) => recordsOf(state, zone).filter(({ content }) => content === '100::').length)).toEqual([0, 0, 0, 0])
    expect((await itemsOf(operation.id)).map(({ state: now }) => now)).toEqual(Array.from({ length: 7 }, () => 'undone'))
  })

  test('a later change replaces the rule, also when the list can be used again, and its undo restores the former one', async () => {
    const { preview, call, services, accountIds, ids, names, work, reaches, beginUndo, hosted, rulesOf } = await createRuleStage(2, 1)
    await work()
    const run = async (operation: string) => {
      await call.operations.start({ id: operation })
      await reaches(operation, 'done')
    }
    const target = { ids: ids.slice(0, 1) }
    await run((await preview({ target })).operation.id)
    await services.db.sql`update accounts set provider_account_ids = '{}' where id = ${accountIds[0] ?? ''}`
    const order = { url: 'https://later.example/', keepPath: false, includeSubdomains: false }
    const later = await preview(order)
    expect(later.accounts).toMatchObject([{ refused: null, rules: 0, ruleUpdates: 1, added: 1, used: 1 }])
    await run(later.operation.id)
    expect(await rulesOf(ids[0])).toMatchObject([
      { expression: `http.host eq "${names[0]}"`, actionParameters: { from_value: { target_url: { value: 'https://later.example/' } } } },
    ])
    expect(hosted()).toEqual([`${names[1]}/ https://later.example/`])
    await expect(preview(order)).rejects.toMatchObject(errorCode('nothing_to_do'))
    await reaches(await beginUndo(later.operation.id), 'done')
    expect(await rulesOf(ids[0])).toMatchObject([{ expression: 'true' }])
    expect(hosted()).toEqual([])
  })

  test('a token without the permission for lists, or a group without its account, leads to single redirects too', async () => {
    const { preview, panel, accountIds, services, ids, call, names } = await createStage()
    const refused = panel.credential(1)
    panel.simulator.faults.add({
      method: 'GET',
      path: '/accounts/*/rules/lists',
      accountId: refused.accountId,
      effect: { kind: 'forbidden' },
    })
    const { accounts, operation } = await preview({ createRecords: false })
    expect(accounts.find(({ accountId }) => accountId === accountIds[1])).toMatchObject({
      refused: 'provider_forbidden',
      rules: 2,
      used: null,
    })
    expect(operation).toMatchObject({ total: 3, skipped: 0 })
    const cleo = await signIn(services)
    const { group } = await call.groups.create({ name: 'Shops' })
    await services.db.sql`update zones set group_id = ${group.id} where id = ${ids[0] ?? ''}`
    await call.sharing.create({ groupId: group.id, user: cleo.user.username, level: 'operate' })
    const ofGroup = await cleo.call.operations.previewDomainRedirects({ target: { ids: [...ids] }, url, createRecords: false })
    expect(ofGroup.accounts).toMatchObject([{ domains: 1, refused: 'level_too_low', rules: 1 }])
    expect((await cleo.call.operations.items({ id: ofGroup.operation.id })).items.map(({ domain }) => domain)).toEqual([names[0]])
  })

  test('a domain without room for another rule is skipped, at the preview or when it runs', async () => {
    const { preview, call, services, ids, names, codesOf, work, reaches, rulesOf } = await createRuleStage(3, 1)
    await services.db.sql`update zones set plan = 'Free Website'`
    const [first = '', second = '', third = ''] = ids
    const fill = async (id: string) => {
      for (let at = 0; at < 10; at += 1) await call.rulesets.createRule({ id, phase, rule: foreignRule(`Rule ${at}`) })
    }
    for (const id of ids) await call.rulesets.list({ id })
    await fill(second)
    const { operation, missingRecords } = await preview()
    const skippedOf = async (id: string) =>
      (await codesOf(id)).flatMap(([domain, state, code]) => (state === 'skipped' ? [`${domain} ${code}`] : [])).toSorted()
    expect(await skippedOf(operation.id)).toEqual([`${names[1]} rule_quota_reached`])
    // A record would be of no use to it.
    expect(missingRecords.count).toBe(2)
    await fill(third)
    await work()
    await call.operations.start({ id: operation.id })
    await reaches(operation.id, 'done')
    expect(await skippedOf(operation.id)).toEqual([1, 2].map((at) => `${names[at]} rule_quota_reached`).toSorted())
    expect(await rulesOf(first)).toHaveLength(1)
    expect(await rulesOf(third)).toHaveLength(10)
  })

  test('a rule that somebody has changed since the preview, or since the operation, is kept', async () => {
    const { preview, call, ids, codesOf, work, reaches, beginUndo, rulesOf, names } = await createRuleStage(1, 1)
    await work()
    const [id = ''] = ids
    await call.rulesets.list({ id })
    const [mine, late] = [await preview({ createRecords: false }), await preview({ createRecords: false, url: 'https://late.example/' })]
    for (const { operation } of [mine, late]) {
      await call.operations.start({ id: operation.id })
      await reaches(operation.id, 'done')
    }
    expect(await codesOf(late.operation.id)).toEqual([[names[0], 'skipped', 'changed_since']])
    const [rule] = await rulesOf(id)
    await call.rulesets.updateRule({ id, phase, ruleId: rule?.id ?? '', rule: { enabled: false } })
    const undo = await beginUndo(mine.operation.id)
    await reaches(undo, 'done')
    expect(await codesOf(undo)).toEqual([[names[0], 'skipped', 'changed_since']])
    expect(await rulesOf(id)).toMatchObject([{ enabled: false }])
  })

  test('the undo keeps the record of a single redirect that stays: changed since by an operation or a person, or added after the list was used', async () => {
    const { preview, call, services, accountIds, ids, sims, state, work, reaches, beginUndo, rulesOf, codesOf, names } =
      await createRuleStage(3, 1)
    await work()
    for (const id of ids) await call.rulesets.list({ id })
    const [first = '', second = '', third = ''] = ids
    const run = async (input: Parameters<typeof preview>[0]) => {
      const { operation } = await preview(input)
      await call.operations.start({ id: operation.id })
      await reaches(operation.id, 'done')
      return operation.id
    }
    const setAccounts = (known: string) =>
      services.db.sql`update accounts set provider_account_ids = ${known}::text[] where id = ${accountIds[0] ?? ''}`
    const byRule = await run({ target: { ids: [first, second] } })
    await setAccounts('{}')
    const byList = await run({ target: { ids: [third] } })
    await setAccounts('{a,b}')
    await services.db.sql`delete from redirect_lists`
    const later = { url: 'https://later.example/', includeSubdomains: false }
    await run({ ...later, target: { ids: [first, third] } })
    const [rule] = await rulesOf(second)
    await call.rulesets.updateRule({ id: second, phase, ruleId: rule?.id ?? '', rule: { description: 'By hand' } })
    await setAccounts('{}')
    const undone = [await beginUndo(byRule), await beginUndo(byList)]
    for (const undo of undone) await reaches(undo, 'done')
    for (const id of ids) expect(await rulesOf(id)).toHaveLength(1)
    expect(sims.map((zone) => recordsOf(state, zone).filter(({ content }) => content === '100::').length)).toEqual([1, 1, 1])
    expect(new Set(await codesOf(undone[0] ?? ''))).toEqual(new Set([0, 1].map((at) => [names[at], 'skipped', 'changed_since'])))
    expect((await codesOf(undone[1] ?? '')).filter(([domain]) => domain === names[2])).toEqual([[names[2], 'skipped', 'record_in_use']])
  })

  test('the undo keeps the record of a single redirect that was changed between its preview and its run', async () => {
    const { preview, call, ids, sims, state, work, reaches, rulesOf } = await createRuleStage(1, 1)
    await work()
    const [id = ''] = ids
    const { operation } = await preview()
    await call.operations.start({ id: operation.id })
    await reaches(operation.id, 'done')
    const undo = (await call.operations.previewUndo({ id: operation.id })).operation.id
    const [rule] = await rulesOf(id)
    await call.rulesets.updateRule({ id, phase, ruleId: rule?.id ?? '', rule: { description: 'By hand' } })
    await call.operations.start({ id: undo })
    await reaches(undo, 'done')
    expect(await rulesOf(id)).toMatchObject([{ description: 'By hand' }])
    const [zone] = sims
    expect(zone && recordsOf(state, zone).map(({ content }) => content)).toContain('100::')
  })

  test('the undo deletes the rule of a domain whose record other redirects need, and keeps the record', async () => {
    const { preview, call, services, accountIds, ids, names, sims, state, work, reaches, beginUndo, rulesOf } = await createRuleStage(1, 1)
    const { operation } = await preview()
    await call.operations.start({ id: operation.id })
    await work()
    await reaches(operation.id, 'done')
    await putRedirects(services.db.orm, accountIds[0] ?? '', [stored(`${names[0]}/page`, 'https://t.example/')])
    await reaches(await beginUndo(operation.id), 'done')
    expect(await rulesOf(ids[0])).toEqual([])
    const [zone] = sims
    expect(zone && recordsOf(state, zone).map(({ content }) => content)).toContain('100::')
  })

  test('the undo keeps the record of a hostname that a list redirect was added for after its preview, and deletes the others', async () => {
    const { preview, call, services, accountIds, ids, names, sims, state, work, reaches, rulesOf, codesOf } = await createRuleStage(2, 1)
    const { operation } = await preview()
    await call.operations.start({ id: operation.id })
    await work()
    await reaches(operation.id, 'done')
    const undo = (await call.operations.previewUndo({ id: operation.id })).operation.id
    await putRedirects(services.db.orm, accountIds[0] ?? '', [stored(`${names[0]}/page`, 'https://t.example/')])
    await call.operations.start({ id: undo })
    await reaches(undo, 'done')
    for (const id of ids) expect(await rulesOf(id)).toEqual([])
    expect(sims.map((zone) => recordsOf(state, zone).filter(({ content }) => content === '100::').length)).toEqual([1, 0])
    expect(new Map((await codesOf(undo)).map(([domain, ...rest]) => [domain, rest]))).toEqual(
      new Map([
        [names[0], ['done', 'record_in_use']],
        [names[1], ['done', null]],
      ]),
    )
  })
})

test('a list is filled up to its limit, the other domains get a single redirect, and a redirect of the domain is replaced', async () => {
  const { preview, call, services, accountIds, accountOf, names } = await createStage()
  await call.redirects.list({ id: accountOf(0) })
  await services.db.sql`update redirect_lists set others_count = 9999, rule = 'enabled' where account_id = ${accountOf(0)}`
  await call.operations.previewRedirects({ id: accountOf(2), put: [{ source: names[2] ?? '', target: 'https://old.example/' }] })
  await putRedirects(services.db.orm, accountOf(2), [stored(`${names[2]}/`, 'https://old.example/')])
  const { accounts, operation } = await preview({ createRecords: false })
  expect(new Map(accounts.map((each) => [each.accountId, each]))).toMatchObject(
    new Map([
      [accountIds[0], { refused: 'redirect_limit_reached', added: 1, rules: 1, used: 10_000, limit: 10_000 }],
      [accountIds[1], { refused: null, added: 1, changed: 1, used: 2 }],
    ]),
  )
  expect(operation).toMatchObject({ total: 3, skipped: 0 })
  await services.db.sql`update redirect_lists set others_count = 10000 where account_id = ${accountOf(0)}`
  expect((await preview({ createRecords: false })).accounts.find(({ refused }) => refused !== null)).toMatchObject({
    added: 0,
    rules: 2,
    used: 10_000,
  })
})

test('a redirect that is written without a slash in a full list is replaced there, not by a single redirect', async () => {
  const { preview, call, services, names, accountIds } = await createStage(2, 1)
  const [id = ''] = accountIds
  await call.redirects.list({ id })
  await services.db.sql`update redirect_lists set others_count = 9999, rule = 'enabled'`
  await putRedirects(services.db.orm, id, [stored((names[0] ?? '').toUpperCase(), 'https://old.example/')])
  const { accounts } = await preview({ createRecords: false })
  expect(accounts).toMatchObject([{ refused: 'redirect_limit_reached', changed: 1, added: 0, rules: 1 }])
})

test('an account that refuses its list is not asked again by each preview, but once its key has access to other accounts or was entered again, and a list that was read since is used', async () => {
  const { preview, panel, services, call, accountIds } = await createStage(1, 1)
  panel.simulator.faults.add({ method: 'GET', path: '/accounts/*/rules/lists', effect: { kind: 'forbidden' } })
  const asked = async () => {
    const before = panel.simulator.journal.count({ method: 'GET', status: 403 })
    const { accounts } = await preview({ createRecords: false })
    expect(accounts).toMatchObject([{ refused: 'provider_forbidden', rules: 1 }])
    return panel.simulator.journal.count({ method: 'GET', status: 403 }) - before
  }
  const first = await asked()
  expect(first).toBeGreaterThan(0)
  expect(await asked()).toBe(0)
  await services.db.sql`update accounts set provider_account_ids = ${[panel.credential(0).accountId]}`
  expect(await asked()).toBe(first)
  expect(await asked()).toBe(0)
  // The first time it is a new one, because it was not added by the panel.
  for (const _time of ['first', 'again']) {
    await call.accounts.update({ id: accountIds[0] ?? '', apiKey: panel.credential(0).globalKey })
    expect(await asked()).toBe(first)
    expect(await asked()).toBe(0)
  }
  panel.simulator.faults.clear()
  await call.redirects.refresh({ id: accountIds[0] ?? '' })
  expect((await preview({ createRecords: false })).accounts).toMatchObject([{ refused: null, added: 1 }])
})

test('a domain that is no longer in its account is skipped', async () => {
  const { preview, services, ids, itemsOf, names, accountIds } = await createStage(2, 1)
  await services.db.sql`update zones set gone_at = now() where id = ${ids[0] ?? ''}`
  const { operation, accounts, dangers } = await preview()
  expect(accounts).toMatchObject([{ accountId: accountIds[0], domains: 1, added: 1 }])
  expect(dangers).toEqual({})
  const items = await itemsOf(operation.id)
  expect(items.flatMap(({ state, domain, code }) => (state === 'skipped' ? [[domain, code]] : []))).toEqual([[names[0], 'zone_gone']])
})

test('lists that were never read are read for several accounts at a time', async () => {
  const { preview, panel } = await createStage(12, 12)
  const delayMs = 1_000
  panel.simulator.faults.add({ method: 'GET', path: '/accounts/*/rules/lists', effect: { kind: 'slow', delayMs } })
  const began = performance.now()
  expect((await preview({ createRecords: false })).accounts).toHaveLength(12)
  expect(performance.now() - began).toBeLessThan(12 * delayMs)
})

test('a domain that the URL is in, or leads back to, is not redirected; the others are', async () => {
  const { preview, call, names, ids, accountOf, itemsOf, services } = await createStage()
  const skippedBy = async (input: Parameters<typeof preview>[0]) => {
    const { operation } = await preview(input)
    return (await itemsOf(operation.id)).flatMap(({ state, domain, code }) => (state === 'skipped' ? [`${domain} ${code}`] : []))
  }
  const [first = '', second = '', third = ''] = names
  expect(await skippedBy({ url: `https://${first}/page` })).toEqual([`${first} redirect_to_itself`])
  expect(await skippedBy({ url: `https://www.${first}/` })).toEqual([`${first} redirect_to_itself`])
  expect(await skippedBy({ url: `https://www.${first}/`, includeSubdomains: false })).toEqual([])
  // A redirect of another account leads back to the second domain.
  await call.redirects.list({ id: accountOf(2) })
  await putRedirects(services.db.orm, accountOf(2), [
    stored(`${third}/`, `https://${second}/`, { includeSubdomains: true, subpathMatching: true, preservePathSuffix: true }),
  ])
  // The others end there, too.
  const { operation, dangers } = await preview({ url: `https://go.${third}/`, target: { ids: ids.filter((id) => id !== ids[2]) } })
  const found = (await itemsOf(operation.id)).flatMap(({ state, domain, code }) => (state === 'skipped' ? [`${domain} ${code}`] : []))
  expect(found).toEqual([`${second} redirect_to_itself`])
  // Without it they only go on to it.
  expect(dangers).toEqual({ redirect_chain: 2 })
  await expect(preview({ url: 'target.example' })).rejects.toThrow('target_incomplete')
})

test('a domain that the URL leads back to through the single redirect of another domain is not redirected', async () => {
  const { preview, call, names, ids, itemsOf } = await createStage()
  const [first = '', , third = ''] = names
  const [, , id = ''] = ids
  await call.rulesets.list({ id })
  const parameters = { from_value: { status_code: 301, target_url: { value: `https://${first}/` } } }
  await call.rulesets.createRule({ id, phase, rule: { ...foreignRule('Back'), expression: 'true', actionParameters: parameters } })
  const { operation } = await preview({ url: `https://${third}/`, target: { ids: ids.slice(0, 2) } })
  const skipped = (await itemsOf(operation.id)).filter(({ state }) => state === 'skipped')
  expect(skipped.map(({ domain, code }) => [domain, code])).toEqual([[first, 'redirect_to_itself']])
})

test('only domains that the actor operates in accounts that they operate are redirected', async () => {
  const { services, ids, call, accountOf, preview } = await createStage()
  const ben = await signIn(services)
  const redirect = () => ben.call.operations.previewDomainRedirects({ target: { ids: [...ids] }, url })
  await expect(redirect()).rejects.toMatchObject(errorCode('not_found'))
  await call.sharing.create({ accountId: accountOf(0), user: ben.user.username, level: 'view' })
  await expect(redirect()).rejects.toMatchObject(errorCode('level_too_low'))
  await call.sharing.create({ accountId: accountOf(2), user: ben.user.username, level: 'operate' })
  const { accounts, operation } = await redirect()
  expect(accounts).toMatchObject([{ accountId: accountOf(2), domains: 2, added: 2, refused: null }])
  expect(operation).toMatchObject({ total: 5, skipped: 2 })
  expect((await preview()).accounts).toHaveLength(2)
})
