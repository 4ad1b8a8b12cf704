const utf16 = [
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
] as const

/**
 * The text of a file as spreadsheets and editors write it: UTF-16 with a byte order mark, UTF-8, or else Windows-1251, which Russian Windows
 * still uses for CSV files. Every sequence of bytes is valid there, so it is the last choice.
 */
export function decodeText(bytes: Uint8Array): string {
  const marked = utf16.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte))
  if (marked !== undefined) return new TextDecoder(marked.encoding).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1251').decode(bytes)
  }
}
