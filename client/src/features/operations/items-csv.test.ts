import { expect, test } from 'vitest'
import type { LogEntry } from './item-log.ts'
import { failuresCsv, logCsv } from './items-csv.ts'
import type { Item } from './queries.ts'

const words = { code: (code: string) => `=${code}`, advice: (code: string) => `@${code}` }
const common = { domain: 'shop.example', account: 'a@b.example', code: 'timeout', providerCode: '1000', message: 'x;=1+1' }

test('no cell of exported failures is a formula, including messages of a provider', () => {
  const item = { ...common, finishedAt: '2026-01-01T00:00:00Z' } as Item
  expect(failuresCsv([item], words).split('\r\n')[1]).toBe(
    `shop.example,a@b.example,timeout,'=timeout,'@timeout,1000,"x;'=1+1",2026-01-01T00:00:00Z`,
  )
})

test('no cell of the exported log of new domains is a formula', () => {
  const entry = { ...common, at: '2026-01-01T00:00:00Z', level: 'error' } as LogEntry
  expect(logCsv([entry], words).split('\r\n')[1]).toBe(
    `2026-01-01T00:00:00Z,error,shop.example,a@b.example,timeout,'=timeout,1000,"x;'=1+1"`,
  )
})
