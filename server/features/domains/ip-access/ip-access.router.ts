import {
  addIpRulesInput,
  addIpRulesOutput,
  changedIpRulesAnswer,
  deleteIpRuleInput,
  ipRulesAnswer,
  listIpRulesInput,
  updateIpRuleInput,
} from '#shared/features/domains/ip-access/schema.ts'
import { t, userProcedure } from '#server/transports/trpc/trpc.ts'
import { addAccountIpRules, deleteAccountIpRule, listAccountIpRules, updateAccountIpRule } from './account-ip-access.ts'
import { addIpRules, deleteIpRule, listIpRules, refreshIpRules, updateIpRule } from './zone-ip-access.ts'

const tags = ['IP access']
const ofZone = '/zones/{id}/ip-access'
const ofAccount = '/accounts/{id}/ip-access'
const additions =
  'One rule for each IP address, network, country or AS number. A value that has a rule of another mode keeps it. With `expiresAt`, the panel deletes the rules then.'

export const ipAccessRouter = t.router({
  list: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: ofZone,
        tags,
        summary: 'List stored IP access rules of a domain',
        description: 'Returns the rules as of the last reading; the first time they are read from Cloudflare.',
      },
    })
    .input(listIpRulesInput)
    .output(ipRulesAnswer)
    .query(({ ctx, input }) => listIpRules(ctx, input.id)),
  refresh: userProcedure
    .meta({ openapi: { method: 'POST', path: `${ofZone}/refresh`, tags, summary: 'Refresh IP access rules from Cloudflare' } })
    .input(listIpRulesInput)
    .output(ipRulesAnswer)
    .mutation(({ ctx, input }) => refreshIpRules(ctx, input.id)),
  add: userProcedure
    .meta({
      openapi: { method: 'POST', path: ofZone, tags, summary: 'Add IP access rules to a domain', description: additions },
    })
    .input(addIpRulesInput)
    .output(addIpRulesOutput)
    .mutation(({ ctx, input }) => addIpRules(ctx, input)),
  update: userProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: `${ofZone}/{ruleId}`,
        tags,
        summary: 'Update an IP access rule of a domain',
        description: 'Only the given fields are changed. The value of a rule cannot change.',
      },
    })
    .input(updateIpRuleInput)
    .output(changedIpRulesAnswer)
    .mutation(({ ctx, input }) => updateIpRule(ctx, input)),
  delete: userProcedure
    .meta({ openapi: { method: 'DELETE', path: `${ofZone}/{ruleId}`, tags, summary: 'Delete an IP access rule of a domain' } })
    .input(deleteIpRuleInput)
    .output(changedIpRulesAnswer)
    .mutation(({ ctx, input }) => deleteIpRule(ctx, input)),
  listOfAccount: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: ofAccount,
        tags,
        summary: 'List IP access rules of an account',
        description: 'They apply to all domains of the account, and are read from Cloudflare.',
      },
    })
    .input(listIpRulesInput)
    .output(ipRulesAnswer)
    .query(({ ctx, input }) => listAccountIpRules(ctx, input.id)),
  addToAccount: userProcedure
    .meta({
      openapi: { method: 'POST', path: ofAccount, tags, summary: 'Add IP access rules to an account', description: additions },
    })
    .input(addIpRulesInput)
    .output(addIpRulesOutput)
    .mutation(({ ctx, input }) => addAccountIpRules(ctx, input)),
  updateOfAccount: userProcedure
    .meta({
      openapi: { method: 'PATCH', path: `${ofAccount}/{ruleId}`, tags, summary: 'Update an IP access rule of an account' },
    })
    .input(updateIpRuleInput)
    .output(changedIpRulesAnswer)
    .mutation(({ ctx, input }) => updateAccountIpRule(ctx, input)),
  deleteOfAccount: userProcedure
    .meta({
      openapi: { method: 'DELETE', path: `${ofAccount}/{ruleId}`, tags, summary: 'Delete an IP access rule of an account' },
    })
    .input(deleteIpRuleInput)
    .output(changedIpRulesAnswer)
    .mutation(({ ctx, input }) => deleteAccountIpRule(ctx, input)),
})
