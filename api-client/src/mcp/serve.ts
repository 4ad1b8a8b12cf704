import { createInterface } from 'node:readline'
import { ZonedeckError } from '../errors.ts'
import type { Panel } from '../panel.ts'
import { version } from '../procedures.gen.ts'
import type { Rest } from '../rest/rest.ts'
import { InputError } from './check-input.ts'
import { toolsFor } from './tools.ts'
import type { Scope, Tool } from './tool.ts'

interface Message {
  readonly id?: string | number | null
  readonly method?: string
  readonly params?: unknown
}

const protocols = ['2025-06-18', '2025-03-26', '2024-11-05'] as const
const parseError = -32_700
const invalidRequest = -32_600
const unknownMethod = -32_601
const invalidParams = -32_602

class RpcError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const introduction =
  'Zonedeck manages domains across many Cloudflare accounts. Read the current state before you change anything. Use search_calls for anything that no other tool covers.'
const changing =
  'Preview every change with preview_change or prepare_call, show it to the user, and run it with apply_preview only after they have agreed.'
const buying =
  'Preview an order with prepare_call (operations.purchase or operations.previewRenewal), show its prices and totals to the user, and run it with apply_preview only after they have agreed.'
const instructions: Readonly<Record<Scope, string>> = {
  read: `${introduction} This token is read-only: preview_change and prepare_call show what a change would do, and the user makes it in the panel.`,
  write: `${introduction} ${changing} This token cannot buy or renew domains: it previews orders, and the user starts them in the panel.`,
  buy: `${introduction} This token buys and renews domains within its daily spending limit, and changes nothing else: the user makes other changes in the panel. ${buying}`,
  session: `${introduction} ${changing} ${buying}`,
}

/** Failures are part of the result, so that the assistant can correct its input. */
async function callTool(tools: ReadonlyMap<string, Tool>, params: unknown): Promise<object> {
  const { name, arguments: given = {} } = isRecord(params) ? params : {}
  const tool = typeof name === 'string' ? tools.get(name) : undefined
  if (tool === undefined || !isRecord(given)) throw new RpcError(invalidParams, `unknown tool ${String(name)}`)
  try {
    return { content: [{ type: 'text', text: JSON.stringify((await tool.run(given)) ?? null) }], isError: false }
  } catch (error) {
    if (!(error instanceof ZonedeckError || error instanceof InputError)) throw error
    const issues = error instanceof ZonedeckError ? error.issues.map(({ path, message }) => `${path}: ${message}`) : []
    const text = [error instanceof ZonedeckError ? `${error.code}: ${error.message}` : error.message, ...issues].join('\n')
    return { content: [{ type: 'text', text }], isError: true }
  }
}

/** Serves MCP over standard input and output, one JSON message per line, until the input ends. The scope of the token decides which tools exist. */
export async function serve(panel: Panel, rest: Rest): Promise<void> {
  const scope = (await panel.auth.me()).scope ?? 'session'
  const tools = new Map(toolsFor(panel, rest, scope).map((tool) => [tool.name, tool]))

  function answer({ method, params }: Message): object | Promise<object> {
    switch (method) {
      case 'initialize': {
        const asked = isRecord(params) ? params['protocolVersion'] : undefined
        const protocolVersion = protocols.find((version) => version === asked) ?? protocols[0]
        return {
          protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'zonedeck', version },
          instructions: instructions[scope],
        }
      }
      case 'ping':
        return {}
      case 'tools/list':
        return {
          tools: [...tools.values()].map(({ name, description, inputSchema, annotations }) => ({
            name,
            description,
            inputSchema,
            annotations,
          })),
        }
      case 'tools/call':
        return callTool(tools, params)
      default:
        throw new RpcError(unknownMethod, `unknown method ${String(method)}`)
    }
  }

  const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

  async function handle(line: string): Promise<void> {
    let id: Message['id'] = null
    try {
      let message: unknown
      try {
        message = JSON.parse(line)
      } catch {
        throw new RpcError(parseError, 'invalid JSON')
      }
      if (!isRecord(message) || typeof message['method'] !== 'string') throw new RpcError(invalidRequest, 'invalid request')
      const request = message as Message
      // Notifications get no response.
      if (request.id === undefined) return
      id = request.id
      send({ id, result: await answer(request) })
    } catch (error) {
      const { code, message } = error instanceof RpcError ? error : { code: -32_603, message: 'the tool failed' }
      send({ id, error: { code, message } })
    }
  }

  const open = new Set<Promise<void>>()
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue
    const handling = handle(line).finally(() => open.delete(handling))
    open.add(handling)
  }
  await Promise.all(open)
}
