import { expect, test } from 'vitest'
import { partsOfPerson, personLabel } from './person-label.ts'

test('a person is named by name and username, whatever the name pretends to be', () => {
  for (const person of [
    { name: 'Demo', username: 'demo' },
    { name: 'Demo · demo', username: 'mallory' },
    { name: ' · ', username: 'mallory' },
    { name: null, username: 'mallory' },
  ])
    expect(partsOfPerson(personLabel(person))).toEqual(person)
  expect(personLabel({ name: 'Demo · demo', username: 'mallory' })).toBe('Demo · demo · mallory')
})

test('a name that is missing or is the username itself is not reported twice', () => {
  for (const name of [null, '', 'anna']) expect(personLabel({ name, username: 'anna' })).toBe('anna')
})
