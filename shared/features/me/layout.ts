import { z } from 'zod'

const name = z.string().regex(/^[a-zA-Z][\w-]{0,39}$/, 'invalid_value')
export const mostTables = 60

const atMost60 = (columns: object): boolean => Object.keys(columns).length <= 60

/** The table preferences of a user: columns explicitly shown or hidden, widths in pixels, tall rows. */
export const tableLayout = z.strictObject({
  /** For other columns the page decides, for example by the window width. */
  columns: z.record(name, z.boolean()).refine(atMost60, 'too_many'),
  widths: z.record(name, z.int().min(0).max(4_000)).refine(atMost60, 'too_many'),
  comfortable: z.boolean(),
})
export type TableLayout = z.infer<typeof tableLayout>

export const layoutsAnswer = z.object({ tables: z.record(z.string(), tableLayout) })
/** Null resets to the default. */
export const saveLayoutInput = z.strictObject({ table: name, layout: tableLayout.nullable() })
