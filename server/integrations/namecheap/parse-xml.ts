import { XMLParser } from 'fast-xml-parser'
import { SyntaxValidator } from 'fast-xml-validator'

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  textNodeName: 'text',
  parseTagValue: false,
  parseAttributeValue: false,
  // Elements that may be repeated are lists.
  isArray: (name, _path, _isLeaf, isAttribute) => !isAttribute && lists.has(name),
})
const lists = new Set(['Error', 'Domain', 'DomainCheckResult', 'Nameserver', 'Product', 'ProductCategory', 'ProductType', 'Price'])

/** @throws Error for incomplete XML: an HTML page, a truncated response. */
export function parseXml(text: string): unknown {
  SyntaxValidator.validate(text)
  return parser.parse(text)
}
