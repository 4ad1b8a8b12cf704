import { AppError } from '#shared/errors/app-error.ts'
import type { CallOptions, HostedPageRule, HostedRule, HostedRuleset, ListedRuleset, RulesetCalls } from '#server/ports/dns-host.ts'
import { GoneAlready, unreadable } from './client.ts'
import type { Call, Client } from './client.ts'
import { instant } from './from-wire.ts'
import * as wire from './wire.ts'

const ofRulesets = '/zones/{zone}/rulesets'
const ofRuleset = `${ofRulesets}/{ruleset}`
const ofRules = `${ofRuleset}/rules`
const ofRule = `${ofRules}/{rule}`
const ofEntryPoint = `${ofRulesets}/phases/{phase}/entrypoint`

/** The rulesets of zones. The entry point of a phase is never replaced as a whole, so rules of other programs stay. */
export function rulesetCalls(client: Client): RulesetCalls {
  const { read, result } = client

  async function write(call: Call, dryRun: boolean | undefined, options: CallOptions): Promise<HostedRuleset | null> {
    if (dryRun !== true) return toRuleset(await result(call, wire.ruleset, options))
    const written = await result({ ...call, query: { dry_run: 'true' } }, wire.ruleset.nullish(), options)
    return written === null || written === undefined ? null : toRuleset(written)
  }

  return {
    listRulesets: (zone, options) => listRulesets(client, zone, options),
    getRuleset: async (zone, phase, options) => {
      try {
        return toRuleset(await read(ofEntryPoint, { zone, phase }, wire.ruleset, options))
      } catch (error) {
        if (isMissingEntryPoint(error)) return null
        throw error
      }
    },
    createRuleset: (zone, phase, rules, { dryRun }, options) => {
      const body = { name: 'default', kind: 'zone', phase, rules }
      return write({ method: 'POST', path: ofRulesets, ids: { zone }, body, repeat: 'once' }, dryRun, options)
    },
    createRule: (zone, ruleset, definition, { position, dryRun }, options) => {
      const body = { ...definition, position }
      return write({ method: 'POST', path: ofRules, ids: { zone, ruleset }, body, repeat: 'once' }, dryRun, options)
    },
    updateRule: (zone, ruleset, rule, definition, { position, dryRun }, options) => {
      const body = { ...definition, position }
      return write({ method: 'PATCH', path: ofRule, ids: { zone, ruleset, rule }, body, repeat: 'idempotent' }, dryRun, options)
    },
    moveRule: (zone, ruleset, rule, position, { dryRun }, options) =>
      write({ method: 'PATCH', path: ofRule, ids: { zone, ruleset, rule }, body: { position }, repeat: 'idempotent' }, dryRun, options),
    deleteRule: async (zone, ruleset, rule, { dryRun }, options) => {
      try {
        return await write({ method: 'DELETE', path: ofRule, ids: { zone, ruleset, rule }, repeat: 'idempotent' }, dryRun, options)
      } catch (error) {
        if (!(error instanceof GoneAlready)) throw error
        try {
          return toRuleset(await read(ofRuleset, { zone, ruleset }, wire.ruleset, options))
        } catch (unread) {
          // The rule is gone, so this is not a refusal.
          throw unreadable(unread)
        }
      }
    },
    listPageRules: async (zone, options) => (await read('/zones/{zone}/pagerules', { zone }, wire.pageRules, options)).map(toPageRule),
  }
}

async function listRulesets({ call }: Client, zone: string, options: CallOptions): Promise<ListedRuleset[]> {
  const all: ListedRuleset[] = []
  for (let cursor: string | undefined; ;) {
    const { result, info } = await call(
      { method: 'GET', path: ofRulesets, ids: { zone }, query: { cursor }, repeat: 'read' },
      wire.rulesets,
      options,
    )
    all.push(...result.map(({ kind, ...ruleset }) => ({ ...toHead(ruleset), kind: kind ?? '' })))
    const next = info?.cursors?.after ?? info?.cursor ?? ''
    if (next === '' || next === cursor) return all
    cursor = next
  }
}

/** "could not find entrypoint ruleset"; a zone that is not found has other codes. */
export const isMissingEntryPoint = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'provider_not_found' && error.provider?.code === '10003'

const toHead = (ruleset: Omit<wire.WireRuleset, 'rules'>) => ({
  id: ruleset.id,
  phase: ruleset.phase ?? '',
  version: String(ruleset.version ?? ''),
  lastUpdated: instant(ruleset.last_updated),
})

export const toRuleset = (ruleset: wire.WireRuleset): HostedRuleset => ({ ...toHead(ruleset), rules: ruleset.rules.map(toRule) })

/** Cloudflare sets `version`, `last_updated` and `categories`; the other fields are what a change has to send. */
function toRule({ id, version, last_updated, categories: _categories, ref, ...fields }: wire.WireRule): HostedRule {
  return {
    id,
    ref: ref ?? null,
    version: String(version ?? ''),
    lastUpdated: instant(last_updated),
    definition: {
      ...fields,
      ...(ref === null || ref === undefined ? {} : { ref }),
      description: fields.description ?? '',
      expression: fields.expression ?? '',
      action: fields.action ?? '',
      enabled: fields.enabled ?? true,
    },
  }
}

function toPageRule(rule: wire.WirePageRule): HostedPageRule {
  return {
    id: rule.id,
    targets: rule.targets.flatMap(({ constraint }) => constraint?.value ?? []),
    actions: rule.actions.map(({ id, value }) => ({ id, value })),
    priority: rule.priority ?? null,
    status: rule.status ?? 'unknown',
    modifiedAt: instant(rule.modified_on),
  }
}
