import { expect, test } from 'vitest'
import { wordsOf } from './words-of.ts'

const of = (text: string) => wordsOf({ status: 400, headers: {}, text })

test('an error message is read from JSON, from the title of a page, or as plain text', () => {
  expect(of('{"error":"No such domain"}')).toBe('No such domain')
  expect(of('{"name":["is taken"]}')).toBe('name: is taken')
  expect(of('<html><head><title lang="en">Sign&#32;in &amp; wait</title>')).toBe('Sign in & wait')
  expect(of(' Not today ')).toBe('Not today')
})

test.each([
  ['{"error":"No","message":"Not now"}', 'No; Not now'],
  ['{"error":"No","detail":"No"}', 'No'],
  ['{"error":" No ","message":" "}', 'No'],
  ['{"error":null,"code":5,"errors":[{"title":"No"}]}', 'No'],
  ['[[[["No"]]]]', 'No'],
  ['"No"', 'No'],
  ['null', ''],
  ['{"data":{"name":{"short":"is taken"}}}', 'data: name: short: is taken'],
  ['{"data":{"name":{"short":{"deep":"is taken"}}}}', ''],
])('%s gives %j', (text, words) => {
  expect(of(text)).toBe(words)
})

test.each([
  ['&lt;b&gt; &quot;&apos;&nbsp;&AMP;', '<b> "\' &'],
  ['&#x41;&#x1F600;&#128512;&#x10FFFF;', 'A😀😀\u{10ffff}'],
  ['&#x110000; &#1114112; &euro; &;', '&#x110000; &#1114112; &euro; &;'],
])('the title %s of a page is %s', (title, words) => {
  expect(of(`<html><TITLE>  ${title}  </TITLE>`)).toBe(words)
})

test('a page without a title gives an empty message', () => {
  expect(of('<html><h1>Not found</h1>')).toBe('')
})

test('only the beginning of a text of megabytes is read, for any content', () => {
  const began = performance.now()
  expect(of('<title'.repeat(5_000_000))).toBe('')
  expect(of(`<title>${'x'.repeat(10_000_000)}`).length).toBeLessThan(4_100)
  expect(of('x'.repeat(10_000_000)).length).toBeLessThan(4_100)
  // A backtracking expression took half a minute.
  expect(performance.now() - began).toBeLessThan(5_000)
})
