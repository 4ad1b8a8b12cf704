export { applyRuleChanges } from './apply-rule-changes.ts'
export type { RuleChange } from './apply-rule-changes.ts'
export { findRulesets } from './rulesets.repo.ts'
export { listLogged } from './stored-rulesets.ts'
