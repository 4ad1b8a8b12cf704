import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

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
  twin: /\btwins?\b/i,
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

interface Scope {
  readonly files: readonly string[]
  /** The text of a file that people read, with its lines in place. */
  readonly textOf: (content: string) => string
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ')

/** Add a scope to check further texts: identifiers, texts of the user interface. */
const scopes: Readonly<Record<string, Scope>> = {
  documentation: {
    files: ['*.md', 'docs/**/*.md', 'api-client/*.md', 'server/**/*.md'],
    // Code, and names of files and variables, are not prose.
    textOf: (content) =>
      content
        .replaceAll(/^```[\s\S]*?^```/gm, blank)
        .replaceAll(/`[^`\n]*`/g, blank)
        .replaceAll(/\]\([^)\s]*\)/g, blank),
  },
}

const findUnwanted = (text: string) =>
  text
    .split('\n')
    .flatMap((line, index) =>
      Object.entries(unwanted).flatMap(([reason, pattern]) => (pattern.test(line) ? [{ line: index + 1, reason }] : [])),
    )

describe('the vocabulary', () => {
  it.each(Object.entries(scopes))('of the %s has none of the unwanted words', (_name, { files, textOf }) => {
    const paths = globSync([...files], { cwd: root }).toSorted()
    expect(paths.length).toBeGreaterThan(0)
    const found = paths.flatMap((path) =>
      findUnwanted(textOf(readFileSync(`${root}/${path}`, 'utf8'))).map(({ line, reason }) => `${path}:${line}: ${reason}`),
    )
    expect(found).toEqual([])
  })

  it('is checked by whole words and outside code', () => {
    const found = (text: string) => findUnwanted(scopes['documentation']?.textOf(text) ?? '').map(({ line }) => line)
    expect(found('The log tells it.\nAnything, a doorstep and `tellAll` are fine.\n```\nat once\n```\nAt once.')).toEqual([1, 6])
  })
})
