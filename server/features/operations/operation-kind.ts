import type { z } from 'zod'
import type { RulesetChange } from '#server/features/domains/rulesets/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { AppError } from '#shared/errors/app-error.ts'
import type { listDoneItems } from './operations.repo.ts'
import type { ClaimedItem } from './claim-items.repo.ts'
import type { ItemAccount, PlannedItem, PlanZone } from './planned.ts'

/** Why a domain is excluded: it is unchanged or the change is not possible; `after` gives details. */
export type Planned = PlannedItem | { readonly unchanged: true } | { readonly refused: string; readonly after?: unknown }

export interface RunItem extends Omit<ClaimedItem, 'plan' | 'attempts' | 'startedAt'> {
  readonly plan: PlannedItem
  /** When its first attempt began. */
  readonly startedAt: Date
  /** 1 for the first attempt. With a higher number an earlier attempt may have taken effect. */
  readonly attempt: number
}

/** A failure is an `AppError`, not an outcome. `code` of a done item: what the user still has to do. */
export type Outcome =
  | { readonly state: 'done'; readonly result?: unknown; readonly code?: string }
  | { readonly state: 'skipped'; readonly code: string }

/** A completed item as an undo reads it. */
export type DoneItem = Awaited<ReturnType<typeof listDoneItems>>[number]

/** An item of a draft, for a zone that may not exist. */
export interface DraftedZone {
  readonly zone: Pick<PlanZone, 'accountId' | 'accountEmail' | 'lane' | 'name'> & { readonly id: string | null }
  readonly plan: Planned
}

/** An operation over many objects. `run` is safe to call twice: it checks before it writes. */
export interface OperationKind<Input = unknown> {
  readonly input: z.ZodType<Input>
  run(ctx: Ctx, item: RunItem, input: Input, signal: AbortSignal): Promise<Outcome>
  /** After a refusal: the account to continue this item and the rest of its account in; null to stay. */
  elsewhere?(ctx: Ctx, item: RunItem, input: Input, error: AppError): Promise<ItemAccount | null>
  /** For kinds that change rules of the item's domain: those of these changes that an interrupted attempt made, but could not store. */
  findOwnRuleChanges?(ctx: Ctx, item: RunItem, changes: readonly RulesetChange[]): Promise<readonly RulesetChange[]>
  /** The undo, for kinds that do not restore from domain history. */
  planUndo?(
    ctx: Ctx,
    operation: { readonly id: string; readonly input: unknown },
    done: readonly DoneItem[],
  ): Promise<readonly DraftedZone[]>
}

/** A kind whose items are domains of the panel, which share one preview. The others have previews of their own. */
export interface DomainOperationKind<Input = unknown> extends OperationKind<Input> {
  /** Computes the changes from the mirror; one entry per zone, in order. */
  plan(ctx: Ctx, zones: readonly PlanZone[], input: Input): Promise<readonly Planned[]>
}
