/** Warnings with their own text in `operations:dangers`. */
export const ownWarnings = [
  'purchase_final',
  'premium_price',
  'renewal_final',
  'renewal_stops',
  'leaves_cloudflare',
  'live_in_other_account',
  'mail_record_goes',
  'mail_host_goes',
  'mail_host_moves',
  'site_goes',
  'origin_exposed',
  'origin_unchecked',
  'tracker_exposed',
  'unbinds_live',
  'tracker_deletes',
  'zone_goes',
  'name_servers_stay',
  'new_name_servers',
  'new_certificates',
  'changed_since_created',
] as const
/** Warnings about settings, in `security:warnings`. */
export const settingWarnings = [
  'universal_off_with_hsts',
  'universal_off',
  'https_without_ssl',
  'hsts_without_ssl',
  'hsts_without_https',
  'flexible_with_https',
  'strict_origin_unknown',
] as const
