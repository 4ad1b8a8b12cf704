import { isIP } from 'node:net'

/**
 * A place in the panel. Telegram takes no button, and makes no link, to a host that only this network knows; there the address is text.
 */
export function panelLink(publicUrl: string, path: string): { readonly url: string; readonly button: boolean } {
  const url = `${publicUrl}${path}`
  const { hostname } = new URL(publicUrl)
  const local = hostname.startsWith('[') || hostname.startsWith('127.') || (isIP(hostname) === 0 && !hostname.includes('.'))
  return { url, button: !local }
}
