const tags = new Set(['b', 'strong', 'i', 'em', 'u', 's', 'code', 'pre', 'a', 'blockquote'])

/**
 * The visible text of a message in Telegram's HTML; null if Telegram would reject it: an unescaped character, an unknown or unclosed tag.
 */
export function toPlainText(html: string): string | null {
  const open: string[] = []
  let text = ''
  for (const [part] of html.matchAll(/<[^>]*>?|&[^;\s]{0,8};?|[^<&]+|[^]/g)) {
    if (part.startsWith('<')) {
      const [, closing, name = ''] = /^<(\/?)([a-z]+)(?: href="[^"<>]*")?>$/.exec(part) ?? []
      if (!tags.has(name)) return null
      if (closing === '/') {
        if (open.pop() !== name) return null
      } else open.push(name)
    } else if (part.startsWith('&')) {
      const sign = signs[part]
      if (sign === undefined) return null
      text += sign
    } else text += part
  }
  return open.length > 0 ? null : text
}

const signs: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }
