import { expect, test } from 'vitest'
import { parseExpression } from './expression/parse.ts'
import { ruleFields } from './parameters.ts'
import { rulePhases, rulesetCatalog } from './phases.ts'
import { ruleFrom, templatesOf } from './templates.ts'

const all = rulePhases.flatMap((phase) => templatesOf(phase).map((template) => ({ phase, template })))

test.each(all)('the template $template is a rule that the form and the expression parser accept on Free', ({ phase, template }) => {
  const rule = ruleFrom(template, 'shop.example')
  expect(rulesetCatalog[phase].actions).toContain(rule.action)
  expect(ruleFields(phase, rule.action).safeParse({ description: '', ...rule }).error?.issues ?? []).toEqual([])
  expect(parseExpression(rule.expression, { phase, tier: 'free' })).toMatchObject({ ok: true, warnings: [] })
})

test('a template names the domain it is for', () => {
  expect(ruleFrom('without_www', 'xn--e1afmkfd.example').expression).toBe('http.host eq "www.xn--e1afmkfd.example"')
})
