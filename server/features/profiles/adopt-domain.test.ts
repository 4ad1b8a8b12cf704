import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn } from '#server/testing/app.ts'
import { createProfileStage } from '#server/testing/profile-stage.ts'

type Stage = Awaited<ReturnType<typeof createProfileStage>>
let stage: Stage
beforeAll(async () => {
  stage = await createProfileStage()
})
afterAll(() => stage.panel.close())

const waf = 'http_request_firewall_custom'
const rule = (key: string, expression: string) => ({ key, phase: waf, description: key, expression, action: 'block' }) as const
const countries = { name: 'countries', kind: 'countries' as const, values: ['US'] }
const onlyCountries = rule('countries', 'not ip.src.country in {{countries}}')

/** A profile with two rules and a setting in three domains; the first one was changed at Cloudflare. */
async function createDrift() {
  const zones = await stage.takeZones(3)
  const [first] = zones
  if (first === undefined) throw new Error('there are no domains')
  const ids = zones.map(({ id }) => id)
  const profile = await stage.createProfile({
    settings: { minTlsVersion: '1.3' },
    rules: [onlyCountries, rule('admin', '(http.request.uri.path eq "/admin")'), rule('old', 'ssl')],
    variables: [countries],
  })
  await stage.run(profile.id, ids)
  const [own, admin] = stage.written(first.sim)
  stage.setOutside(first.sim, [
    { description: 'Theirs', expression: 'ssl', action: 'block' },
    { ...admin, expression: '(http.request.uri.path eq "/login")' },
    { ...own, action: 'managed_challenge' },
  ])
  await stage.ann.call.zoneSettings.update({ id: first.id, minTlsVersion: '1.2' })
  await stage.ann.call.rulesets.refresh({ id: first.id })
  return { zones, ids, first, profile }
}

test('the state of a domain becomes a new version of its profile; other domains are not changed, and differ', async () => {
  const { ids, first, profile, zones } = await createDrift()
  const { call } = stage.ann
  expect(await call.profiles.differing({ id: profile.id })).toMatchObject({ differing: 1 })
  const others = zones.slice(1).map(({ sim }) => stage.atProvider(sim))
  const preview = await call.profiles.previewAdoption({ id: first.id })
  expect(preview).toMatchObject({ profile: { id: profile.id, version: 1 }, differing: 2 })
  expect(preview.difference.settings).toEqual([{ key: 'minTlsVersion', before: '1.3', after: '1.2' }])
  expect(preview.difference.rules.map(({ before, after }) => [before?.description, before?.position, after?.position])).toEqual([
    ['countries', 1, 2],
    ['admin', 2, 1],
    ['old', 3, undefined],
  ])

  const adopted = (await call.profiles.adopt({ id: first.id, fingerprint: preview.fingerprint })).profile
  expect(adopted).toMatchObject({ version: 2, settings: { minTlsVersion: '1.2' } })
  // What was not changed in the domain keeps its variable.
  expect(adopted.rules).toMatchObject([
    { key: 'admin', expression: '(http.request.uri.path eq "/login")' },
    { key: 'countries', expression: onlyCountries.expression, action: 'managed_challenge' },
  ])
  expect((await call.profiles.ofDomain({ id: first.id })).profile).toMatchObject({ version: 2, currentVersion: 2 })
  expect(await call.profiles.differing({ id: profile.id })).toEqual({ domains: 3, differing: 2, unread: 0 })
  expect(zones.slice(1).map(({ sim }) => stage.atProvider(sim))).toEqual(others)
  await stage.run(profile.id, ids)
  expect(await call.profiles.differing({ id: profile.id })).toMatchObject({ differing: 0 })
})

test('what is no longer as the preview showed it is not adopted', async () => {
  const { first, profile } = await createDrift()
  const { call } = stage.ann
  const { fingerprint } = await call.profiles.previewAdoption({ id: first.id })
  await call.zoneSettings.update({ id: first.id, minTlsVersion: '1.1' })
  await expect(call.profiles.adopt({ id: first.id, fingerprint })).rejects.toThrow('conflict')
  const { fingerprint: newer } = await call.profiles.previewAdoption({ id: first.id })
  await call.profiles.update({ id: profile.id, settings: {} })
  await expect(call.profiles.adopt({ id: first.id, fingerprint: newer })).rejects.toThrow('conflict')
  expect((await call.profiles.get({ id: profile.id })).profile.version).toBe(2)
})

test('another person cannot adopt a domain, and a domain without a profile has nothing to adopt', async () => {
  const { first } = await createDrift()
  const bob = await signIn(stage.panel.services)
  await expect(bob.call.profiles.previewAdoption({ id: first.id })).rejects.toThrow('not_found')
  await stage.ann.call.profiles.forget({ id: first.id })
  await expect(stage.ann.call.profiles.previewAdoption({ id: first.id })).rejects.toThrow('nothing_to_do')
})
