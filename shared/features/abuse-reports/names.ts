/** Separate from the schema, because page URLs are parsed with the first load, which includes no schemas. */
export const abuseKinds = [
  'phishing',
  'threat',
  'copyright',
  'trademark',
  'intimate_images',
  'network',
  'whois',
  'emergency',
  'general',
  'unknown',
] as const
/** How far a person is with a report. */
export const abuseStates = ['open', 'in_work', 'done'] as const
/** The longest text to search for. */
export const longestAbuseSearch = 253
/** Why a mitigation should end: the content was removed, or it never was what was reported. */
export const appealReasons = ['removed', 'misclassified'] as const
export const longestAbuseNote = 4_000
