import { expect, test } from 'vitest'
import { partsOfPerson, personLabel } from './person-label.ts'

test('a user label contains name and username, even if the name imitates a label', () => {
  for (const person of [
    { name: 'Demo', username: 'demo' },
    { name: 'Demo · demo', username: 'mallory' },
    { name: ' · ', username: 'mallory' },
    { name: null, username: 'mallory' },
  ])
    expect(partsOfPerson(personLabel(person))).toEqual(person)
  expect(personLabel({ name: 'Demo · demo', username: 'mallory' })).toBe('Demo · demo · mallory')
})

test('a missing name, or one equal to the username, is not repeated', () => {
  for (const name of [null, '', 'anna']) expect(personLabel({ name, username: 'anna' })).toBe('anna')
})
