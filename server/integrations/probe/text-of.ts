import { brotliDecompressSync, constants, gunzipSync, inflateSync } from 'node:zlib'
import type { Answer } from './ask.ts'

/** Maximum size searched, after decompression. */
const mostBytes = 256 * 1024

/** A page as text: decompressed if the server compressed it unasked, in the charset of the page or its header; otherwise UTF-8. */
export function textOf(body: Buffer, headers: Answer['headers']): string {
  const bytes = unpacked(body, headers['content-encoding'] ?? '')
  const named =
    /charset=["']?([\w-]+)/i.exec(headers['content-type'] ?? '') ??
    /<meta[^<>]+charset=["']?([\w-]+)/i.exec(bytes.toString('latin1', 0, 1_024))
  try {
    return new TextDecoder(named?.[1] ?? 'utf-8').decode(bytes)
  } catch {
    return bytes.toString()
  }
}

function unpacked(body: Buffer, encoding: string): Buffer {
  // The end may be missing, because only the beginning was read.
  const options = { maxOutputLength: mostBytes, finishFlush: constants.Z_SYNC_FLUSH }
  try {
    if (/^(x-)?gzip$/i.test(encoding)) return gunzipSync(body, options)
    if (/^deflate$/i.test(encoding)) return inflateSync(body, options)
    if (/^br$/i.test(encoding))
      return brotliDecompressSync(body, { maxOutputLength: mostBytes, finishFlush: constants.BROTLI_OPERATION_FLUSH })
    return body
  } catch {
    return Buffer.alloc(0)
  }
}
