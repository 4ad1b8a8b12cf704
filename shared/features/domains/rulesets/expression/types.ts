type Scalar = 'String' | 'Number' | 'Boolean' | 'IP' | 'Unknown'

/** As in Cloudflare's reference of fields. `Bytes` behave as `String`; `Unknown` is what a field or function that is not in the catalog returns. */
export type ExpressionType =
  | Scalar
  | `Array<${Scalar}>`
  | 'Array<Array<String>>'
  | `Map<${Scalar}>`
  | 'Map<Array<String>>'
  | 'Map<Array<Number>>'

const elements = ['String', 'Number', 'Boolean', 'IP', 'Array<String>', 'Array<Number>'] as const

/** The type of what an array or map contains; null if `type` is neither. */
export function elementType(type: ExpressionType): ExpressionType | null {
  if (type === 'Unknown') return 'Unknown'
  if (!type.endsWith('>')) return null
  const inner = type.slice(type.indexOf('<') + 1, -1)
  return elements.find((element) => element === inner) ?? 'Unknown'
}

const arrays = {
  String: 'Array<String>',
  Number: 'Array<Number>',
  Boolean: 'Array<Boolean>',
  IP: 'Array<IP>',
  'Array<String>': 'Array<Array<String>>',
} as const

/** The type of an array of `type`. */
export const arrayOf = (type: ExpressionType): ExpressionType => (type in arrays ? arrays[type as keyof typeof arrays] : 'Unknown')

export const isMap = (type: ExpressionType): boolean => type.startsWith('Map<')
export const isArray = (type: ExpressionType): boolean => type.startsWith('Array<')

/** What types are called in texts. */
export const typeWords = ['String', 'Number', 'Boolean', 'IP', 'Unknown', 'array', 'map'] as const
export const typeWord = (type: ExpressionType): (typeof typeWords)[number] =>
  isMap(type) ? 'map' : isArray(type) ? 'array' : (typeWords.find((word) => word === type) ?? 'Unknown')
