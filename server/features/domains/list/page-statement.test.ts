import { expect, test } from 'vitest'
import { columns, joined } from './domain-row.repo.ts'
import { pageStatement } from './page-statement.repo.ts'

const owner = '5f0c9a3e-0000-4000-8000-000000000001'
const last = { value: '2026-05-01T00:00:00.000Z', name: 'a.example', id: '5f0c9a3e-0000-4000-8000-000000000002' }
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ')

/** A page of these ids with the columns of lists. */
const pageOf = (ids: string, order: string) =>
  oneLine(`select ${columns} from (select * from (${ids}) p order by ${order} limit 51) p
    join zones z on z.id = p.id ${joined} order by ${order}`)

test('a page without a filter walks the index of its order', () => {
  const { text, parameters } = pageStatement(
    { owners: [owner], shared: null },
    { filter: {}, sort: { by: 'name', direction: 'desc' }, after: null, limit: 51 },
  )
  const rows = 'select z.*, z.name as key from zones z where z.owner_id = $1::uuid order by z.name desc, z.id desc limit 51'
  expect(oneLine(text)).toBe(oneLine(`select ${columns} from (${rows}) z ${joined} order by z.key desc, z.name desc, z.id desc`))
  expect(parameters).toEqual([owner])
})

test('a filtered page walks first, collects rare matches, and walks to the end if there are too many to collect', () => {
  const { text, parameters } = pageStatement(
    { owners: [owner], shared: null },
    { filter: { status: 'error', search: 'shop' }, sort: { by: 'paidUntil', direction: 'asc' }, after: last, limit: 51 },
  )
  const counts = `select c.key, c.dims, c.n from zone_counts c where c.owner_id = $1::uuid and c.kind = 0 and ((c.dims >> 0) & 3) in (2)
    union all select c.key, c.dims, c.n from zone_count_changes c where c.owner_id = $1::uuid and c.kind = 0 and ((c.dims >> 0) & 3) in (2)`
  const key = `coalesce(z.paid_until, 'infinity')`
  const behind = `(${key}, z.name, z.id) > ($2::timestamptz, $3::text, $4::uuid)`
  const byDims = `z.dims = any(array(select c.dims from (${counts}) c))`
  const walk = (end: string) => `select z.id, z.name, z.key from (
      select z.dims, z.search, z.id, z.name, ${key} as key from zones z where z.owner_id = $1::uuid and ${behind}
      order by ${key} asc, z.name asc, z.id asc ${end}
    ) z where z.search like $5::text and ((z.dims >> 0) & 3) in (2)`
  expect(oneLine(text)).toBe(
    pageOf(
      `(with known as materialized (select coalesce(sum(n), 0) as n from (${oneLine(counts)}) c),
      walk as materialized (${walk('limit 1000')} and not (select n <= 500 from known) limit 51),
      filled as materialized (select count(*) >= 51 as it from walk),
      few as materialized (select case when (select n <= 500 from known) then false when (select it from filled) then false else true end as it),
      gathered as materialized ((select g.* from (select z.id, z.name, ${key} as key from zones z where z.owner_id = $1::uuid
          and zone_terms(z.owner_id, z.search) @@ ($6::tsquery && (E'''\\u0001' || $1::uuid || '''')::tsquery) and z.search like $7::text
          and ${byDims} and ${behind} offset 0) g where (select it from few) limit 8000)
        union all select g.* from (select z.id, z.name, ${key} as key from zones z where z.owner_id = $1::uuid
          and ${byDims} and (z.search like $8::text) is true and (${behind}) is true offset 0) g where (select n <= 500 from known)),
      whole as materialized (select (select n <= 500 from known) or ((select it from few) and count(*) < 8000) as it from gathered)
      select * from walk where (select it from filled)
      union all
      select * from (select * from gathered g where (select it from whole) order by g.key asc, g.name asc, g.id asc limit 51) sorted
      union all
      select * from (${walk('')} limit 51) z where not (select it from filled) and not (select it from whole))`,
      'p.key asc, p.name asc, p.id asc',
    ),
  )
  expect(parameters).toEqual([owner, last.value, last.name, last.id, '%shop%', "'sho' & 'hop'", '%shop%', '%shop%'])
})
