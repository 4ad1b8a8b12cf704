import { Agent, request } from 'node:http'
import { percentile } from './bench.ts'

export interface Load {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p95Ms: number
}

/** Requests one URL repeatedly from the given number of concurrent clients; each waits for the response before its next request. */
export async function load(url: string, headers: Readonly<Record<string, string>>, clients: number, forMs: number): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      request(url, { agent, headers }, (response) => {
        response.resume()
        response.once('error', reject)
        response.once('end', () =>
          response.statusCode === 200 ? resolve() : reject(new Error(`${url.slice(0, 200)} answered ${response.statusCode}`)),
        )
      })
        .once('error', reject)
        .end()
    })
  const took: number[] = []
  const began = performance.now()
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let now = performance.now(); now - began < forMs;) {
        await ask()
        const after = performance.now()
        took.push(after - now)
        now = after
      }
    }),
  )
  const seconds = (performance.now() - began) / 1000
  agent.destroy()
  return { perSecond: took.length / seconds, p50Ms: percentile(took, 0.5), p95Ms: percentile(took, 0.95) }
}
