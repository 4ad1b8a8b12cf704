import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')

test('every image built from or run is pinned by version and digest, and the build fetches nothing else', () => {
  const built = [...read('Dockerfile').matchAll(/^(?:FROM|# *syntax=) *(\S+)/gm)].map(([, image = '']) => image)
  const run = [...read('compose.yaml').matchAll(/^ *image: *(\S+)/gm)].map(([, image = '']) => image)
  expect(built).toHaveLength(2)
  // Built in this project.
  expect(run.filter((image) => image !== 'zonedeck')).toHaveLength(1)
  for (const image of [...built, ...run]) {
    if (image !== 'zonedeck') expect(image).toMatch(/^[a-z]+:[\d.]*[\w.-]*\d[\w.-]*@sha256:[0-9a-f]{64}$/)
  }
})
