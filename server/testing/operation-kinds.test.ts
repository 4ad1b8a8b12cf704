import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { operationKindNames } from '#shared/features/operations/registry.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Distinctive kind names: a file with a table of kinds contains these as well. Two are also column names. */
const unmistakable = operationKindNames.filter((kind) => kind.includes('_') && kind !== 'name_servers')
const keys = unmistakable.filter((kind) => kind !== 'auto_renew')
/** As a value or as a key; not within SQL or a text. */
const mention = new RegExp(`'(?:${unmistakable.join('|')})'|^\\s*(?:${keys.join('|')}):`, 'm')

const filesNaming = (folders: string): string[] =>
  globSync(`${folders}/**/*.{ts,tsx}`, { cwd: root })
    .filter((file) => !/\.test\.tsx?$|\.gen\.ts$|^server\/(testing|simulators|db)\//.test(file) && !file.includes('node_modules'))
    .filter((file) => mention.test(readFileSync(join(root, file), 'utf8')))
    .toSorted()

test('an operation kind is named only in its folder, in its registry row and where it is started', () => {
  const others = filesNaming('{server,shared}').filter((file) => !file.startsWith('server/features/operations/kinds/'))
  expect(others).toEqual([
    // Files that start it: the demo, and routes for one kind.
    'server/demo/operations.ts',
    'server/demo/trackers.ts',
    'server/features/operations/operations.router.ts',
    'server/transports/rest/code-samples.ts',
    'server/transports/rest/previews.ts',
    // The registry row.
    'shared/features/operations/registry.ts',
  ])
})

test('the client names a kind only in its row, in its form, in the words of its changes and on the pages that start it', () => {
  const startedFrom = /^client\/src\/features\/(addresses|domains\/details|registrars|trackers)\//
  const others = filesNaming('client').filter((file) => !startedFrom.test(file))
  expect(others.map((file) => file.replace('client/src/features/operations/', ''))).toEqual([
    // The forms, listed in the first of these files; their requests are in the second.
    'bulk-dialog.tsx',
    'bulk-form.ts',
    'dns-add-form.tsx',
    'dns-delete-form.tsx',
    'dns-edit-form.tsx',
    'dns-replace-form.tsx',
    'ip-access-forms.tsx',
    // Changes of an item, whose names are partly those of kinds.
    'item-changes.ts',
    // The row.
    'kinds.ts',
    'renewal-forms.tsx',
    'tracker-forms.tsx',
    'use-change-words.ts',
  ])
})

/** A decision by kind, also by those whose names are common words; a change of an item has a kind of its own. */
const decision = new RegExp(`(?<!change\\.)\\bkind [!=]== '(?:${operationKindNames.join('|')})'`)

test('the client decides nothing by the name of a kind except the procedure of its preview', () => {
  const files = globSync('client/src/features/operations/*.{ts,tsx}', { cwd: root }).filter((file) => !file.includes('.test.'))
  expect(files.filter((file) => decision.test(readFileSync(join(root, file), 'utf8')))).toEqual([
    'client/src/features/operations/bulk-dialog.tsx',
  ])
})
