import { z } from 'zod'
import { sslMode } from '../schema.ts'

/** The initial setup of every new domain, however it is added. */
export const firstSetup = {
  createWww: z.boolean().default(true),
  enableProxy: z.boolean().default(true),
  sslMode: sslMode
    .optional()
    .describe(
      'SSL/TLS encryption mode. Absent: that of the default profile, or else flexible. Wins over the default profile, but not over `profileId`',
    ),
  alwaysHttps: z
    .boolean()
    .optional()
    .describe(
      'Always Use HTTPS. Absent: that of the default profile, or else true. Wins over the default profile, but not over `profileId`',
    ),
}
