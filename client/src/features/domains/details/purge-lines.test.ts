import { expect, it } from 'vitest'
import { readPurgeLines } from './purge-lines.ts'

it('R-DET-05 URLs to purge can be full, without https, or paths; errors are reported by line', () => {
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

it('a Unicode name matches its Punycode domain', () => {
  expect(readPurgeLines('https://пример.рф/стиль.css', 'xn--e1afmkfd.xn--p1ai')).toEqual([
    { number: 1, url: 'https://xn--e1afmkfd.xn--p1ai/%D1%81%D1%82%D0%B8%D0%BB%D1%8C.css' },
  ])
})
