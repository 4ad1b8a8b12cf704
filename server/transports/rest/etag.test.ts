import fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { isKnown, tagOf } from './etag.ts'

const app = fastify()
app.get('/', (request, reply) => {
  void reply.type('text/plain').header('content-length', 8)
  return isKnown(request, reply, tagOf('the text')) ? reply.send() : reply.send('the text')
})
afterAll(() => app.close())

const tag = tagOf('the text')
const ask = async (given?: string) => {
  const { statusCode, body, headers } = await app.inject({ url: '/', headers: given === undefined ? {} : { 'if-none-match': given } })
  expect(headers['etag']).toBe(tag)
  return [statusCode, body]
}

test('a tag depends on the exact bytes only', () => {
  expect(tag).toMatch(/^"[\w-]{27}"$/)
  expect(tagOf('the text')).toBe(tag)
  expect(tagOf('the text ')).not.toBe(tag)
})

test.each([tag, `W/${tag}`, `"other", ${tag}`, `${tag},"other"`, `  ${tag}  `, '*', `"other", *`])(
  'a matching If-None-Match (%s) gets 304',
  async (given) => {
    expect(await ask(given)).toEqual([304, ''])
  },
)

test.each([undefined, '"other"', 'W/"other"', tag.slice(1, -1), `${tag}x`, `x${tag}`, `${tag} "other"`, `"W/${tag.slice(1)}`, '', ','])(
  'an If-None-Match that does not match (%s) gets the full response',
  async (given) => {
    expect(await ask(given)).toEqual([200, 'the text'])
  },
)

test('a 304 response has neither a length nor a type', async () => {
  const answer = await app.inject({ url: '/', headers: { 'if-none-match': tag } })
  expect([answer.headers['content-type'], answer.headers['content-length']]).toEqual([undefined, undefined])
})

test('an overlong If-None-Match list is not searched', async () => {
  expect(await ask(`${'"other", '.repeat(100)}${tag}`)).toEqual([304, ''])
  expect(await ask(`${'"other", '.repeat(300)}${tag}`)).toEqual([200, 'the text'])
})
