import { expect, test } from 'vitest'
import { extractIcons, readIcons } from './icons.ts'

test('the client is built with exactly the icons that it imports, as they are in the package', async () => {
  expect(readIcons()).toEqual(await extractIcons())
})
