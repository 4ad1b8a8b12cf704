import type { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import type { OperationRequest } from '#shared/features/operations/registry.ts'
import type { bulkAnswer } from '#shared/features/operations/schema.ts'
import { startOperation } from './control-operation.ts'
import { previewOperation } from './preview-operation.ts'

/** For tools: plans and starts in one call; with `preview` only plans. */
export async function runNow(
  ctx: Ctx,
  request: OperationRequest,
  domains: readonly string[] | 'all',
  preview: boolean,
): Promise<z.infer<typeof bulkAnswer>> {
  const plan = await previewOperation(ctx, { request, target: domains === 'all' ? { filter: {} } : { ids: [...domains] } })
  if (preview) return { preview: plan, operation: plan.operation }
  return startOperation(ctx, { id: plan.operation.id })
}
