import { open } from 'node:fs/promises'

/** Makes durable which names a folder holds: until then a power cut may take back what was created, renamed or deleted in it. */
export async function syncFolder(path: string): Promise<void> {
  // Windows keeps its names in a journal and refuses to open a folder.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
