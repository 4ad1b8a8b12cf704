import { expect, test } from 'vitest'
import { decodeText } from './decode-text.ts'

const text = 'источник;цель\nпример.рф;https://t.example/'
const utf16 = (isLittle: boolean) => {
  const bytes = new Uint8Array((text.length + 1) * 2)
  const view = new DataView(bytes.buffer)
  for (const [at, unit] of [0xfe_ff, ...Array.from(text, (character) => character.charCodeAt(0))].entries())
    view.setUint16(at * 2, unit, isLittle)
  return bytes
}
const windows1251 = () =>
  Uint8Array.from(text, (character) => {
    const code = character.charCodeAt(0)
    return code >= 0x4_10 && code <= 0x4_4f ? code - 0x3_50 : code
  })

test.each([
  ['UTF-8', new TextEncoder().encode(text)],
  ['UTF-8 with a byte order mark', new TextEncoder().encode(`\uFEFF${text}`)],
  ['UTF-16 of Windows', utf16(true)],
  ['UTF-16 with the high byte first', utf16(false)],
  ['Windows-1251', windows1251()],
])('a file in %s is read', (_, bytes) => {
  expect(decodeText(bytes)).toBe(text)
})
