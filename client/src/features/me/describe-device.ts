interface Device {
  kind: 'computer' | 'phone' | 'program'
  /** ‘Firefox’, ‘curl’; absent if unknown. */
  name?: string
  /** ‘Windows’, ‘Android’. */
  system?: string
}

// The order matters: user agents of the first browsers also contain the names of later ones.
const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|Opera)\//],
  ['Yandex', /\bYaBrowser\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/[\d.]+ (?:Mobile\/\w+ )?Safari\//],
] as const
const systems = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
] as const

/** The device of a session, derived from its user agent. */
export function describeDevice(userAgent: string | null): Device {
  const text = userAgent ?? ''
  const find = (rows: readonly (readonly [string, RegExp])[]) => rows.find(([, pattern]) => pattern.test(text))?.[0]
  const [browser, system] = [find(browsers), find(systems)]
  const name = browser ?? /^[\w.+-]{1,40}/.exec(text)?.[0]
  const phone = system === 'iPhone' || system === 'iPad' || system === 'Android'
  return {
    kind: phone ? 'phone' : browser === undefined ? 'program' : 'computer',
    ...(name !== undefined && { name }),
    ...(system !== undefined && { system }),
  }
}
