import type { Services } from '#server/platform/context.ts'
import { isDatabaseAway } from '#server/platform/database-away.ts'
import { notifyDefaults, notifyOwners } from './notify-owners.ts'
import type { NotifyOptions } from './notify-owners.ts'
import { forgetOldMessages, sweepPaces } from './outbox.repo.ts'
import { sealAddresses } from './seal-addresses.ts'
import { startSending } from './send-messages.ts'
import type { SendOptions } from './send-messages.ts'

export type AlertOptions = NotifyOptions & SendOptions & { readonly notifyEveryMs: number }

const sweepEveryMs = 3_600_000
const messagesKeptForMs = 30 * 86_400_000

export interface RunningAlerts {
  /** Lets what is being sent end. */
  stop(): Promise<void>
}

/** Tells what happened to domains and accounts, in this process and in however many others. */
export async function startAlerts(services: Services, given: Partial<AlertOptions> = {}): Promise<RunningAlerts> {
  const { clock, db, log } = services
  const options = { ...notifyDefaults, notifyEveryMs: 1_000, ...given }
  const stopping = new AbortController()
  let sweptAt = clock.now()
  const turn = async () => {
    await notifyOwners(services, options)
    if (clock.now() - sweptAt < sweepEveryMs) return
    sweptAt = clock.now()
    await forgetOldMessages(db, sweptAt - messagesKeptForMs)
    await sweepPaces(db, sweptAt - sweepEveryMs)
  }
  await sealAddresses(services)
  const sender = await startSending(services, given)
  const looping = (async () => {
    while (!stopping.signal.aborted) {
      await turn().catch((error: unknown) => {
        if (!stopping.signal.aborted && !isDatabaseAway(error)) log.error({ err: error }, 'what happened could not be told yet')
      })
      await clock.sleep(options.notifyEveryMs, stopping.signal).catch(() => undefined)
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await looping
      await sender.stop()
    },
  }
}
