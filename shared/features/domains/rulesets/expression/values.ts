/** Values of fields that have few, in the order in which they are offered. Countries are not among them: the platform knows their codes. */
export const fieldValues: ReadonlyMap<string, readonly string[]> = new Map([
  ['http.request.method', ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH']],
  ['http.request.version', ['HTTP/1.0', 'HTTP/1.1', 'HTTP/2', 'HTTP/3']],
  ['ip.src.continent', ['AF', 'AN', 'AS', 'EU', 'NA', 'OC', 'SA', 'T1']],
  ['cf.tls_version', ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3']],
  ['cf.waf.score.class', ['attack', 'likely_attack', 'likely_clean', 'clean']],
  [
    'http.request.uri.path.extension',
    ['css', 'js', 'json', 'html', 'php', 'xml', 'txt', 'png', 'jpg', 'jpeg', 'gif', 'webp', 'svg', 'ico', 'woff2', 'pdf', 'zip', 'mp4'],
  ],
  // Source: developers.cloudflare.com/bots/concepts/bot/verified-bots/categories
  [
    'cf.verified_bot_category',
    [
      'Search Engine Crawler',
      'Search Engine Optimization',
      'AI Assistant',
      'AI Crawler',
      'AI Search',
      'Academic Research',
      'Accessibility',
      'Advertising & Marketing',
      'Aggregator',
      'Archiver',
      'Feed Fetcher',
      'Monitoring & Analytics',
      'Page Preview',
      'Security',
      'Social Media Marketing',
      'Webhooks',
      'Other',
    ],
  ],
  [
    'cf.response.error_type',
    ['managed_challenge', 'iuam', 'legacy_challenge', 'ip_ban', 'waf', '5xx', '1xxx', 'always_online', 'country_challenge', 'ratelimit'],
  ],
])

/** Fields that hold the code of a country (ISO 3166, two letters, upper case). */
export const countryFields: ReadonlySet<string> = new Set(['ip.src.country', 'ip.geoip.country'])
