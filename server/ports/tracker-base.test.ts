import { expect, test } from 'vitest'
import { trackerBase } from './ad-tracker.ts'

test.each([
  ['https://tracker.example', 'https://tracker.example'],
  ['https://tracker.example//', 'https://tracker.example'],
  ['https://tracker.example/admin/?page=1#x', 'https://tracker.example'],
  ['https://tracker.example/admin_api/v1/', 'https://tracker.example'],
  ['https://tracker.example/public/api/v1', 'https://tracker.example'],
  ['https://tracker.example/in//a/folder//index.php//', 'https://tracker.example/in//a/folder'],
  ['https://tracker.example/administrator', 'https://tracker.example/administrator'],
])('the base of %s is %s', (url, base) => {
  expect(trackerBase(url)).toBe(base)
})

test('an address of a hundred thousand slashes is parsed in linear time', () => {
  const began = performance.now()
  expect(trackerBase(`https://tracker.example/${'/'.repeat(100_000)}x`)).toMatch(/\/x$/)
  expect(performance.now() - began).toBeLessThan(5_000)
})
