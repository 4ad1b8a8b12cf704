import { applyEdit } from '#server/simulators/cloudflare/control.ts'
import type { SimZone } from '#server/simulators/cloudflare/model.ts'
import { rulesetsOf } from '#server/simulators/cloudflare/ruleset-world.ts'
import { startCloudflareSimulator } from '#server/simulators/cloudflare/simulator.ts'
import { buildWorld } from '#server/simulators/world.ts'
import { operationKinds, startOperations } from '#server/features/operations/index.ts'
import { upsertRulesets } from '#server/features/domains/rulesets/rulesets.repo.ts'
import { emptyRuleset } from '#server/features/domains/rulesets/stored-rulesets.ts'
import { systemClock } from '#server/platform/clock.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { insertAccount, insertZones } from '#server/testing/factories.ts'
import { rulePhases } from '#shared/features/domains/rulesets/phases.ts'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import type { Figure } from './bench.ts'
import { startDatabase } from './panel.ts'
import { createBenchServices } from './services.ts'

/** Five WAF rules, two redirects and a cache rule on the domains of many accounts at 50 ms, within the call limit, and their undo. */
type Report = (figure: Figure) => void

const sizes = {
  whole: { zones: 10_000, accounts: 30, budget: { limit: 1_200, windowMs: 300_000 } },
  small: { zones: 600, accounts: 10, budget: { limit: 60, windowMs: 15_000 } },
}
type Size = (typeof sizes)['whole']

const waf = 'http_request_firewall_custom'
/** On a Pro plan, so that there is room beside them. */
const foreign = ['Office', 'Monitoring'].map((description) => ({
  description,
  expression: `(http.user_agent contains "${description}")`,
  action: 'skip',
  action_parameters: { phases: ['http_ratelimit'] },
}))
const redirect = (key: string) => ({
  key,
  phase: 'http_request_dynamic_redirect' as const,
  expression: `(http.host eq "${key}.{{domain}}")`,
  action: 'redirect',
  actionParameters: { from_value: { target_url: { expression: 'concat("https://{{domain}}", http.request.uri.path)' }, status_code: 301 } },
})
/** Five WAF rules, two redirects and one cache rule. */
const rules = [
  ...Array.from({ length: 5 }, (_, at) => ({
    key: `block-${at}`,
    phase: 'http_request_firewall_custom' as const,
    description: `Block ${at}`,
    expression: `(http.host eq "{{domain}}" and http.request.uri.path contains "/${at}/")`,
    action: 'block',
  })),
  redirect('www'),
  redirect('old'),
  {
    key: 'cache',
    phase: 'http_request_cache_settings' as const,
    expression: 'not http.request.uri.path.extension in {"" "html"}',
    action: 'set_cache_settings',
    actionParameters: { cache: true },
  },
]
/** Three phases are read; the five WAF rules are added to the two of others one by one, the other phases are created by one call each. */
const callsToApply = 3 + 5 + 1 + 1
/** Three phases are read, and eight rules are deleted one by one. */
const callsToUndo = 3 + 8

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

async function runAll(report: Report, { zones, accounts, budget }: Size): Promise<void> {
  const world = buildWorld({ zones, accounts, seed: 5, recordsPerZone: 1, plain: true })
  const simulator = await startCloudflareSimulator({ world, budget, addressLimitPerSecond: null, latencyMs: 50 })
  const { state } = simulator
  const database = await startDatabase()
  const { db } = database
  const services = await createBenchServices(db, simulator.url, { concurrentCalls: 4, budget })
  try {
    const owner = await signIn(services)
    const sims = [...state.zonesById.values()]
    const rulesOf = (zone: SimZone, phase: RulePhase) => rulesetsOf(state, zone).get(phase)?.versions.at(-1)?.rules ?? []
    for (const zone of sims) {
      zone.plan = 'pro'
      applyEdit(state, { kind: 'ruleset', zone: zone.id, phase: waf, rules: foreign })
    }
    const first: string[] = []
    for (const { accountId, email, globalKey, userId } of world.credentials) {
      const account = await insertAccount(
        db,
        { ownerId: owner.user.id, email, providerUserId: userId },
        { secrets: services.secrets, apiKey: globalKey },
      )
      const theirs = sims.filter((zone) => zone.account.id === accountId)
      const rows = await insertZones(db, { ownerId: owner.user.id, accountId: account.id }, theirs.length, (at) => ({
        providerZoneId: theirs[at]?.id ?? '',
        name: theirs[at]?.name ?? '',
        plan: 'Pro Website',
      }))
      if (first.length === 0) first.push(...rows.map(({ id }) => id))
      await upsertRulesets(
        db.orm,
        rows.flatMap(({ id, providerZoneId }) => {
          const zone = state.zonesById.get(providerZoneId)
          return zone === undefined ? [] : [{ domainId: id, mirror: mirrorOf(zone) }]
        }),
      )
    }
    await db.sql`vacuum analyze`

    function mirrorOf(zone: SimZone) {
      const ruleset = rulesetsOf(state, zone).get(waf)
      const stored = rulesOf(zone, waf).map(({ id, ref, version, fields }) => ({
        id,
        ref,
        version: String(version),
        modifiedAt: null,
        definition: { description: '', expression: '', action: '', enabled: true, ...fields, ref },
      }))
      const rulesets = rulePhases.map((phase) =>
        phase === waf && ruleset !== undefined
          ? { phase, rulesetId: ruleset.id, version: String(ruleset.versions.length), rules: stored, problem: null }
          : emptyRuleset(phase),
      )
      return { rulesets, pageRules: { rules: [], problem: null }, readAt: new Date() }
    }

    const { profile } = await owner.call.profiles.create({ name: 'Edge', settings: {}, records: [], rules })
    // The measured preview is not the first one of the process.
    await owner.call.operations.preview({ request: { kind: 'profile', input: { profileId: profile.id } }, target: { ids: first } })
    const before = sims.map((zone) => JSON.stringify(rulesOf(zone, waf)))
    const isUntouched = () =>
      sims.every((zone, at) => JSON.stringify(rulesOf(zone, waf).filter(({ ref }) => !(ref ?? '').startsWith('zonedeck_'))) === before[at])
    const runner = await startOperations(services, operationKinds)

    async function run(what: string, calls: number, preview: () => ReturnType<SignedIn['call']['operations']['preview']>) {
      const previewed = { id: '', calls: 0 }
      report({
        name: `preview: ${what}, ${zones} domains from the mirror`,
        value: await timed(async () => {
          const { operation, calls: planned } = await preview()
          Object.assign(previewed, { id: operation.id, calls: planned })
        }),
        unit: 's',
        against: { kind: 'at most', value: (2 * zones) / 10_000, what: '2 s for 10,000' },
      })
      simulator.journal.reset()
      /** The calls of complete windows. */
      const whole = { windows: 0, made: 0 }
      const seconds = await timed(async () => {
        await owner.call.operations.start({ id: previewed.id })
        const beganMs = performance.now()
        for (;;) {
          const windows = Math.floor((performance.now() - beganMs) / budget.windowMs)
          if (windows > whole.windows) Object.assign(whole, { windows, made: simulator.journal.count({}) })
          const [row] = await db.sql<{ state: string }[]>`select state from operations where id = ${previewed.id}`
          if (row?.state === 'done') return
          await systemClock.sleep(100)
        }
      })
      const [row] = await db.sql<{ done: number }[]>`
        select count(*) filter (where state = 'done')::int as done from operation_items where operation_id = ${previewed.id}`
      if (row?.done !== zones || !isUntouched()) throw new Error(`${what}: not all was done, or rules of others were changed`)
      const made = simulator.journal.count({})
      report({
        name: `${what}: calls`,
        value: made,
        unit: 'calls',
        against: { kind: 'at most', value: zones * calls, what: `${calls} for each domain, the least possible` },
        more: { planned: previewed.calls },
      })
      // Bulk work leaves half of the reserve, a twentieth, to people.
      report({
        name: `${what}: calls in complete windows, of those that the budget allows in them`,
        value: whole.made / (whole.windows * accounts * budget.limit),
        unit: 'of 1',
        against: { kind: 'at least', value: 0.95, what: '95 % of what the budget allows' },
        more: { seconds, windows: whole.windows },
      })
      report({
        name: `${what}: rejected calls (429)`,
        value: simulator.journal.count({ status: 429 }),
        unit: 'calls',
        against: { kind: 'at most', value: 0, what: 'none' },
      })
      return previewed.id
    }

    const applied = await run('eight rules applied', callsToApply, () =>
      owner.call.operations.preview({ request: { kind: 'profile', input: { profileId: profile.id } }, target: { filter: {} } }),
    )
    await run('eight rules undone', callsToUndo, () => owner.call.operations.previewUndo({ id: applied }))
    await runner.stop()
    if (sims.some((zone, at) => JSON.stringify(rulesOf(zone, waf)) !== before[at])) throw new Error('the undo left other rules than before')
  } finally {
    await services.dnsHost.close()
    await services.events.close()
    await database.close()
    await simulator.close()
  }
}

// `node bench/profiles.ts whole` takes 10,000 domains; it is not among the benchmarks of the page until that has been measured.
if (import.meta.main) {
  await runAll(
    ({ name, value, unit, against, more }) => {
      process.stdout.write(
        `${name}: ${value.toFixed(3)} ${unit}, ${against.kind} ${against.value.toFixed(2)} (${against.what}) ${JSON.stringify(more ?? {})}\n`,
      )
    },
    process.argv[2] === 'whole' ? sizes.whole : sizes.small,
  )
}
