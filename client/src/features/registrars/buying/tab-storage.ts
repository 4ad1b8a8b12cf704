/** What this tab keeps through a reload, and nothing longer: another tab, and who signs in after, begins without it. */
const prefix = 'zonedeck.buying.'

export function readTab(name: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(prefix + name) ?? 'null')
  } catch {
    return null
  }
}

/** Null: nothing is kept any more. A tab that may keep nothing, or no more, goes on without. */
export function writeTab(name: string, value: unknown): void {
  try {
    if (value === null) sessionStorage.removeItem(prefix + name)
    else sessionStorage.setItem(prefix + name, JSON.stringify(value))
  } catch {
    // As before the reload, only not after it.
  }
}
