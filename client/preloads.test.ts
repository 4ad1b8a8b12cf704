import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { routePaths } from '../e2e/route-pages.ts'
import { pages } from './preloads.ts'

/** The path of a route file. */
const addressOf = (route: string): string => {
  const address = route
    .replace(/^_app\/?/, '/')
    .replaceAll('.', '/')
    .replace(/\/?index$/, '')
  return address.startsWith('/') ? address : `/${address}`
}

/** Pages without preloads, and the root, which redirects to the domains. */
const withoutPreloads = ['/second-factor', '/reset-password', '/status/$slug', '/']

const pageOf = (path: string) => pages.find(({ begins, ends = '' }) => path.startsWith(begins) && path.endsWith(ends))

test('the preloaded scripts of a page are the ones its route consists of', () => {
  const paths = routePaths().filter((each) => !withoutPreloads.includes(each))
  expect(paths.map((path) => addressOf(pageOf(path)?.routes.at(-1) ?? 'none'))).toEqual(paths)
})

test('pages shown without a session preload nothing of the other pages', () => {
  expect(['/second-factor', '/reset-password', '/status/shops'].map(pageOf)).toEqual([undefined, undefined, undefined])
})

test('the preloaded texts of a page are the ones its routes wait for', () => {
  for (const { begins, ends = '', routes, texts } of pages) {
    const files = routes.map((route) => readFileSync(`client/src/routes/${route}.tsx`, 'utf8'))
    const wanted = files.flatMap((file) =>
      Array.from(file.matchAll(/loadTexts\(([^()]*)\)/g), ([, names = '']) => names.match(/[\w-]+/g) ?? []),
    )
    expect({ page: begins + ends, texts: texts.toSorted() }).toEqual({ page: begins + ends, texts: [...new Set(wanted.flat())].toSorted() })
  }
})
