import { expect, it } from 'vitest'
import { gapText } from './gap-text.ts'

it('a text with a gap is translated once, however often it is filled', () => {
  let translated = 0
  const deleteRow = gapText((row) => {
    translated += 1
    return `Delete ${row} for ever`
  })
  expect([deleteRow('a'), deleteRow('$&'), translated]).toEqual(['Delete a for ever', 'Delete $& for ever', 1])
})
