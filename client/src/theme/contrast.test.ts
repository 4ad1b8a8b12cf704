import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')
const [light = '', dark = ''] = css.split(':root.dark')
const white = '#ffffff'

/** The color tokens of a theme; the dark one inherits what it does not override. */
function colorOf(theme: 'light' | 'dark', name: string): string {
  const find = (part: string) => new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(part)?.[1]
  const found = (theme === 'dark' ? find(dark) : undefined) ?? find(light)
  if (found === undefined) throw new Error(`no color --${name}`)
  return found
}

/** WCAG 2: relative luminance, and the contrast ratio of two colors from 1 to 21. */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
function contrastOf(one: string, other: string): number {
  const [darker = 0, brighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b)
  return (brighter + 0.05) / (darker + 0.05)
}

describe.each(['light', 'dark'] as const)('text has a contrast of 4.5:1 or better in the %s theme', (theme) => {
  it.each(['accent-fill', 'accent-fill-hover', 'bad-fill', 'bad-fill-hover'])('white on a button in --%s', (fill) => {
    expect(contrastOf(white, colorOf(theme, fill))).toBeGreaterThanOrEqual(4.5)
  })
  it.each(['text', 'text-2', 'text-3', 'accent', 'good', 'warn', 'bad', 'info'])('--%s on every background', (text) => {
    for (const ground of ['bg', 'surface', 'raised', 'field']) {
      expect(contrastOf(colorOf(theme, text), colorOf(theme, ground))).toBeGreaterThanOrEqual(4.5)
    }
  })
})
