import { z } from 'zod'

/** A time in a year that the database and every common calendar support. */
export const possibleInstant = z.iso.datetime().refine((at) => at >= '1970' && at < '9999', 'invalid_day')
