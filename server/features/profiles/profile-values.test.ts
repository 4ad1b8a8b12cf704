import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProfileStage } from '#server/testing/profile-stage.ts'
import { insertGroup } from '#server/testing/factories.ts'
import { signIn } from '#server/testing/app.ts'

type Stage = Awaited<ReturnType<typeof createProfileStage>>
let stage: Stage
beforeAll(async () => {
  stage = await createProfileStage()
})
afterAll(() => stage.panel.close())

const waf = 'http_request_firewall_custom'
const rule = (expression: string) => ({ key: 'a', phase: waf, description: 'Only {{countries}}', expression, action: 'block' }) as const
const onlyCountries = rule('not ip.src.country in {{countries}}')
const countries = (...values: string[]) => ({ name: 'countries', kind: 'countries' as const, values })
const expressions = ({ sim }: Awaited<ReturnType<Stage['takeZones']>>[number]) =>
  stage.atProvider(sim).map(({ fields }) => fields['expression'])

describe('a variable of a profile', () => {
  test('has the values of the domain, otherwise those of its group, otherwise those of the profile', async () => {
    const zones = await stage.takeZones(3)
    const [plain, grouped, own] = zones
    if (plain === undefined || grouped === undefined || own === undefined) throw new Error('too few domains')
    const { call, user } = stage.ann
    const group = await insertGroup(stage.panel.services.db, { ownerId: user.id, name: 'Landing pages' })
    await call.groups.addZones({ id: group.id, zoneIds: [grouped.id, own.id] })
    const profile = await stage.createProfile({ rules: [onlyCountries], variables: [countries('US', 'CA')] })
    await call.profiles.setGroupValues({ id: group.id, profileId: profile.id, values: { countries: ['RU', 'BY'] } })
    await call.profiles.setDomainValues({ id: own.id, profileId: profile.id, values: { countries: ['KZ'] } })

    await stage.run(
      profile.id,
      zones.map(({ id }) => id),
    )
    expect(expressions(plain)).toEqual(['not ip.src.country in {"US" "CA"}'])
    expect(expressions(grouped)).toEqual(['not ip.src.country in {"RU" "BY"}'])
    expect(expressions(own)).toEqual(['not ip.src.country in {"KZ"}'])
    expect(stage.atProvider(own.sim)[0]?.fields).toMatchObject({ description: 'Only KZ' })
    expect((await call.profiles.domainValues({ id: own.id, profileId: profile.id })).variables).toEqual([
      { name: 'countries', kind: 'countries', values: ['KZ'], from: 'domain', inherited: ['RU', 'BY'] },
    ])
    expect((await call.profiles.groupValues({ id: group.id, profileId: profile.id })).variables).toMatchObject([
      { values: ['RU', 'BY'], from: 'group', inherited: ['US', 'CA'] },
    ])
  })

  test('changed values make a domain differ until the profile is applied again', async () => {
    const zones = await stage.takeZones(2)
    const ids = zones.map(({ id }) => id)
    const { call } = stage.ann
    const profile = await stage.createProfile({ rules: [onlyCountries], variables: [countries('US')] })
    await stage.run(profile.id, ids)
    const differing = async () => (await call.profiles.differing({ id: profile.id })).differing
    expect(await differing()).toBe(0)
    await call.profiles.setDomainValues({ id: ids[0] ?? '', profileId: profile.id, values: { countries: ['KZ'] } })
    expect(await differing()).toBe(1)
    await call.profiles.setDomainValues({ id: ids[0] ?? '', profileId: profile.id, values: { countries: [] } })
    expect(await differing()).toBe(0)
    const changed = await call.profiles.update({ id: profile.id, variables: [countries('US', 'CA')] })
    expect(changed.profile.version).toBe(2)
    expect(await differing()).toBe(2)
    await stage.run(profile.id, ids)
    expect(await differing()).toBe(0)
  })

  test('without a value a domain is refused before anything is sent', async () => {
    const zones = await stage.takeZones(1)
    const ids = zones.map(({ id }) => id)
    const profile = await stage.createProfile({ rules: [onlyCountries], variables: [countries()] })
    const { operation } = await stage.preview(profile.id, ids)
    expect((await stage.itemsOf(operation.id)).items.map(({ code }) => code)).toEqual(['variable_missing'])
    expect(stage.panel.simulator.journal.count({})).toBe(0)
    await stage.ann.call.profiles.setDomainValues({ id: ids[0] ?? '', profileId: profile.id, values: { countries: ['RU'] } })
    expect((await stage.run(profile.id, ids)).operation).toMatchObject({ done: 1 })
  })

  test('the values of the preview are applied, even if they were changed after it', async () => {
    const [zone] = await stage.takeZones(1)
    if (zone === undefined) throw new Error('there are no domains')
    const profile = await stage.createProfile({ rules: [onlyCountries], variables: [countries('US')] })
    const { operation } = await stage.preview(profile.id, [zone.id])
    await stage.ann.call.profiles.setDomainValues({ id: zone.id, profileId: profile.id, values: { countries: ['KZ'] } })
    await stage.start(operation.id)
    expect(expressions(zone)).toEqual(['not ip.src.country in {"US"}'])
  })

  test('a copy of the profile has its variables', async () => {
    const profile = await stage.createProfile({ rules: [onlyCountries], variables: [countries('US')] })
    const copy = (await stage.ann.call.profiles.duplicate({ id: profile.id })).profile
    expect(copy.variables).toEqual([countries('US')])
  })
})

describe('values that two people set at the same time', () => {
  test.each(['domain', 'group'] as const)('for different variables of one %s are both kept', async (of) => {
    const [zone] = await stage.takeZones(1)
    const { call, user } = stage.ann
    const { sql } = stage.panel.services.db
    const group = await insertGroup(stage.panel.services.db, { ownerId: user.id, name: `Values of a ${of}` })
    const names = ['first', 'second', 'third'] as const
    const { id: profileId } = await stage.createProfile({
      name: `Values of a ${of}`,
      rules: [onlyCountries],
      variables: [countries('US'), ...names.map((name) => ({ name, kind: 'text' as const, values: ['x'] }))],
    })
    const id = of === 'domain' ? (zone?.id ?? '') : group.id
    const set = (values: Record<string, string[]>) =>
      of === 'domain' ? call.profiles.setDomainValues({ id, profileId, values }) : call.profiles.setGroupValues({ id, profileId, values })
    await set({ first: ['a'] })
    const waiting = async () =>
      (
        await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%profile_values%'`
      ).length
    const both = await sql.begin(async (tx) => {
      if (of === 'domain') await tx`select 1 from zone_profile_values where profile_id = ${profileId} for update`
      else await tx`select 1 from group_profile_values where profile_id = ${profileId} for update`
      const started = [set({ second: ['b'] }), set({ third: ['c'] })]
      await expect.poll(waiting).toBe(2)
      return { started }
    })
    await Promise.all(both.started)
    const { variables } =
      of === 'domain' ? await call.profiles.domainValues({ id, profileId }) : await call.profiles.groupValues({ id, profileId })
    expect(Object.fromEntries(variables.map(({ name, values }) => [name, values]))).toEqual({
      countries: ['US'],
      first: ['a'],
      second: ['b'],
      third: ['c'],
    })
  })
})

describe('what is refused', () => {
  test.each([
    [{ rules: [onlyCountries] }, 'unknown_variable'],
    [{ rules: [rule('ip.src.country eq "{{countries}}"')], variables: [countries('US')] }, 'variable_in_string'],
    [{ rules: [onlyCountries], variables: [countries('US"} or ssl')] }, 'variable_country'],
    [{ variables: [{ ...countries('US'), name: 'Domain' }] }, 'variable_name'],
  ])('%#: %s', async (given, code) => {
    await expect(stage.createProfile(given)).rejects.toThrow(code)
  })

  test('a change of the variables that the rules of the profile do not allow', async () => {
    const { id } = await stage.createProfile({ rules: [onlyCountries], variables: [countries('US')] })
    const issues = (message: string) => ({ cause: { params: {}, issues: [expect.objectContaining({ message })] } })
    const { update } = stage.ann.call.profiles
    await expect(update({ id, variables: [] })).rejects.toMatchObject(issues('unknown_variable'))
    await expect(update({ id, rules: [rule('ip.src in {{office}}')] })).rejects.toMatchObject(issues('unknown_variable'))
    await expect(update({ id, rules: [rule('not ip.src.country in {{countries}} or ssl')] })).resolves.toBeDefined()
  })

  test('values for a domain or group that could end the expression, or of variables that the profile does not have', async () => {
    const [zone] = await stage.takeZones(1)
    const { call } = stage.ann
    const { id: profileId } = await stage.createProfile({ rules: [onlyCountries], variables: [countries('US')] })
    const id = zone?.id ?? ''
    const set = (values: Record<string, string[]>) => call.profiles.setDomainValues({ id, profileId, values })
    await expect(set({ countries: ['X"'] })).rejects.toMatchObject({
      cause: { issues: [{ path: 'values.countries.0', message: 'variable_country' }] },
    })
    await expect(set({ office: ['192.0.2.1'] })).rejects.toMatchObject({ cause: { issues: [{ message: 'unknown_variable' }] } })
    const bob = await signIn(stage.panel.services)
    await expect(bob.call.profiles.setDomainValues({ id, profileId, values: {} })).rejects.toThrow('not_found')
    const theirs = (await bob.call.profiles.create({ name: 'Theirs', settings: { minTlsVersion: '1.3' }, records: [] })).profile
    await expect(call.profiles.setDomainValues({ id, profileId: theirs.id, values: {} })).rejects.toThrow('not_found')
  })
})
