import { type PlanTier, planTiers, type RulePhase } from '../phases.ts'

/** Where an expression is used. */
export interface ExpressionContext {
  readonly phase: RulePhase
  /** The plan of the zone; null if it is unknown, and what plans lack is then not checked. */
  readonly tier: PlanTier | null
  /** `value` for an expression that computes a text, such as the target of a redirect. */
  readonly kind?: 'condition' | 'value'
}

/** @param needed the lowest plan that has something; undefined if every plan has it */
export const lacksPlan = (tier: PlanTier | null, needed: PlanTier | undefined): boolean =>
  tier !== null && needed !== undefined && planTiers.indexOf(tier) < planTiers.indexOf(needed)
