import { type ComponentType, type FunctionComponent, use } from 'react'
import type { Namespace } from '#shared/i18n/namespaces.ts'
import { loadTexts } from './i18n.ts'

/** The messages of browsers and the bundler for a missing chunk: there is no connection, or the panel was updated. */
const notLoaded = /dynamically imported module|module script|Failed to fetch|Load failed|Unable to preload/i
export const isNotLoaded = (error: unknown): boolean => error instanceof Error && notLoaded.test(error.message)

/** Loads code. The browser would remember the failure of an import and not try it again when there is a connection. */
export async function loadCode<Code>(load: () => Promise<Code>): Promise<Code> {
  if (!navigator.onLine) throw new TypeError('Failed to fetch dynamically imported module: offline')
  return load()
}

/** Functions that reset a failed part. */
const failed = new Set<() => void>()

/**
 * A component whose code and texts are loaded when it is first shown. React's `lazy` caches a failure until the page is closed: this retries
 * after `renewFailedParts`. `load` loads it in advance.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  ...texts: readonly Namespace[]
): FunctionComponent<Props> & { load: () => Promise<unknown> } {
  let loading: Promise<ComponentType<Props>> | null = null
  /** Once loaded, it renders without suspending: React delays what was suspended by up to 300 ms. */
  let ready: ComponentType<Props> | null = null
  const start = async (): Promise<ComponentType<Props>> => {
    try {
      ;[ready] = await Promise.all([loadCode(load), loadTexts(...texts)])
      return ready
    } catch (error) {
      failed.add(() => (loading = null))
      throw error
    }
  }
  const startOnce = () => (loading ??= start())
  function Part(props: Props) {
    const Loaded = ready ?? use(startOnce())
    return <Loaded {...props} />
  }
  return Object.assign(Part, { load: startOnce })
}

/** Parts that failed to load are retried when they are shown next. */
export function renewFailedParts(): void {
  for (const forget of failed) forget()
  failed.clear()
}
