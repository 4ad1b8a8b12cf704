import { get } from 'node:http'

const patienceMs = 4_000
/** Who listens everywhere listens here, too. */
const here: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Whether the process that listens there says that it is well. */
export const askHealth = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const request = get({ host: here[host] ?? host, port, path: '/api/health', timeout: patienceMs }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(false))
  })
