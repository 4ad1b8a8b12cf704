import type { z } from 'zod'
import { hasUsers } from '#server/features/auth/auth.repo.ts'
import { getPanelSettings } from '#server/features/settings/index.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { authConfig } from '#shared/features/auth/schema.ts'

/** What the sign-in page must know. The first person may register whatever is configured. */
export async function getAuthConfig(ctx: Ctx<Actor | null>): Promise<z.infer<typeof authConfig>> {
  const [used, { registration }] = await Promise.all([hasUsers(ctx.db.orm), getPanelSettings(ctx)])
  return { registration: used ? registration : 'open', firstUser: !used }
}
