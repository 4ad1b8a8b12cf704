import type { Services } from '#server/platform/context.ts'
import { runLoop } from '#server/platform/run-loop.ts'
import { notifyDefaults, notifyOwners } from './outbox/notify-owners.ts'
import type { NotifyOptions } from './outbox/notify-owners.ts'
import { forgetOldMessages, sweepPaces } from './outbox/outbox.repo.ts'
import { startSending } from './outbox/send-messages.ts'
import type { SendOptions } from './outbox/send-messages.ts'
import { encryptAddress } from './channels/channel-secrets.ts'
import { listPlainAddresses, replaceAddress } from './channels/channels.repo.ts'

export type AlertOptions = NotifyOptions & SendOptions & { readonly notifyEveryMs: number }

const sweepEveryMs = 3_600_000
const messagesKeptForMs = 30 * 86_400_000

interface RunningAlerts {
  /** Finishes sending the current messages. */
  stop(): Promise<void>
}

/** Creates and sends alerts, in this process, shared with other processes. */
export async function startAlerts(services: Services, given: Partial<AlertOptions> = {}): Promise<RunningAlerts> {
  const { clock, db } = services
  const options = { ...notifyDefaults, notifyEveryMs: 1_000, ...given }
  let sweptAt = clock.now()
  const turn = async () => {
    await notifyOwners(services, options)
    if (clock.now() - sweptAt < sweepEveryMs) return
    sweptAt = clock.now()
    await forgetOldMessages(db, sweptAt - messagesKeptForMs)
    await sweepPaces(db, sweptAt - sweepEveryMs)
  }
  await encryptAddresses(services)
  const sender = await startSending(services, given)
  const loop = runLoop(services, { name: 'alerts', everyMs: options.notifyEveryMs }, turn)
  return {
    async stop() {
      await loop.stop()
      await sender.stop()
    },
  }
}

/** Encrypts webhook addresses that an earlier version stored unencrypted. */
async function encryptAddresses({ db, secrets, log }: Pick<Services, 'db' | 'secrets' | 'log'>): Promise<void> {
  const plain = await listPlainAddresses(db.orm)
  for (const { id, url } of plain) await replaceAddress(db.orm, id, url, encryptAddress(secrets, id, url))
  if (plain.length > 0) log.info({ webhooks: plain.length }, 'encrypted webhook URLs')
}
