import { z } from 'zod'
import { checkOptions, defaultCheckOptions } from '#shared/features/monitoring/schema.ts'
import type { CheckOptions } from '#shared/features/monitoring/schema.ts'

const loose = z.object({
  path: checkOptions.shape.path.catch(defaultCheckOptions.path),
  keyword: checkOptions.shape.keyword.catch(null),
  expectedStatus: checkOptions.shape.expectedStatus.catch([...defaultCheckOptions.expectedStatus]),
  followRedirects: checkOptions.shape.followRedirects.catch(defaultCheckOptions.followRedirects),
  timeoutSeconds: checkOptions.shape.timeoutSeconds.catch(defaultCheckOptions.timeoutSeconds),
  failuresToDown: checkOptions.shape.failuresToDown.catch(defaultCheckOptions.failuresToDown),
  successesToUp: checkOptions.shape.successesToUp.catch(defaultCheckOptions.successesToUp),
  downRegions: checkOptions.shape.downRegions.catch(null),
  slowMs: checkOptions.shape.slowMs.catch(null),
  certificateDays: checkOptions.shape.certificateDays.catch(defaultCheckOptions.certificateDays),
  expiryDays: checkOptions.shape.expiryDays.catch(defaultCheckOptions.expiryDays),
  expiryDaysAutoRenew: checkOptions.shape.expiryDaysAutoRenew.catch(defaultCheckOptions.expiryDaysAutoRenew),
})
const given = z.record(z.string(), z.unknown()).catch({})

/**
 * A domain's check options: from its group, else its owner, else the default; an unreadable value from an older version falls back to the default.
 */
export const resolveOptions = (settings: unknown, override: unknown): CheckOptions =>
  loose.parse({ ...given.parse(settings), ...given.parse(override) })
