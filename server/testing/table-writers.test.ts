import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/** Each table with the one folder whose repositories may write its rows. */
const writers = {
  zones: 'server/features/domains/',
  incidents: 'server/features/monitoring/incidents/',
} as const

const root = fileURLToPath(new URL('../..', import.meta.url))
const productFiles = globSync('{server,shared}/**/*.ts', { cwd: root }).filter(
  (file) => !file.endsWith('.test.ts') && !file.startsWith('server/testing/'),
)

/** Raw SQL, also with the table as a template value, and drizzle's equivalents. */
const writes = (table: string) =>
  new RegExp(
    String.raw`\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate)\s+(?:only\s+)?(?:public\.)?(?:"?${table}"?\b|\$\{(?:schema\.)?${table}\})` +
      String.raw`|\.(?:insert|update|delete)\(\s*(?:schema\.)?${table}\s*\)`,
    'i',
  )

describe('table writers', () => {
  it.each(Object.entries(writers))('only repositories of its feature folder write rows of %s', (table, folder) => {
    const found = productFiles.filter((file) => writes(table).test(readFileSync(`${root}/${file}`, 'utf8')))
    // A check that finds nothing does not work.
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter((file) => !file.startsWith(folder) || !file.endsWith('.repo.ts'))).toEqual([])
  })

  it.each([
    'insert into zones (id)',
    'UPDATE ONLY zones z set',
    'delete from\n  zones where',
    'update ${zones} set',
    'db.update(zones)',
    'orm\n    .delete(zones)',
    'tx.insert(schema.zones)',
  ])('sees a write in %j', (text) => expect(writes('zones').test(text)).toBe(true))

  it.each(['select from zones', 'for no key update of z', 'update zone_settings set', 'db.update(zoneSettings)'])(
    'sees none in %j',
    (text) => expect(writes('zones').test(text)).toBe(false),
  )
})
