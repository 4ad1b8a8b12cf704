import { connect, isIP } from 'node:net'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { DetailedPeerCertificate, SecureContext, TLSSocket } from 'node:tls'
import { codeOf, plain, ProbeError } from './probe-error.ts'

/** Errors of this machine, not of the target: no route, no sockets left, a local firewall. */
const ourFaults = new Set(['ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EMFILE', 'ENFILE', 'ENOBUFS', 'EPERM', 'EACCES'])

/** The destination of a connection. `address` is the target's own, for display; host and port are connected to. */
export interface Place {
  readonly address: string
  readonly host: string
  readonly port: number
}

/**
 * Connects to a literal address.
 * @param signal destroys the socket at any time.
 * @throws Trouble
 */
export function open({ address, host, port }: Place, waitMs: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(timedOut(address, waitMs))
      return
    }
    const socket = connect({ host, port, noDelay: true })
    const stop = () => socket.destroy()
    const timer = setTimeout(() => socket.destroy(), waitMs)
    signal.addEventListener('abort', stop, { once: true })
    socket.once('connect', () => {
      clearTimeout(timer)
      resolve(socket)
    })
    // Kept attached: later errors are reported by the reader.
    socket.on('error', (error) => reject(connectTrouble(error, address)))
    socket.once('close', () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      reject(timedOut(address, waitMs))
    })
  })
}

const timedOut = (address: string, waitMs: number) => new ProbeError('connect_timeout', { address, seconds: seconds(waitMs) })
export const seconds = (ms: number): number => Math.max(1, Math.round(ms / 1000))

function connectTrouble(error: unknown, address: string): ProbeError {
  const code = codeOf(error)
  if (code === 'ECONNREFUSED') return new ProbeError('connect_refused', { address, error: code })
  if (code === 'ETIMEDOUT') return new ProbeError('connect_timeout', { address, seconds: 0 })
  return new ProbeError('connect_failed', { address, error: code }, ourFaults.has(code))
}

/**
 * A TLS handshake over a connection, accepting any certificate: it is evaluated separately.
 * @throws Trouble
 */
export function secure(socket: Socket, host: string, address: string, secureContext: SecureContext): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const secured = connectTls({
      socket,
      secureContext,
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
      ALPNProtocols: ['http/1.1'],
      ...(isIP(host) === 0 && { servername: host }),
    })
    // For that check Node would first convert the whole chain to objects, a twentieth of the handshake.
    secured.getPeerCertificate = () => unread
    secured.once('secureConnect', () => resolve(secured))
    secured.on('error', (error: Error) => reject(handshakeTrouble(error, address)))
    secured.once('close', () => reject(new ProbeError('connection_lost', { address, error: 'TLS' })))
  })
}

const unread = {} as DetailedPeerCertificate

function handshakeTrouble(error: Error, address: string): ProbeError {
  const code = codeOf(error)
  if (code === 'ECONNRESET' || code === 'EPIPE') return new ProbeError('connection_lost', { address, error: code })
  const reason = 'reason' in error && typeof error.reason === 'string' ? error.reason : code
  return new ProbeError('tls_failed', { address, error: plain(reason) })
}
