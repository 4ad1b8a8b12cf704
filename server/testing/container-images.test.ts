import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')

test('every image that is built from or run is named by its version and its content, and nothing else is fetched to build', () => {
  const built = [...read('Dockerfile').matchAll(/^(?:FROM|# *syntax=) *(\S+)/gm)].map(([, image = '']) => image)
  const run = [...read('compose.yaml').matchAll(/^ *image: *(\S+)/gm)].map(([, image = '']) => image)
  expect(built).toHaveLength(2)
  // Ours is built here.
  expect(run.filter((image) => image !== 'zonedeck')).toHaveLength(1)
  for (const image of [...built, ...run]) {
    if (image !== 'zonedeck') expect(image).toMatch(/^[a-z]+:[\d.]*[\w.-]*\d[\w.-]*@sha256:[0-9a-f]{64}$/)
  }
})
