import { brotliDecompressSync, constants, gunzipSync, inflateSync } from 'node:zlib'
import type { Answer } from './ask.ts'

/** What is looked through, however little was sent for it. */
const mostBytes = 256 * 1024

/** A page as text: unpacked where the server packed it unasked, in the alphabet that it or its header names; else UTF-8. */
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
  // The end may be missing: only the beginning was read.
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
