import { downloadZip } from 'client-zip'
import { saveBlob } from '#client/lib/save-file.ts'
import { api } from '#client/lib/trpc.ts'
import { collectItems } from './queries.ts'

/** The server's limit per response. */
const batchSize = 200

/**
 * Saves the records of an operation's domains as an archive of zone files. Returns the number of domains without a file, because they have not
 * been synced yet.
 */
export async function saveZoneFiles(operationId: string): Promise<number> {
  const items = await collectItems(operationId, { state: 'pending' })
  const domainIds = items.flatMap(({ zoneId: domainId }) => domainId ?? [])
  const files: { name: string; input: string }[] = []
  for (let from = 0; from < domainIds.length; from += batchSize) {
    const answer = await api.records.exportFiles.mutate({ zoneIds: domainIds.slice(from, from + batchSize) })
    files.push(...answer.files.map(({ fileName, text }) => ({ name: fileName, input: text })))
  }
  if (files.length > 0) saveBlob('zone-files.zip', await downloadZip(files).blob())
  return domainIds.length - files.length
}
