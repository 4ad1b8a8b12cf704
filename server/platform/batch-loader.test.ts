import { expect, test } from 'vitest'
import { createBatchLoader } from './batch-loader.ts'

test('requests made immediately or during a batch are combined, and each receives its own result', async () => {
  const works: (readonly number[])[] = []
  const double = createBatchLoader<number, number>(10, async (inputs) => {
    works.push(inputs)
    await new Promise((resolve) => setImmediate(resolve))
    return inputs.map((input) => input * 2)
  })
  const first = [double(1), double(2)]
  await new Promise((resolve) => setImmediate(resolve))
  const second = [double(3), double(4)]
  expect(await Promise.all([...first, ...second])).toEqual([2, 4, 6, 8])
  expect(works).toEqual([
    [1, 2],
    [3, 4],
  ])
  expect(await double(5)).toBe(10)
})

test('a batch never exceeds its size limit', async () => {
  const sizes: number[] = []
  const same = createBatchLoader<number, number>(3, (inputs) => {
    sizes.push(inputs.length)
    return Promise.resolve(inputs)
  })
  await Promise.all([1, 2, 3, 4, 5, 6, 7].map(same))
  expect(sizes).toEqual([3, 3, 1])
})

test('a batch never exceeds its weight limit, except with a single input', async () => {
  const works: (readonly number[])[] = []
  const same = createBatchLoader<number, number>(
    3,
    (inputs) => {
      works.push(inputs)
      return Promise.resolve(inputs)
    },
    1,
    { of: (input) => input, atMost: 10 },
  )
  await Promise.all([4, 6, 1, 20, 1, 1, 1, 1].map(same))
  expect(works).toEqual([[4, 6], [1], [20], [1, 1, 1], [1]])
})

test('a failing input fails separately', async () => {
  const check = createBatchLoader<number, string>(10, (inputs) =>
    inputs.includes(2) ? Promise.reject(new Error(`no ${inputs.join()}`)) : Promise.resolve(inputs.map(() => 'ok')),
  )
  const ends = await Promise.allSettled([check(1), check(2), check(3)])
  expect(ends.map((end) => (end.status === 'fulfilled' ? end.value : (end.reason as Error).message))).toEqual(['ok', 'no 2', 'ok'])
  expect(await check(4)).toBe('ok')
})

test('a batch is not repeated after the database connection is lost, because it may have taken effect', async () => {
  let works = 0
  const lost = createBatchLoader<number, void>(10, () => {
    works += 1
    return Promise.reject(Object.assign(new Error('lost'), { code: 'CONNECTION_CLOSED' }))
  })
  const ends = await Promise.allSettled([lost(1), lost(2)])
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(works).toBe(1)
})

test('at most the allowed number of batches run concurrently', async () => {
  const begun: PromiseWithResolvers<readonly number[]>[] = []
  const same = createBatchLoader<number, number>(
    1,
    () => {
      const work = Promise.withResolvers<readonly number[]>()
      begun.push(work)
      return work.promise
    },
    2,
  )
  const answers = [1, 2, 3].map(same)
  await new Promise((resolve) => setImmediate(resolve))
  expect(begun).toHaveLength(2)
  begun[0]?.resolve([10])
  expect(await answers[0]).toBe(10)
  await new Promise((resolve) => setImmediate(resolve))
  expect(begun).toHaveLength(3)
  begun[1]?.resolve([20])
  begun[2]?.resolve([30])
  expect(await Promise.all(answers)).toEqual([10, 20, 30])
})
