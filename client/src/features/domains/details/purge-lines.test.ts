import { expect, it } from 'vitest'
import { readPurgeLines } from './purge-lines.ts'

it('R-DET-05 addresses to clear may be whole, without https, or paths; faults are reported by line', () => {
  const text = [
    'https://example.com/a.css',
    '',
    ' /img/b.png ',
    'cdn.example.com/c.js',
    'http://EXAMPLE.com/a.css',
    'https://example.com/a.css',
    'https://badexample.com/',
    'https://exa mple.com/',
    'ftp://example.com/',
  ].join('\n')
  expect(readPurgeLines(text, 'example.com')).toEqual([
    { number: 1, url: 'https://example.com/a.css' },
    { number: 3, url: 'https://example.com/img/b.png' },
    { number: 4, url: 'https://cdn.example.com/c.js' },
    { number: 5, url: 'http://example.com/a.css' },
    { number: 7, fault: 'foreign' },
    { number: 8, fault: 'invalid' },
    { number: 9, fault: 'invalid' },
  ])
})

it('a name in its own letters is the same domain', () => {
  expect(readPurgeLines('https://пример.рф/стиль.css', 'xn--e1afmkfd.xn--p1ai')).toEqual([
    { number: 1, url: 'https://xn--e1afmkfd.xn--p1ai/%D1%81%D1%82%D0%B8%D0%BB%D1%8C.css' },
  ])
})
