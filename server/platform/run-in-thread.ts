import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'

/**
 * The message that a thread answers to `input`; other requests do not wait meanwhile. The file and the caller agree on both types.
 * @param transfer the ports within `input`
 * @throws the reason of the signal, which ends the thread
 */
export async function runInThread<Answer>(
  file: URL,
  input: unknown,
  signal?: AbortSignal,
  transfer: readonly MessagePort[] = [],
): Promise<Answer> {
  const worker = new Worker(file, { workerData: input, transferList: [...transfer] })
  try {
    const [answer] = (await once(worker, 'message', signal === undefined ? {} : { signal })) as [Answer]
    return answer
  } finally {
    await worker.terminate()
  }
}
