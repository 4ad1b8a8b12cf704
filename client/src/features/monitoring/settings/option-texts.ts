import type { CheckOptions } from '#shared/features/monitoring/schema.ts'

/** The check options as text for the form fields. */
export const optionTexts = (options: CheckOptions) => ({
  path: options.path,
  keyword: options.keyword ?? '',
  expectedStatus: options.expectedStatus.map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`)).join(', '),
  followRedirects: options.followRedirects,
  timeoutSeconds: String(options.timeoutSeconds),
  failuresToDown: String(options.failuresToDown),
  successesToUp: String(options.successesToUp),
  downRegions: options.downRegions === null ? '' : String(options.downRegions),
  slowMs: options.slowMs === null ? '' : String(options.slowMs),
  certificateDays: String(options.certificateDays),
  expiryDays: String(options.expiryDays),
  expiryDaysAutoRenew: String(options.expiryDaysAutoRenew),
})
export type OptionTexts = ReturnType<typeof optionTexts>
