/** Why a line of a zone file is not taken; each has a text `zone_file.problems.<code>` in the namespace `records`. */
export const zoneFileProblems = [
  /** `$INCLUDE`: other files are not here. */
  'include',
  /** `$GENERATE` */
  'generate',
  /** Another word behind `$` */
  'unknown_directive',
  /** `$ORIGIN` without a name, or a relative name behind such a line. */
  'bad_origin',
  /** Neither seconds nor `1h30m`. */
  'bad_ttl',
  /** The line begins with a blank, which means the name of the line before, and there is none. */
  'no_owner',
  'bad_name',
  /** The name does not belong to this domain. */
  'outside_zone',
  /** Another class than IN. */
  'bad_class',
  /** No record type on the line. */
  'no_type',
  /** A type that the provider does not take. */
  'unknown_type',
  'no_content',
  /** The content does not fit the type. */
  'invalid_content',
  'too_long',
  'unclosed_quote',
  'unclosed_parenthesis',
  'stray_parenthesis',
  /** The provider makes SOA itself. */
  'soa',
  /** So it does with the name servers of the domain itself. */
  'apex_ns',
  /** The same record stands above. */
  'duplicate',
  /** CNAME and A, AAAA or another CNAME of one name exclude each other. */
  'cname_conflict',
] as const
export type ZoneFileProblem = (typeof zoneFileProblems)[number]
