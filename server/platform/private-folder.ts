import { chmod, mkdir, stat } from 'node:fs/promises'

/** Makes a folder that only its owner opens, or closes one that is there: what it holds is the panel's alone. */
export async function makePrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const uid = process.getuid?.()
  const { mode, uid: owner } = await stat(folder)
  // Run by root, the user that runs PostgreSQL passes through as its group.
  const wanted = uid === 0 ? mode & 0o710 : 0o700
  if (uid === undefined || owner !== uid || (mode & 0o777) === wanted) return
  await chmod(folder, wanted)
}
