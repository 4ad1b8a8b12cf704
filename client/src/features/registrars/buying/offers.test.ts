import { describe, expect, test } from 'vitest'
import { namesAtMost as serversLimit } from '#shared/features/registrars/buying/schema.ts'
import {
  alternativesFor,
  bestOffer,
  isEnough,
  namesAtMost,
  noChoices,
  orderedNames,
  rowOf,
  currentOffer,
  sumsOf,
  takenOf,
  type Choices,
  type Offer,
  inOrder,
  selectedOf,
} from './offers.ts'

const usd = (minor: number) => ({ minor, currency: 'USD' })
const available = (name: string, minor: number, rest: Partial<Extract<Offer, { state: 'available' }>> = {}): Offer => ({
  name,
  displayName: name,
  state: 'available',
  price: usd(minor),
  renewal: usd(minor + 400),
  years: 1,
  longer: [
    { years: 2, minor: minor * 2 },
    { years: 3, minor: minor * 3 },
  ],
  premium: false,
  ...rest,
})
const refused = (name: string, state: 'unknown' | 'unsupported'): Offer => ({ name, displayName: name, state, code: null, message: null })
const taken = (name: string): Offer => ({ name, displayName: name, state: 'taken' })

const row = (name: string, offers: Record<string, Offer>, ids = ['one', 'two', 'three'], asking = ids, years = 1) =>
  rowOf(
    { name, displayName: name },
    ids,
    (id) => offers[id],
    (id) => asking.includes(id),
    years,
  )

describe('R-BUY-01 offers of several registrars', () => {
  test('the cheapest per year is preselected, within the currency of the first', () => {
    const offers = new Map([
      ['one', available('a.com', 1_098)],
      ['two', available('a.com', 1_898, { years: 2 })],
      ['three', available('a.com', 90, { price: { minor: 90, currency: 'RUB' } })],
    ])
    expect(bestOffer(offers, ['one', 'two', 'three'])).toBe('two')
    expect(bestOffer(offers, ['three', 'one', 'two'])).toBe('three')
  })

  test('among equal prices the cheapest renewal is preselected', () => {
    const offers = new Map([
      ['one', available('a.com', 1_098, { renewal: null })],
      ['two', available('a.com', 1_098, { renewal: usd(1_900) })],
      ['three', available('a.com', 1_098, { renewal: usd(1_500) })],
    ])
    expect(bestOffer(offers, ['one', 'two', 'three'])).toBe('three')
    expect(bestOffer(offers, ['one', 'two'])).toBe('two')
  })

  test('a name that one registrar reports as premium is premium at those that do not report it', () => {
    const priced = row('a.com', { one: available('a.com', 90_000), two: available('a.com', 90_000, { premium: true }) })
    expect([priced.state, priced.best]).toEqual(['premium', null])
  })

  test('an offer without a price or with a premium price is never preselected', () => {
    expect(row('a.com', { one: available('a.com', 5, { price: null }), two: available('a.com', 9_999, { premium: true }) }).best).toBeNull()
  })

  test.each([
    ['available', { one: taken('a.com'), two: available('a.com', 100) }],
    ['premium', { one: available('a.com', 100, { premium: true }), two: taken('a.com'), three: taken('a.com') }],
    ['waiting', { one: taken('a.com') }],
    ['taken', { one: taken('a.com'), two: refused('a.com', 'unknown'), three: refused('a.com', 'unsupported') }],
    ['unknown', { one: refused('a.com', 'unsupported'), two: refused('a.com', 'unknown'), three: refused('a.com', 'unsupported') }],
    ['unsupported', { one: refused('a.com', 'unsupported'), two: refused('a.com', 'unsupported'), three: refused('a.com', 'unsupported') }],
  ] as const)('is %s', (state, offers) => {
    expect(row('a.com', offers).state).toBe(state)
  })

  test('a failed registrar is no longer waited for and counts as no answer', () => {
    const asking = (some: readonly string[], offers: Record<string, Offer>) => row('a.com', offers, ['one', 'two'], [...some]).state
    expect(asking(['two'], { one: taken('a.com') })).toBe('waiting')
    expect(asking([], { one: taken('a.com') })).toBe('taken')
    expect(asking([], { one: refused('a.com', 'unsupported') })).toBe('unknown')
    expect(asking([], {})).toBe('unknown')
  })

  test('an explicit choice overrides the cheapest; a premium name is chosen only at the accepted price', () => {
    const plain = row('a.com', { one: available('a.com', 100), two: available('a.com', 200) })
    const premium = row('b.com', { one: available('b.com', 90_000, { premium: true }) })
    const choices: Choices = {
      ...noChoices,
      picks: new Map([
        ['a.com', { registrarId: 'two', agreed: null }],
        ['b.com', { registrarId: 'one', agreed: usd(90_000) }],
      ]),
    }
    expect(currentOffer(plain, choices)?.registrarId).toBe('two')
    expect(currentOffer(premium, choices)?.registrarId).toBe('one')
    expect(currentOffer(row('b.com', { one: available('b.com', 95_000, { premium: true }) }), choices)).toBeNull()
    expect(currentOffer(premium, noChoices)).toBeNull()
  })

  test('the limit of names equals the server’s', () => {
    expect(namesAtMost).toBe(serversLimit)
  })

  test('excluded names are not bought', () => {
    const rows = [row('a.com', { one: available('a.com', 100) }), row('b.com', { one: available('b.com', 100) })]
    expect(takenOf(rows, { ...noChoices, included: new Map([['a.com', false]]) }).map((each) => each.row.name)).toEqual(['b.com'])
    expect(takenOf(rows, { ...noChoices, all: false })).toEqual([])
  })

  test('R-BUY-02 totals are by registrar and currency, with each name for its shortest term', () => {
    const rows = [
      row('a.com', { one: available('a.com', 1_000) }),
      row('b.com', { one: available('b.com', 3_000, { years: 2 }) }),
      row('c.com', { two: available('c.com', 500, { price: { minor: 500, currency: 'RUB' }, renewal: null }) }),
    ]
    const bought = takenOf(rows, noChoices)
    expect(sumsOf(bought)).toEqual([
      { registrarId: 'one', names: 2, total: usd(4_000), renewal: usd(4_800) },
      { registrarId: 'two', names: 1, total: { minor: 500, currency: 'RUB' }, renewal: null },
    ])
    expect(orderedNames(bought)[1]).toEqual({ name: 'b.com', registrarId: 'one', price: usd(3_000), years: 2, premium: false })
  })

  test('R-BUY-01 a longer term costs what is quoted for it; a registrar that does not sell the term is not preselected', () => {
    const offers = {
      one: available('a.com', 1_000),
      two: available('a.com', 900, { longer: [] }),
      three: available('a.com', 3_200, { years: 5 }),
    }
    const three = row('a.com', offers, undefined, undefined, 3)
    expect(three.best).toBe('three')
    expect(three.offers.get('one')).toMatchObject({ years: 3, price: usd(3_000) })
    expect(three.offers.get('two')).toMatchObject({ price: null, onlyFor: 1 })
    // A name that is not sold for less is bought for its shortest term.
    expect(three.offers.get('three')).toMatchObject({ years: 5, price: usd(3_200) })
    const bought = takenOf([row('a.com', { one: offers.one }, undefined, undefined, 2)], noChoices)
    expect(orderedNames(bought)).toEqual([{ name: 'a.com', registrarId: 'one', price: usd(2_000), years: 2, premium: false }])
    expect(sumsOf(bought)).toEqual([{ registrarId: 'one', names: 1, total: usd(2_000), renewal: usd(1_400) }])
  })

  test('R-BUY-02 a balance is sufficient, insufficient or not comparable', () => {
    expect(isEnough(usd(100), usd(100))).toBe(true)
    expect(isEnough(usd(101), usd(100))).toBe(false)
    expect(isEnough(usd(1), null)).toBeNull()
    expect(isEnough(usd(1), { minor: 5, currency: 'RUB' })).toBeNull()
  })
})

test('when a balance is too low, registrars that sell all of the names for the same term are suggested, but not those with too low a balance', () => {
  const names = ['a.com', 'b.com']
  const rows = names.map((name) =>
    row(name, {
      one: available(name, 1_000),
      two: available(name, 1_100),
      three: name === 'a.com' ? available(name, 1_050) : refused(name, 'unsupported'),
    }),
  )
  const bought = takenOf(rows, noChoices)
  const [short] = sumsOf(bought)
  if (short === undefined) throw new Error('nothing is bought')
  const at = (balances: Record<string, number>) =>
    alternativesFor(short, bought, ['one', 'two', 'three'], (id) => (balances[id] === undefined ? null : usd(balances[id])))
  expect(short).toMatchObject({ registrarId: 'one', total: usd(2_000) })
  expect(at({})).toEqual([{ registrarId: 'two', total: usd(2_200) }])
  expect(at({ two: 2_200 })).toHaveLength(1)
  expect(at({ two: 2_199 })).toEqual([])
  const premium = names.map((name) => row(name, { one: available(name, 1_000), two: available(name, 900, { premium: true }) }))
  expect(alternativesFor(short, takenOf(premium, noChoices), ['one', 'two'], () => null)).toEqual([])
  const longer = names.map((name) => row(name, { one: available(name, 1_000), two: available(name, 1_900, { years: 2, longer: [] }) }))
  expect(alternativesFor(short, takenOf(longer, noChoices), ['one', 'two'], () => null)).toEqual([])
})

const all = inOrder([
  { id: 'a', name: 'Alpha', health: 'auth_error' },
  { id: 'c', name: 'Gamma', health: 'unknown' },
  { id: 'b', name: 'Beta', health: 'working' },
  { id: 'd', name: 'Delta', health: 'api_error' },
])
const ids = (some: readonly { id: string }[]) => some.map(({ id }) => id)

test('R-BUY-01 failing registrars are listed last and are asked only when they are selected', () => {
  expect(ids(all)).toEqual(['b', 'c', 'a', 'd'])
  expect(ids(selectedOf(all, null))).toEqual(['b', 'c'])
  expect(ids(selectedOf(all, ['d', 'b']))).toEqual(['b', 'd'])
  expect(selectedOf(all, [])).toEqual([])
})
