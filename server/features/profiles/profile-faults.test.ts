import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProfileStage } from '#server/testing/profile-stage.ts'
import { profileRef } from '#shared/features/profiles/rules.ts'

type Stage = Awaited<ReturnType<typeof createProfileStage>>
let stage: Stage
beforeAll(async () => {
  stage = await createProfileStage()
})
afterAll(() => stage.panel.close())

const waf = 'http_request_firewall_custom'
const rule = (key: string) => ({ key, phase: waf, description: key, expression: 'ssl', action: 'block' }) as const
async function takeZone() {
  const [zone] = await stage.takeZones(1)
  if (zone === undefined) throw new Error('there are no domains')
  return zone
}
const names = ({ sim }: Awaited<ReturnType<typeof takeZone>>) => stage.atProvider(sim).map(({ fields }) => fields['description'])
/** The reference of a rule that another installation of the panel added. */
const elsewhere = profileRef('01a21c35-1004-7d00-b388-f3b3e1c5df68', 'theirs')

test("rules of another installation's profile are rules of others: they stay when a profile is applied and removed", async () => {
  const zone = await takeZone()
  stage.setOutside(zone.sim, [{ ref: elsewhere, description: 'Theirs', expression: 'ssl', action: 'block' }])
  await stage.ann.call.rulesets.refresh({ id: zone.id })
  const profile = await stage.createProfile({ rules: [rule('a')] })
  await stage.run(profile.id, [zone.id])
  expect(names(zone)).toEqual(['Theirs', 'a'])
  expect((await stage.ann.call.profiles.differing({ id: profile.id })).differing).toBe(0)
  await stage.run(null, [zone.id])
  expect(names(zone)).toEqual(['Theirs'])
})

test('the same where the rules were never read', async () => {
  const zone = await takeZone()
  stage.setOutside(zone.sim, [{ ref: elsewhere, description: 'Theirs', expression: 'ssl', action: 'block' }])
  await stage.panel.services.db.sql`delete from zone_rulesets where zone_id = ${zone.id}`
  const profile = await stage.createProfile({ rules: [rule('a')] })
  await stage.run(profile.id, [zone.id])
  expect(names(zone)).toEqual(['Theirs', 'a'])
})

test('undo restores the version of the profile that the domain had', async () => {
  const zone = await takeZone()
  const { call } = stage.ann
  const profile = await stage.createProfile({ rules: [rule('a')] })
  const versionOf = async () => (await call.profiles.ofDomain({ id: zone.id })).profile?.version
  await stage.run(profile.id, [zone.id])
  await call.profiles.update({ id: profile.id, rules: [rule('b')] })
  const { operation } = await stage.run(profile.id, [zone.id])
  expect(await versionOf()).toBe(2)
  await stage.undo(operation.id)
  expect(await versionOf()).toBe(1)
  expect(names(zone)).toEqual(['a'])
})

test('undoing a detachment restores the profile with its version', async () => {
  const zone = await takeZone()
  const profile = await stage.createProfile({ rules: [rule('a')] })
  await stage.run(profile.id, [zone.id])
  await stage.ann.call.profiles.update({ id: profile.id, rules: [rule('b')] })
  const { operation } = await stage.run(null, [zone.id])
  await stage.undo(operation.id)
  const given = (await stage.ann.call.profiles.ofDomain({ id: zone.id })).profile
  expect(given).toMatchObject({ version: 1, currentVersion: 2 })
})

test('a domain whose plan was downgraded is refused before anything is sent', async () => {
  const zone = await takeZone()
  const { sql } = stage.panel.services.db
  await sql`update zones set plan = 'Pro Website' where id = ${zone.id}`
  const profile = await stage.createProfile({ rules: ['a', 'b', 'c', 'd', 'e', 'f'].map(rule) })
  const first = await stage.preview(profile.id, [zone.id])
  expect(first.operation).toMatchObject({ total: 1, skipped: 0 })
  await sql`update zones set plan = 'Free Website' where id = ${zone.id}`
  const { operation } = await stage.preview(profile.id, [zone.id])
  expect((await stage.itemsOf(operation.id)).items).toMatchObject([{ state: 'skipped', code: 'rule_quota_reached' }])
  expect(stage.panel.simulator.journal.count({})).toBe(0)
})

test('a detachment is named as such, and an application by the name of the profile', async () => {
  const zone = await takeZone()
  const profile = await stage.createProfile({ rules: [rule('a')] })
  const { operation } = await stage.run(profile.id, [zone.id])
  expect(operation.subject).toBe(profile.name)
  expect((await stage.preview(null, [zone.id])).operation.subject).toBe('')
})
