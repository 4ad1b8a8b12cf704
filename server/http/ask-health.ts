import { get } from 'node:http'

const patienceMs = 4_000
/** A server on all interfaces is reachable on the loopback address. */
const here: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Whether the process listening there reports that it is healthy. */
export const askHealth = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const request = get({ host: here[host] ?? host, port, path: '/api/health', timeout: patienceMs }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(false))
  })
