import type { Ctx } from '#server/platform/context.ts'
import { isMeant, listOpen } from './purchases.repo.ts'

/** Of these names, those that somebody's purchase is about to order, or has ordered and does not know the end of. */
export async function listOnOrder(ctx: Ctx, names: readonly string[]): Promise<string[]> {
  const rows = await listOpen(ctx.db.orm, names)
  const standing = await Promise.all(
    rows.map(async (row) => row.state === 'sent' || (row.state === 'intended' && (await isMeant(ctx.db.orm, row)))),
  )
  return rows.filter((_, index) => standing[index]).map(({ name }) => name)
}
