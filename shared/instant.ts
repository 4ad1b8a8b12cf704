import { z } from 'zod'

const isPossible = (written: string) => written >= '1970' && written < '9999'

/** A time in a year that the database and every common calendar support. */
export const possibleInstant = z.iso.datetime().refine(isPossible, 'invalid_day')
/** The same for a day. */
export const possibleDay = z.iso.date().refine(isPossible, 'invalid_day')
