interface Device {
  kind: 'computer' | 'phone' | 'program'
  /** ‘Firefox’, ‘curl’; absent where nobody knows. */
  name?: string
  /** ‘Windows’, ‘Android’. */
  system?: string
}

// In this order: later ones are named by earlier ones too.
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

/** What a session runs on, as far as its program says. */
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
