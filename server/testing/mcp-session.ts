import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'

const program = fileURLToPath(new URL('../../api-client/src/cli/main.ts', import.meta.url))

interface Answer {
  readonly id: number | null
  readonly result?: {
    readonly protocolVersion?: string
    readonly instructions?: string
    readonly tools?: readonly {
      readonly name: string
      readonly description: string
      readonly annotations: { readonly readOnlyHint: boolean }
    }[]
    readonly content?: readonly { readonly text: string }[]
    readonly isError?: boolean
  }
  readonly error?: { readonly code: number }
}

/** Starts `zonedeck mcp` as a separate process and completes the handshake. */
export async function startMcp(url: string, token: string) {
  const child = spawn(process.execPath, [program, 'mcp'], {
    env: { PATH: process.env['PATH'], ZONEDECK_URL: url, ZONEDECK_TOKEN: token },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const say = async (line: string): Promise<Answer> => {
    child.stdin.write(`${line}\n`)
    return JSON.parse((await answers.next()).value ?? '') as Answer
  }
  let id = 0
  const ask = (method: string, params: object = {}) => say(JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }))
  const hello = await ask('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'test', version: '1' } })
  expect(hello.result?.protocolVersion).toBe('2025-03-26')
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
  return {
    instructions: hello.result?.instructions ?? '',
    say,
    ask,
    names: async () => ((await ask('tools/list')).result?.tools ?? []).map(({ name }) => name),
    /** The result of a tool as data, or the text of its failure. */
    async use(name: string, given: object = {}) {
      const { result, error } = await ask('tools/call', { name, arguments: given })
      const text = result?.content?.[0]?.text ?? ''
      return { error, failed: result?.isError, text, data: result?.isError === false ? (JSON.parse(text) as unknown) : null }
    },
    async end() {
      const ended = once(child, 'exit')
      child.stdin.end()
      return (await ended)[0] as number
    },
  }
}
