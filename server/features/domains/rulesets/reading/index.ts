export { readRulesets, syncRulesets } from './read-rulesets.ts'
