/** The parameters of Punycode (RFC 3492, section 5). */
const base = 36
const tMin = 1
const tMax = 26
const skew = 38
const damp = 700
const firstBias = 72
const firstCode = 128
const largestCode = 0x10_ff_ff

const prefix = 'xn--'
/** DNS allows no longer labels. */
const longestLabel = 63

/** The Unicode form of a host name, as browsers have no function for it; labels that cannot be decoded stay as they are. */
export const unicodeHost = (host: string): string =>
  host.includes(prefix)
    ? host
        .split('.')
        .map((label) => (label.startsWith(prefix) && label.length <= longestLabel ? (decode(label.slice(prefix.length)) ?? label) : label))
        .join('.')
    : host

/** Null if it is not valid Punycode, or if it has nothing to decode. */
function decode(text: string): string | null {
  const end = text.lastIndexOf('-')
  const decoded = Array.from(text.slice(0, Math.max(end, 0)), (character) => character.charCodeAt(0))
  let at = end > 0 ? end + 1 : 0
  let code = firstCode
  let position = 0
  let bias = firstBias
  if (at >= text.length) return null
  while (at < text.length) {
    const before = position
    for (let weight = 1, k = base; ; k += base) {
      const digit = digitOf(text.charCodeAt(at))
      at += 1
      if (digit === null) return null
      position += digit * weight
      const threshold = k <= bias ? tMin : k >= bias + tMax ? tMax : k - bias
      if (digit < threshold) break
      weight *= base - threshold
      if (weight > Number.MAX_SAFE_INTEGER / base) return null
    }
    const length = decoded.length + 1
    bias = adapt(position - before, length, before === 0)
    code += Math.floor(position / length)
    position %= length
    if (code > largestCode || (code >= 0xd8_00 && code <= 0xdf_ff)) return null
    decoded.splice(position, 0, code)
    position += 1
  }
  return String.fromCodePoint(...decoded)
}

/** The value of a digit: letters first, then numbers; null for anything else, also beyond the end. */
function digitOf(character: number): number | null {
  if (character >= 97 && character <= 122) return character - 97
  if (character >= 48 && character <= 57) return character - 22
  return null
}

function adapt(given: number, length: number, isFirst: boolean): number {
  let delta = isFirst ? Math.floor(given / damp) : Math.floor(given / 2)
  delta += Math.floor(delta / length)
  let k = 0
  for (; delta > ((base - tMin) * tMax) / 2; k += base) delta = Math.floor(delta / (base - tMin))
  return k + Math.floor(((base - tMin + 1) * delta) / (delta + skew))
}
