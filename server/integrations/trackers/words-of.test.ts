import { expect, test } from 'vitest'
import { wordsOf } from './words-of.ts'

const of = (text: string) => wordsOf({ status: 400, headers: {}, text })

test('a refusal is read from JSON, from the title of a page, or as it stands', () => {
  expect(of('{"error":"No such domain"}')).toBe('No such domain')
  expect(of('{"name":["is taken"]}')).toBe('name: is taken')
  expect(of('<html><head><title lang="en">Sign&#32;in &amp; wait</title>')).toBe('Sign in & wait')
  expect(of(' Not today ')).toBe('Not today')
})

test('of megabytes only the beginning is looked at, however they are made', () => {
  const began = performance.now()
  expect(of('<title'.repeat(5_000_000))).toBe('')
  expect(of(`<title>${'x'.repeat(10_000_000)}`).length).toBeLessThan(4_100)
  expect(of('x'.repeat(10_000_000)).length).toBeLessThan(4_100)
  expect(performance.now() - began).toBeLessThan(500)
})
