import {
  checkRuleInput,
  checkRuleOutput,
  createRuleInput,
  deleteRuleInput,
  listRulesetsInput,
  moveRuleInput,
  rulesetAnswer,
  updateRuleInput,
  zoneRulesetsAnswer,
} from '#shared/features/domains/rulesets/schema.ts'
import { t, userProcedure } from '#server/transports/trpc/trpc.ts'
import { checkRule, createRule, deleteRule, moveRule, updateRule } from './change-rules.ts'
import { listRulesets, refreshRulesets } from './list-rulesets.ts'

const tags = ['Rules']
const ofZone = '/zones/{id}/rulesets'
const ofPhase = `${ofZone}/{phase}` as const

export const rulesetsRouter = t.router({
  list: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: ofZone,
        tags,
        summary: 'List stored rules of a domain',
        description: 'Returns the rules as of the last reading, by phase; the first time they are read from Cloudflare.',
      },
    })
    .input(listRulesetsInput)
    .output(zoneRulesetsAnswer)
    .query(({ ctx, input }) => listRulesets(ctx, input.id)),
  refresh: userProcedure
    .meta({ openapi: { method: 'POST', path: `${ofZone}/refresh`, tags, summary: 'Refresh rules from Cloudflare' } })
    .input(listRulesetsInput)
    .output(zoneRulesetsAnswer)
    .mutation(({ ctx, input }) => refreshRulesets(ctx, input.id)),
  createRule: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: `${ofPhase}/rules`,
        tags,
        summary: 'Create a rule',
        description: 'Without `position` it is the last rule of its phase. Other rules are not sent.',
      },
      rest: { status: 201 },
    })
    .input(createRuleInput)
    .output(rulesetAnswer)
    .mutation(({ ctx, input }) => createRule(ctx, input)),
  updateRule: userProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: `${ofPhase}/rules/{ruleId}`,
        tags,
        summary: 'Update a rule',
        description: 'Only the given fields are changed. With `version`, a rule that was changed in the meantime is not.',
      },
    })
    .input(updateRuleInput)
    .output(rulesetAnswer)
    .mutation(({ ctx, input }) => updateRule(ctx, input)),
  moveRule: userProcedure
    .meta({
      openapi: { method: 'PATCH', path: `${ofPhase}/rules/{ruleId}/position`, tags, summary: 'Change the position of a rule' },
    })
    .input(moveRuleInput)
    .output(rulesetAnswer)
    .mutation(({ ctx, input }) => moveRule(ctx, input)),
  deleteRule: userProcedure
    .meta({ openapi: { method: 'DELETE', path: `${ofPhase}/rules/{ruleId}`, tags, summary: 'Delete a rule' } })
    .input(deleteRuleInput)
    .output(rulesetAnswer)
    .mutation(({ ctx, input }) => deleteRule(ctx, input)),
  /** Changes nothing. */
  checkRule: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: `${ofPhase}/check`,
        tags,
        summary: 'Check a rule at Cloudflare without creating it',
        description: 'Cloudflare checks the expression, the plan and the permission; nothing is changed.',
      },
    })
    .input(checkRuleInput)
    .output(checkRuleOutput)
    .mutation(({ ctx, input }) => checkRule(ctx, input)),
})
