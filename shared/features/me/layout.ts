import { z } from 'zod'

const name = z.string().regex(/^[a-zA-Z][\w-]{0,39}$/, 'invalid_value')
export const mostTables = 60

const atMost60 = (columns: object): boolean => Object.keys(columns).length <= 60

/** How a person likes a table: which columns they chose to show or to hide, widths in pixels, tall rows. */
export const tableLayout = z.strictObject({
  /** Of the others the page decides, by the width of the window among other subjects. */
  columns: z.record(name, z.boolean()).refine(atMost60, 'too_many'),
  widths: z.record(name, z.int().min(0).max(4_000)).refine(atMost60, 'too_many'),
  comfortable: z.boolean(),
})
export type TableLayout = z.infer<typeof tableLayout>

export const layoutsAnswer = z.object({ tables: z.record(z.string(), tableLayout) })
/** Null: as it is at first. */
export const saveLayoutInput = z.strictObject({ table: name, layout: tableLayout.nullable() })
