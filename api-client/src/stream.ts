export interface StreamEvent {
  readonly type: string
  readonly data: string
  readonly id: string | null
}

/** Parses server-sent events from a response body as they arrive. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent, void, undefined> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = block.split(/\r?\n/).map((line): [string, string] => {
        const at = line.indexOf(':')
        return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1).replace(/^ /, '')]
      })
      const last = (name: string) => fields.findLast(([field]) => field === name)?.[1]
      const data = fields.flatMap(([name, value]) => (name === 'data' ? [value] : [])).join('\n')
      yield { type: last('event') ?? 'message', data, id: last('id') ?? null }
    }
  }
}
