import type { Server } from 'node:net'

/** Starts a simulator's server; without a port on a free one. `close` aborts open connections. */
export async function listen(
  server: Server & { closeAllConnections?(): void },
  given = 0,
  host = '127.0.0.1',
): Promise<{ readonly port: number; close(): Promise<void> }> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(given, host, resolve)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections?.()
      }),
  }
}
