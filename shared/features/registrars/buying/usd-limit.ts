import { z } from 'zod'
import { mostUsd } from './spending.ts'

/** Whole US dollars. */
export const usdLimit = z
  .int({ error: ({ input }) => (input === undefined || input === null ? 'required' : 'invalid_value') })
  .min(0, 'too_small')
  .max(mostUsd, 'too_big')
