import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { errorCatalogue } from '../shared/errors/codes.ts'
import errors from '../shared/i18n/locales/en/errors.json' with { type: 'json' }
import failures from '../shared/i18n/locales/en/failures.json' with { type: 'json' }
import faults from '../shared/i18n/locales/en/faults.json' with { type: 'json' }
import operations from '../shared/i18n/locales/en/operations.json' with { type: 'json' }
import validation from '../shared/i18n/locales/en/validation.json' with { type: 'json' }
import panel from '../package.json' with { type: 'json' }
import { describeProcedures } from './describe-procedures.ts'
import type { DescribedProcedure } from './describe-procedures.ts'

interface Tree {
  readonly [name: string]: Tree | DescribedProcedure
}

const isProcedure = (node: Tree | DescribedProcedure): node is DescribedProcedure => typeof (node as DescribedProcedure).path === 'string'

/** The routers as they lie in one another. */
function treeOf(procedures: readonly DescribedProcedure[]): Tree {
  const tree: Record<string, Tree | DescribedProcedure> = {}
  for (const procedure of procedures) {
    const names = procedure.path.split('.')
    const last = names.pop() ?? ''
    let at = tree
    for (const name of names) at = (at[name] ??= {}) as Record<string, Tree | DescribedProcedure>
    at[last] = procedure
  }
  return tree
}

const callOf = ({ path, type, items }: DescribedProcedure) =>
  `${type === 'subscription' ? 'Subscription' : items === undefined ? 'Call' : 'PagedCall'}<'${path}'>`

function members(tree: Tree): string {
  const list = tree['list']
  const all =
    list !== undefined && isProcedure(list) && list.items !== undefined
      ? `/** Every item of \`list\`, page by page as they are asked for. */ readonly all: PagedCall<'${list.path}'>['all']; `
      : ''
  return Object.entries(tree)
    .map(([name, node]) =>
      isProcedure(node)
        ? `${node.about === undefined ? '' : `/** ${node.about} */ `}readonly ${name}: ${callOf(node)}`
        : `readonly ${name}: { ${members(node)} }`,
    )
    .join('; ')
    .replace(/^/, all)
}

/** Where the panel's own words are for people in a browser. */
const ownTexts = {
  unauthorized: 'The token is missing, invalid, expired or revoked. Create one under My profile, API tokens.',
}

/** `src/procedures.gen.ts`: what the router and the catalogue of errors say today. */
export async function writeProcedures(): Promise<void> {
  const { procedures, types } = await describeProcedures()
  const rows = procedures.map(
    ({ path, type, input, output, optional, items }) =>
      `  '${path}': { readonly type: '${type}'; readonly input: ${input}; readonly optional: ${optional}; readonly output: ${output}; readonly items: ${items === undefined ? 'never' : `'${items}'`} }`,
  )
  const paged = Object.fromEntries(procedures.flatMap(({ path, items }) => (items === undefined ? [] : [[path, items]])))
  const streams = procedures.filter(({ type }) => type === 'subscription').map(({ path }) => path)
  const warnings = Object.fromEntries(Object.entries(operations.dangers).map(([code, { title }]) => [code, title]))
  const text = `// Made by \`npm run build:client-package\` from the server's router; not to be changed by hand.
import type { Call, PagedCall, Subscription } from './calls.ts'

${types.join('\n')}

/** Every procedure: what it takes and what it answers. */
export interface Procedures {
${rows.join('\n')}
}

/** The panel's procedures as functions. */
export interface Calls { ${members(treeOf(procedures))} }

/** The field that holds the items of a page. */
export const itemsOfPage: Readonly<Record<string, string>> = ${JSON.stringify(paged)}

/** Of the panel that this client was made with. */
export const version = ${JSON.stringify(panel.version)}

export const streams: readonly string[] = ${JSON.stringify(streams)}

/** Every code that the panel refuses a call with. */
export type ErrorCode = ${Object.keys(errorCatalogue)
    .map((code) => `'${code}'`)
    .join(' | ')}

/** In English, for people. */
export const errorTexts: Readonly<Record<string, string>> = ${JSON.stringify({ ...operations.codes, ...errors.codes, ...failures.codes, ...ownTexts })}
export const refusalTexts: Readonly<Record<string, string>> = ${JSON.stringify(failures.refusals)}
export const warningTexts: Readonly<Record<string, string>> = ${JSON.stringify(warnings)}
export const issueTexts: Readonly<Record<string, string>> = ${JSON.stringify({ ...validation, ...faults })}
`
  await writeFile(fileURLToPath(new URL('src/procedures.gen.ts', import.meta.url)), text)
}
