import { readFile } from 'node:fs/promises'

/** Resident memory of a process. */
export const rssMb = async (pid: number | undefined) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

const perSecond = 100

/** Processor seconds that a process has used, and its children that ended. */
export async function cpuSecondsOf(
  pid: number | undefined,
): Promise<{ readonly parent: number; readonly own: number; readonly ended: number }> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  const of = (index: number) => Number(fields[index]) / perSecond
  return { parent: Number(fields[1]), own: of(11) + of(12), ended: of(13) + of(14) }
}
