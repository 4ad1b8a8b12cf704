import { type ComponentType, type FunctionComponent, use } from 'react'

/** As browsers and the bundler say it: there is no connection, or the panel was updated and has other files now. */
const notLoaded = /dynamically imported module|module script|Failed to fetch|Load failed|Unable to preload/i
export const isNotLoaded = (error: unknown): boolean => error instanceof Error && notLoaded.test(error.message)

/** Each forgets a failure. */
const failed = new Set<() => void>()

/** Like React's `lazy`, which keeps a failure to load for as long as the page is open: this asks again after `renewFailedParts`. */
export function lazyPart<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>): FunctionComponent<Props> {
  let loading: Promise<ComponentType<Props>> | null = null
  const start = async (): Promise<ComponentType<Props>> => {
    try {
      return (await load()).default
    } catch (error) {
      failed.add(() => (loading = null))
      throw error
    }
  }
  return function Part(props) {
    loading ??= start()
    const Loaded = use(loading)
    return <Loaded {...props} />
  }
}

/** The next time that they are shown, parts that could not be loaded are asked for again. */
export function renewFailedParts(): void {
  for (const forget of failed) forget()
  failed.clear()
}
