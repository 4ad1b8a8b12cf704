import { z } from 'zod'

const name = z.string().regex(/^[a-zA-Z][\w-]{0,39}$/, 'invalid_value')
export const mostTables = 60

/** How a person likes a table: columns that are shown or hidden otherwise than at first, widths in pixels, tall rows. */
export const tableLayout = z.strictObject({
  toggled: z.array(name).max(60),
  widths: z.record(name, z.int().min(0).max(4_000)).refine((widths) => Object.keys(widths).length <= 60, 'too_many'),
  comfortable: z.boolean(),
})
export type TableLayout = z.infer<typeof tableLayout>

export const layoutsAnswer = z.object({ tables: z.record(z.string(), tableLayout) })
/** Null: as it is at first. */
export const saveLayoutInput = z.strictObject({ table: name, layout: tableLayout.nullable() })
