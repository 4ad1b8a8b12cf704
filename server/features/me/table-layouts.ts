import { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { mostTables, tableLayout } from '#shared/features/me/layout.ts'
import type { layoutsAnswer, saveLayoutInput } from '#shared/features/me/layout.ts'
import { readLayouts, replaceLayout } from './me.repo.ts'

/** The person's table layouts; incompatible ones of earlier versions are omitted. */
export async function getLayouts(ctx: Ctx): Promise<z.infer<typeof layoutsAnswer>> {
  const kept = z.record(z.string(), z.unknown()).safeParse(await readLayouts(ctx.db.orm, ctx.actor.userId)).data ?? {}
  const tables = Object.entries(kept).flatMap(([table, layout]) => {
    const { data } = tableLayout.safeParse(layout)
    return data === undefined ? [] : [[table, data] as const]
  })
  return { tables: Object.fromEntries(tables) }
}

/** @throws AppError limit_reached for more layouts than tables */
export async function saveLayout(ctx: Ctx, { table, layout }: z.output<typeof saveLayoutInput>): Promise<void> {
  if (!(await replaceLayout(ctx.db.orm, ctx.actor.userId, table, layout, mostTables))) {
    throw new AppError('limit_reached', { params: { max: mostTables } })
  }
}
