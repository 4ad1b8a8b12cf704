import { expect, onTestFinished } from 'vitest'
import type { z } from 'zod'
import { operationKinds, startOperations } from '#server/features/operations/index.ts'
import { applyEdit } from '#server/simulators/cloudflare/control.ts'
import type { SimZone } from '#server/simulators/cloudflare/model.ts'
import { rulesetsOf } from '#server/simulators/cloudflare/ruleset-world.ts'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import type { profileFields } from '#shared/features/profiles/schema.ts'
import { signIn } from './app.ts'
import { insertAccount, insertZone } from './factories.ts'
import { createTestPanel } from './panel.ts'

type Given = z.input<typeof profileFields>
const waf = 'http_request_firewall_custom'
const zonesNeeded = 150

/** A panel with domains on the free plan whose rules have been read, and what tests of profiles with rules do with them. */
export async function createProfileStage() {
  const panel = await createTestPanel({ world: { zones: zonesNeeded, accounts: 1, recordsPerZone: 2 } })
  const ann = await signIn(panel.services)
  const { email, globalKey } = panel.credential(0)
  const credential = { secrets: panel.services.secrets, apiKey: globalKey }
  const accountId = (await insertAccount(panel.services.db, { ownerId: ann.user.id, email }, credential)).id
  const free = [...panel.simulator.state.zonesById.values()].filter(({ plan }) => plan === 'free')
  let [taken, profiles] = [0, 0]

  const atProvider = (sim: SimZone, phase: RulePhase = waf) =>
    rulesetsOf(panel.simulator.state, sim).get(phase)?.versions.at(-1)?.rules ?? []
  const itemsOf = (id: string) => ann.call.operations.items({ id, limit: 1_000 })
  const preview = (profileId: string | null, ids: readonly string[], verify = false) =>
    ann.call.operations.preview({ request: { kind: 'profile', input: { profileId, verify } }, target: { ids: [...ids] } })
  async function start(id: string) {
    const runner = await startOperations(panel.services, operationKinds, { pollMs: 20 })
    onTestFinished(() => runner.stop())
    await ann.call.operations.start({ id })
    await expect.poll(async () => (await itemsOf(id)).operation.state, { timeout: 30_000, interval: 20 }).toBe('done')
    return itemsOf(id)
  }

  return {
    panel,
    ann,
    accountId,
    /** Domains that no other test has changed. */
    async takeZones(count: number) {
      const sims = free.slice(taken, taken + count)
      taken += count
      if (sims.length < count) throw new Error('no zone is left')
      const row = (sim: SimZone) => ({ accountId, ownerId: ann.user.id, providerZoneId: sim.id, name: sim.name, plan: 'Free Website' })
      const zones = await Promise.all(sims.map(async (sim) => ({ sim, id: (await insertZone(panel.services.db, row(sim))).id })))
      for (const { id } of zones) {
        await ann.call.zoneSettings.refresh({ id })
        await ann.call.rulesets.refresh({ id })
      }
      panel.simulator.journal.reset()
      return zones
    },
    async createProfile(given: Partial<Given>) {
      profiles += 1
      return (await ann.call.profiles.create({ name: `Profile ${profiles}`, settings: {}, records: [], ...given })).profile
    },
    setOutside: (sim: SimZone, rules: readonly object[] | null, phase: RulePhase = waf) =>
      applyEdit(panel.simulator.state, { kind: 'ruleset', zone: sim.id, phase, rules: rules as Record<string, unknown>[] }),
    atProvider,
    /** The rules in the form that `setOutside` takes. */
    written: (sim: SimZone, phase: RulePhase = waf) => atProvider(sim, phase).map(({ id, ref, fields }) => ({ ...fields, id, ref })),
    itemsOf,
    preview,
    start,
    run: async (profileId: string | null, ids: readonly string[]) => start((await preview(profileId, ids)).operation.id),
    undo: async (id: string) => start((await ann.call.operations.previewUndo({ id })).operation.id),
  }
}
