import type { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import type { AppError } from '#shared/errors/app-error.ts'
import type { listDoneItems } from './operations.repo.ts'
import type { ClaimedItem } from './claim-items.repo.ts'
import type { ItemAccount, PlannedItem, PlanZone } from './planned.ts'

/** Why a domain takes no part: it is so already, or it cannot be; `after` reports more of that. */
export type Planned = PlannedItem | { readonly unchanged: true } | { readonly refused: string; readonly after?: unknown }

export interface RunItem extends Omit<ClaimedItem, 'plan' | 'attempts'> {
  readonly plan: PlannedItem
  /** 1 at the first try. Above that an earlier try may have taken effect. */
  readonly attempt: number
}

/** A refusal is an `AppError` and not an outcome. `code` of one that is done: what a person still has to do. */
export type Outcome =
  | { readonly state: 'done'; readonly result?: unknown; readonly code?: string }
  | { readonly state: 'skipped'; readonly code: string }

/** What an operation did, as an undo finds it. */
export type DoneItem = Awaited<ReturnType<typeof listDoneItems>>[number]

/** An item to be drafted, for a zone that may not be there. */
export interface DraftedZone {
  readonly zone: Pick<PlanZone, 'accountId' | 'accountEmail' | 'lane' | 'name'> & { readonly id: string | null }
  readonly plan: Planned
}

/** What can be done to many objects. `run` is safe to call twice: it looks before it writes. */
export interface OperationKind<Input = unknown> {
  readonly input: z.ZodType<Input>
  run(ctx: Ctx, item: RunItem, input: Input, signal: AbortSignal): Promise<Outcome>
  /** After a refusal: the account where this item, and what is left of its account, goes on; null where it stays. */
  elsewhere?(ctx: Ctx, item: RunItem, input: Input, error: AppError): Promise<ItemAccount | null>
  /** The undo, where it is not read from the histories of the domains. */
  planUndo?(
    ctx: Ctx,
    operation: { readonly id: string; readonly input: unknown },
    done: readonly DoneItem[],
  ): Promise<readonly DraftedZone[]>
}

/** A kind whose items are domains of the panel, which one preview serves for all. The others have previews of their own. */
export interface DomainOperationKind<Input = unknown> extends OperationKind<Input> {
  /** What would change, from the mirror; one entry a zone, in their order. */
  plan(ctx: Ctx, zones: readonly PlanZone[], input: Input): Promise<readonly Planned[]>
}
