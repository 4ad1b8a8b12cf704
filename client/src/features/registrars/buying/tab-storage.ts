/** Storage of this tab only: it survives a reload, but is not shared with other tabs or later users. */
const prefix = 'zonedeck.buying.'

export function readTab(name: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(prefix + name) ?? 'null')
  } catch {
    return null
  }
}

/** Null deletes the entry. If storage is denied or full, the page works without it. */
export function writeTab(name: string, value: unknown): void {
  try {
    if (value === null) sessionStorage.removeItem(prefix + name)
    else sessionStorage.setItem(prefix + name, JSON.stringify(value))
  } catch {
    // The state stays in memory but does not survive a reload.
  }
}
