export { applyPhaseChanges, applyRuleChanges } from './apply-rule-changes.ts'
export type { RuleChange } from './apply-rule-changes.ts'
export { checkDefinition } from './check-definition.ts'
export { countMoves, orderedAs, planMoves } from './plan-moves.policy.ts'
export { previewRule } from './preview-rule.ts'
export { readRulesets } from './reading/index.ts'
export { findRulesets, listRulesetMirrors } from './rulesets.repo.ts'
<<<<<<< HEAD
export { lookUpRulesets } from './store-phase.ts'
export { isSameDefinition, listLogged, mergeDefinition, rulesetChange, rulesetOf } from './stored-rulesets.ts'
export type { Definition, RulesetChange, RulesetMirror, StoredRule, StoredRuleset } from './stored-rulesets.ts'
=======
export { isSameDefinition, listLogged, mergeDefinition, rulesetOf, storedRule } from './stored-rulesets.ts'
export type { Definition, RulesetDifference, RulesetMirror, StoredRule, StoredRuleset } from './stored-rulesets.ts'
>>>>>>> ef1e4864 (feat(redirects): previews find loops and chains through single redirects of domains, as far as the address decides)
