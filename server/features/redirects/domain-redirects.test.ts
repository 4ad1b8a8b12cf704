import { expect, test } from 'vitest'
import { recordsOf } from '#server/simulators/cloudflare/records.ts'
import { signIn } from '#server/testing/app.ts'
import { createOperationWorld } from '#server/testing/operation-world.ts'

const errorCode = (code: string) => ({ cause: { code } })
const url = 'https://target.example/start'

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

test('an account whose list cannot be used is skipped with the reason, and the others go on', async () => {
  const { preview, call, services, accountIds, work, reaches, hosted, names, itemsOf, panel } = await createStage(6, 3)
  await services.db.sql`update accounts set provider_account_ids = '{a,b}' where id = ${accountIds[0] ?? ''}`
  const refused = panel.credential(1)
  panel.simulator.faults.add({
    method: 'GET',
    path: '/accounts/*/rules/lists',
    accountId: refused.accountId,
    effect: { kind: 'forbidden' },
  })
  const { operation, accounts } = await preview({ createRecords: false })
  expect(new Map(accounts.map((each) => [each.accountId, each.refused]))).toEqual(
    new Map([
      [accountIds[0], 'redirect_account_unclear'],
      [accountIds[1], 'provider_forbidden'],
      [accountIds[2], null],
    ]),
  )
  expect(accounts.find(({ refused: why }) => why === 'provider_forbidden')).toMatchObject({ domains: 2, added: 0, used: null })
  expect(operation).toMatchObject({ total: 5, skipped: 4 })
  const skipped = (await itemsOf(operation.id)).filter(({ state }) => state === 'skipped')
  expect(skipped.map(({ domain, code }) => `${domain} ${code}`).toSorted()).toEqual(
    [0, 1]
      .map((at) => `${names[at]} redirect_account_unclear`)
      .concat([2, 3].map((at) => `${names[at]} provider_forbidden`))
      .toSorted(),
  )
  await call.operations.start({ id: operation.id })
  await work()
  await reaches(operation.id, 'done')
  expect(hosted()).toEqual([4, 5].map((at) => `${names[at]}/ ${url}`).toSorted())
})

test('an account without room is skipped as a whole, and one with a redirect of the domain has it replaced', async () => {
  const { preview, call, services, accountIds, accountOf, names } = await createStage()
  await call.redirects.list({ id: accountOf(0) })
  await services.db.sql`update redirect_lists set others_count = 9999 where account_id = ${accountOf(0)}`
  await call.operations.previewRedirects({ id: accountOf(2), put: [{ source: names[2] ?? '', target: 'https://old.example/' }] })
  await services.db.sql`
    insert into redirects ${services.db.sql({
      account_id: accountOf(2),
      source: `${names[2]}/`,
      target: 'https://old.example/',
      status: 301,
      preserve_query_string: false,
      include_subdomains: false,
      subpath_matching: false,
      preserve_path_suffix: false,
    })}`
  const { accounts, operation } = await preview({ createRecords: false })
  expect(new Map(accounts.map((each) => [each.accountId, each]))).toMatchObject(
    new Map([
      [accountIds[0], { refused: 'redirect_limit_reached', added: 0 }],
      [accountIds[1], { refused: null, added: 1, changed: 1, used: 2 }],
    ]),
  )
  expect(operation).toMatchObject({ total: 3, skipped: 2 })
})

test('a domain that the URL is in, or leads back to, is not redirected; the others are', async () => {
  const { preview, call, names, accountOf, itemsOf, services } = await createStage()
  const skippedBy = async (input: Parameters<typeof preview>[0]) => {
    const { operation } = await preview(input)
    return (await itemsOf(operation.id)).flatMap(({ state, domain, code }) => (state === 'skipped' ? [`${domain} ${code}`] : []))
  }
  const [first = '', second = ''] = names
  expect(await skippedBy({ url: `https://${first}/page` })).toEqual([`${first} redirect_to_itself`])
  expect(await skippedBy({ url: `https://www.${first}/` })).toEqual([`${first} redirect_to_itself`])
  expect(await skippedBy({ url: `https://www.${first}/`, includeSubdomains: false })).toEqual([])
  // Another redirect of the account leads back to the second domain.
  await call.redirects.list({ id: accountOf(0) })
  await services.db.sql`
    insert into redirects ${services.db.sql({
      account_id: accountOf(0),
      source: 'elsewhere.example/',
      target: `https://${second}/`,
      status: 301,
      preserve_query_string: false,
      include_subdomains: false,
      subpath_matching: true,
      preserve_path_suffix: true,
    })}`
  const found = await skippedBy({ url: 'https://elsewhere.example/', target: { filter: {} } })
  // The others of its account end there, too.
  expect(found).toEqual([`${second} redirect_to_itself`])
  await expect(preview({ url: 'target.example' })).rejects.toThrow('target_incomplete')
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
  // A group gives the domains and not the list of their account.
  const cleo = await signIn(services)
  const { group } = await call.groups.create({ name: 'Shops' })
  await services.db.sql`update zones set group_id = ${group.id} where id = ${ids[0] ?? ''}`
  await call.sharing.create({ groupId: group.id, user: cleo.user.username, level: 'operate' })
  const ofGroup = await cleo.call.operations.previewDomainRedirects({ target: { ids: [...ids] }, url })
  expect(ofGroup.accounts).toMatchObject([{ domains: 1, refused: 'level_too_low' }])
  expect((await preview()).accounts).toHaveLength(2)
})
