import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp } from '#server/testing/app.ts'
import type { TestApp } from '#server/testing/app.ts'
import { coerceQuery } from '#server/transports/rest/coerce-query.ts'
import { describedCall } from '#server/transports/rest/openapi.ts'
import { sampleCall } from '#server/transports/rest/code-samples.ts'
import { listRestRoutes } from '#server/transports/rest/rest-routes.ts'
import { z } from 'zod'

const operation = z.looseObject({
  'x-zonedeck-procedure': z.string().optional(),
  'x-codeSamples': z.array(z.object({ lang: z.string(), source: z.string() })).optional(),
})
let t: TestApp
let operations: Map<string, z.infer<typeof operation>>
beforeAll(async () => {
  t = await createTestApp()
  const document = z
    .object({ paths: z.record(z.string(), z.record(z.string(), operation)) })
    .parse((await t.app.inject('/api/openapi.json')).json())
  operations = new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, each]) => [`${method.toUpperCase()} /api${path}`, each] as const),
    ),
  )
})
afterAll(() => t.close())

const routes = listRestRoutes().map((route) => ({ ...route, path: route.url.replaceAll(/:(\w+)/g, '{$1}'), procedure: route.path }))

test.each(routes)('R-API-02 the examples of $method $path match the input of the call', ({ method, path, procedure, input }) => {
  const described = operations.get(`${method} ${path}`)
  const { params, query, body } = sampleCall(describedCall({ method, path: procedure }, path.slice('/api'.length), described))
  const given = {
    ...coerceQuery(input, Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))),
    ...body,
    ...params,
  }
  const read = input === undefined ? { success: true as const, error: undefined } : z.safeParse(input, given)
  expect(read.error?.issues ?? []).toEqual([])
  const [curl, typescript] = described?.['x-codeSamples'] ?? []
  expect(curl?.source).toContain(path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name])).replaceAll(/0{8}[^/]*$/g, ''))
  expect(typescript?.source).toMatch(new RegExp(`^await panel\\.${procedure.replaceAll('.', '\\.')}\\(`))
})
