import type { HostedIpRule, IpAccessCalls, IpRuleScope } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { canonicalValue } from '#shared/features/domains/ip-access/values.ts'
import { everyPage, GoneAlready } from './client.ts'
import type { Client } from './client.ts'
import { instant } from './from-wire.ts'
import * as wire from './wire.ts'

const rulesPath = 'firewall/access_rules/rules'
const ofZone = `/zones/{at}/${rulesPath}`
const ofAccount = `/accounts/{at}/${rulesPath}`
/** Public clients read that many; the documentation has no limit. */
const perPage = 1_000

const pathOf = (scope: IpRuleScope) =>
  'zone' in scope ? ({ path: ofZone, at: scope.zone } as const) : ({ path: ofAccount, at: scope.account } as const)

/** IP Access rules of zones and accounts. Only the mode and the note of a rule can change. */
export function ipAccessCalls({ call, result }: Client): IpAccessCalls {
  return {
    listIpRules: async (scope, options) => {
      const { path, at } = pathOf(scope)
      const rules = await everyPage(perPage, (query) =>
        call({ method: 'GET', path, ids: { at }, query, repeat: 'read' }, wire.accessRules, options),
      )
      // Rules of the account are listed for each of its zones too.
      const known = rules.filter((rule) => rule !== null)
      return known.filter((rule) => !('zone' in scope) || (rule.scope?.type ?? 'zone') === 'zone').map(toRule)
    },
    createIpRule: async (scope, { mode, target, value, note }, options) => {
      const { path, at } = pathOf(scope)
      const body = { mode, configuration: { target, value }, notes: note }
      return toRule(await result({ method: 'POST', path, ids: { at }, body, repeat: 'once' }, wire.accessRule, options))
    },
    updateIpRule: async (scope, ruleId, { mode, note }, options) => {
      const { path, at } = pathOf(scope)
      const target = {
        method: 'PATCH',
        path: `${path}/{rule}`,
        ids: { at, rule: ruleId },
        body: { mode, notes: note },
        repeat: 'idempotent',
      } as const
      return toRule(await result(target, wire.accessRule, options))
    },
    // A rule that is gone already is answered like one that is deleted now.
    deleteIpRule: async (scope, ruleId, options) => {
      const { path, at } = pathOf(scope)
      try {
        await call({ method: 'DELETE', path: `${path}/{rule}`, ids: { at, rule: ruleId }, repeat: 'idempotent' }, wire.anything, options)
      } catch (error) {
        if (!(error instanceof GoneAlready || isGone(error))) throw error
      }
    },
  }
}

/** `firewallaccessrules.api.not_found`; a zone that is not found has other codes. */
const isGone = (error: unknown) => error instanceof AppError && error.code === 'provider_not_found' && error.provider?.code === '10001'

const toRule = ({ id, mode, configuration: { target, value }, notes, created_on: createdOn }: wire.WireAccessRule): HostedIpRule => ({
  ruleId: id,
  mode,
  target,
  value: canonicalValue({ target, value }),
  note: notes ?? '',
  createdAt: instant(createdOn),
})
