const knownTails = /\/+(admin_api(\/v\d+)?|admin|public\/api(\/v\d+)?|public|api\/doc|index\.php)?\/*$/i

/** Where a tracker's own paths begin: people copy its address from wherever they are in it. Without a slash at the end, a query and a password. */
export function trackerBase(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname.replace(knownTails, '')
}
