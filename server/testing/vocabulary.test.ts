import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastify from 'fastify'
import { parseSync, Visitor } from 'vite'
import { describe, expect, it } from 'vitest'
import { openApi } from '#server/transports/rest/openapi.ts'

// Words that we do not use, because the field has a standard term or the meaning is unclear. Each pattern is matched as whole words.
const unwanted: Readonly<Record<string, RegExp>> = {
  'tell: say report, show or list': /\b(?:told|tells?|telling)\b/i,
  'anew: say again': /\banew\b/i,
  'news: say change event, alert': /\bnews\b/i,
  'whoever: say anyone who': /\bwhoever\b/i,
  'whose as a noun': /\bwhose (?:an?|it|they|this|that|which) /i,
  'hasten: say run earlier': /\bhasten(?:s|ed|ing)?\b/i,
  'mend: say fix': /\bmend(?:s|ed|ing)?\b/i,
  'deadly: say poison item, crash': /\bdeadly\b/i,
  'twin: say duplicate': /\btwins?\b/i,
  modest: /\bmodest(?:ly)?\b/i,
  'thing: name it': /\bthings?\b/i,
  'way back: say undo, reversibility': /\bways? back\b/i,
  'at once: say immediately or concurrently': /\bat once\b/i,
  'becomes of: say result': /\b(?:becomes?|became) of\b/i,
  'so many, so often, so late': /\bso-and-so\b/i,
  'is known of': /\bknown of\b/i,
  'by itself: say automatically or separately': /\bby (?:itself|themselves)\b/i,
  'alone: say only': /\balone\b/i,
  'door: say entry point': /\bdoors?\b/i,
  'lane: say concurrency key': /\blanes?\b/i,
  'reach as a noun: say access': /\b(?:the|an?|their|its|his|her|my|our|your|whose|of) reach\b/i,
  breath: /\bbreaths?\b/i,
  'seal: say encrypt': /\b(?:un)?seal(?:s|ed|ing)?\b/i,
  'housekeeping: say maintenance or retention job': /\bhousekeeping\b/i,
}

interface Line {
  /** The file or the place in a document, and the line. */
  readonly at: string
  readonly text: string
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ')
const linesOf = (at: string, text: string): Line[] => text.split('\n').map((line, index) => ({ at: `${at}:${index + 1}`, text: line }))

/** Markdown without code, names of files and variables, and addresses. */
const proseOf = (content: string) =>
  content
    .replaceAll(/^```[\s\S]*?^```/gm, blank)
    .replaceAll(/`[^`\n]*`/g, blank)
    .replaceAll(/\]\([^)\s]*\)/g, blank)

/** The values of a JSON file. */
const valuesOf = (content: string) => content.replaceAll(/"[\w.-]+":/g, blank)

/** The string literals that contain a space; everything else is blank. */
const stringsOf = (content: string) =>
  content.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|[^'`/]+|\//g, (part) =>
    /^['`].* /s.test(part) ? part.replaceAll(/\$\{[^}]*\}/g, blank) : blank(part),
  )

/** The string literals in the arguments of log calls and of errors that are thrown. */
function messagesOf(content: string): string {
  let kept = ''
  for (const { index, 0: call } of content.matchAll(/(?:\blog\.(?:debug|info|warn|error|fatal)|\bnew \w*Error)\(/g)) {
    const start = index + call.length
    let [end, depth] = [start, 1]
    for (; depth > 0 && end < content.length; end += 1)
      depth += '([{'.includes(content[end] ?? '') ? 1 : ')]}'.includes(content[end] ?? '') ? -1 : 0
    if (start < kept.length) continue
    kept += blank(content.slice(kept.length, start)) + stringsOf(content.slice(start, end))
  }
  return kept
}

const textsOfFiles = (globs: readonly string[], textOf: (content: string) => string) => (): Line[] =>
  globSync([...globs], { cwd: root })
    .filter((path) => !/\.test\.ts$|\.gen\.ts$|\/(?:node_modules|dist|testing)\//.test(path))
    .toSorted()
    .flatMap((path) => linesOf(path, textOf(readFileSync(`${root}/${path}`, 'utf8'))))

/** Summaries and descriptions of the OpenAPI document. */
async function textsOfApi(): Promise<Line[]> {
  const app = fastify()
  openApi(app, '1.0.0', 'http://panel.test')
  const document: unknown = (await app.inject('/api/openapi.json')).json()
  await app.close()
  const walk = (value: unknown, at: string): Line[] =>
    typeof value !== 'object' || value === null
      ? []
      : Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
          typeof inner === 'string' && (name === 'description' || name === 'summary')
            ? linesOf(`${at}/${name}`, proseOf(inner))
            : walk(inner, `${at}/${name}`),
        )
  return walk(document, '')
}

/** Names that are stored or sent unchanged: columns, fields of plans, icon names. */
const storedNames = /^(?:lane|told|news|IconNews|IconDoor\w*|[A-Za-z]+Sealed)$/
const splitName = (name: string) => name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll(/[_.-]/g, ' ')

/** A code file's name, its comments, identifiers and test titles. */
function namesOf(path: string, content: string): Line[] {
  const { program, comments } = parseSync(path, content)
  const lines: Line[] = [{ at: path, text: splitName(path.slice(path.lastIndexOf('/') + 1)) }]
  const add = (start: number, text: string) => {
    const first = content.slice(0, start).split('\n').length
    lines.push(...text.split('\n').map((line, index) => ({ at: `${path}:${first + index}`, text: line })))
  }
  for (const { start, end } of comments) add(start, content.slice(start, end).replaceAll(/`[^`\n]*`/g, blank))
  new Visitor({
    Identifier({ name, start }) {
      if (!storedNames.test(name)) add(start, splitName(name))
    },
    CallExpression({ callee, arguments: [title] }) {
      if (title === undefined || !/^(?:describe|it|test)\b/.test(content.slice(callee.start, callee.end))) return
      if (title.type !== 'Literal' && title.type !== 'TemplateLiteral') return
      add(title.start, content.slice(title.start, title.end).replaceAll(/\$\{[^}]*\}/g, blank))
    },
  }).visit(program)
  return lines
}

const pathsOfCode = (): string[] =>
  globSync('{server,client,shared,api-client,e2e,bench}/**/*.{ts,tsx}', { cwd: root })
    .filter((path) => !/\.gen\.ts$|\/(?:node_modules|dist)\/|vocabulary\.test\.ts$/.test(path))
    .toSorted()
const namesOfCode = (): Line[] => pathsOfCode().flatMap((path) => namesOf(path, readFileSync(`${root}/${path}`, 'utf8')))

/** Variables named `zoneId` or `zoneIds`; fields and properties do not count. */
function findZoneIds(path: string, content: string): string[] {
  const properties = new Set<number>()
  const found = new Set<string>()
  const property = ({ computed, key }: { readonly computed: boolean; readonly key: { readonly start: number } }) => {
    if (!computed) properties.add(key.start)
  }
  new Visitor({
    MemberExpression: ({ computed, property: key }) => property({ computed, key }),
    Property: (node) => void (node.shorthand || property(node)),
    TSPropertySignature: property,
    Identifier({ name, start }) {
      if (/^zoneIds?$/.test(name) && !properties.has(start)) found.add(`${path}:${content.slice(0, start).split('\n').length}`)
    },
  }).visit(parseSync(path, content).program)
  return [...found]
}

/** Texts and names shown to people. */
const scopes: Readonly<Record<string, () => Line[] | Promise<Line[]>>> = {
  documentation: textsOfFiles(['*.md', 'docs/**/*.md', 'api-client/*.md', 'server/**/*.md'], proseOf),
  'English texts of the interface': textsOfFiles(['shared/i18n/locales/en/*.json'], valuesOf),
  'API document': textsOfApi,
  'log messages and errors': textsOfFiles(['server/**/*.ts', 'shared/**/*.ts', 'client/src/**/*.{ts,tsx}'], messagesOf),
  'command line and MCP server': textsOfFiles(['api-client/src/**/*.ts', 'server/entrypoints/*.ts'], stringsOf),
  'names, comments and test titles of the code': namesOfCode,
}

const findUnwanted = (lines: readonly Line[]) =>
  lines.flatMap(({ at, text }) => Object.entries(unwanted).flatMap(([reason, pattern]) => (pattern.test(text) ? [`${at}: ${reason}`] : [])))

describe('the vocabulary', () => {
  it.each(Object.entries(scopes))('of the %s has no banned words', async (_name, read) => {
    const lines = await read()
    expect(lines.filter(({ text }) => /\w{3}/.test(text)).length).toBeGreaterThan(100)
    expect(findUnwanted(lines)).toEqual([])
  })

  it('calls the id of a domain domainId; zoneId is only a field that is sent or stored', () => {
    const example = 'const { zoneId } = row\nf(row.zoneId, { zoneId: id })\nconst { zoneIds: ids } = row\nf({ zoneIds })'
    expect(findZoneIds('a.ts', example)).toEqual(['a.ts:1', 'a.ts:4'])
    // The simulated providers have their own ids.
    const paths = pathsOfCode().filter((path) => !path.startsWith('server/simulators/'))
    expect(paths.flatMap((path) => findZoneIds(path, readFileSync(`${root}/${path}`, 'utf8')))).toEqual([])
  })

  it('is checked by whole words, only in prose, values, strings and messages', () => {
    const found = (text: string) => findUnwanted(linesOf('', text)).map((each) => Number(each.split(':')[1]))
    expect(found(proseOf('The log tells it.\nAnything, a doorstep and `tellAll` are fine.\n```\nat once\n```\nAt once.'))).toEqual([1, 6])
    expect(found(valuesOf('{\n"tells": "Reports",\n"reports": "It tells"\n}'))).toEqual([3])
    expect(found(stringsOf("// told\nconst told = 'told'\nconst text = 'was told'\n/* was told */ `is ${told} here`"))).toEqual([3])
    expect(
      found(messagesOf("const text = 'was told'\nlog.warn({ told }, 'was told')\nthrow new AppError('told', {\n  cause: 'was told' })")),
    ).toEqual([2, 4])
  })
})
