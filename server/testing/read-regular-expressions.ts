import { parseSync, Visitor } from 'vite'
import type { ESTree } from 'vite'

export interface FoundExpression {
  readonly line: number
  readonly source: string
  readonly flags: string
}

export interface ReadExpressions {
  readonly found: readonly FoundExpression[]
  /** Lines with a `RegExp()` whose pattern is not known statically. */
  readonly unknown: readonly number[]
}

type Constants = ReadonlyMap<string, ESTree.Expression>

/** The constant text of an expression; null if it is not certain. */
function textOf(node: ESTree.Expression, constants: Constants): string | null {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? node.value : null
    case 'Identifier': {
      const value = constants.get(node.name)
      return value === undefined ? null : textOf(value, constants)
    }
    case 'TemplateLiteral': {
      const between = node.expressions.map((each) => textOf(each, constants))
      if (between.includes(null)) return null
      return node.quasis.map(({ value }, at) => value.cooked + (between[at] ?? '')).join('')
    }
    case 'MemberExpression': {
      const object = node.object.type === 'Identifier' ? constants.get(node.object.name) : undefined
      const isSource = !node.computed && node.property.name === 'source' && object?.type === 'Literal' && 'regex' in object
      return isSource ? object.regex.pattern : null
    }
    case 'CallExpression': {
      const { callee } = node
      const [separator] = node.arguments
      if (callee.type !== 'MemberExpression' || callee.computed || callee.property.name !== 'join') return null
      if (callee.object.type !== 'ArrayExpression' || separator?.type !== 'Literal') return null
      const parts = callee.object.elements.map((each) => (each === null || each.type === 'SpreadElement' ? null : textOf(each, constants)))
      return parts.includes(null) ? null : parts.join(String(separator.value))
    }
    default:
      return null
  }
}

/** Every regular expression of a module: literals, and `RegExp()` with constant arguments. */
export function readRegularExpressions(path: string, text: string): ReadExpressions {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message ?? ''}`)
  const lineOf = (at: number) => text.slice(0, at).split('\n').length
  const constants = new Map<string, ESTree.Expression>()
  const found: FoundExpression[] = []
  const unknown: number[] = []
  const made = (node: ESTree.CallExpression | ESTree.NewExpression) => {
    if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp') return
    const [pattern, flags] = node.arguments.map((each) => (each.type === 'SpreadElement' ? null : textOf(each, constants)))
    if (typeof pattern !== 'string' || flags === null) unknown.push(lineOf(node.start))
    else found.push({ line: lineOf(node.start), source: pattern, flags: flags ?? '' })
  }
  new Visitor({
    VariableDeclaration: ({ kind, declarations }) => {
      if (kind !== 'const') return
      for (const { id, init } of declarations) if (id.type === 'Identifier' && init != null) constants.set(id.name, init)
    },
    Literal: (node) => {
      if ('regex' in node) found.push({ line: lineOf(node.start), source: node.regex.pattern, flags: node.regex.flags })
    },
    CallExpression: made,
    NewExpression: made,
  }).visit(program)
  return { found, unknown }
}
