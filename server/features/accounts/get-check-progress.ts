import type { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import type { checkProgress } from '#shared/features/accounts/schema.ts'
import * as repo from './accounts.repo.ts'

/** How far the health checks of the actor's accounts are, whichever process does them. */
export const getCheckProgress = (ctx: Ctx): Promise<z.infer<typeof checkProgress>> => repo.getCheckProgress(ctx.db.orm, ctx.actor)
