import type { Services } from '#server/platform/context.ts'
import { sealAddress } from './channel-secrets.ts'
import { listPlainAddresses, replaceAddress } from './channels.repo.ts'

/** Seals the addresses of webhooks that an earlier version kept as they were. */
export async function sealAddresses({ db, secrets, log }: Pick<Services, 'db' | 'secrets' | 'log'>): Promise<void> {
  const plain = await listPlainAddresses(db.orm)
  for (const { id, url } of plain) await replaceAddress(db.orm, id, url, sealAddress(secrets, id, url))
  if (plain.length > 0) log.info({ webhooks: plain.length }, 'sealed the addresses of webhooks')
}
