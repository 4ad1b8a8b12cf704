import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { Progress } from '#client/ui/chart/progress.tsx'
import { createStore } from '#client/lib/store.ts'

/** How many accounts this page has just added whose check has not been reported yet. */
export const justAdded = createStore<number>(0)

/** The progress of a health check, regardless of who started it; reports its result. */
export function CheckBanner() {
  const { t } = useTranslation('accounts')
  const progress = trpc.accounts.checkProgress.useQuery(undefined, { staleTime: 0 })
  const [watched, setWatched] = useState(false)
  useLiveQueries('accountCheck')

  const running = progress.data?.running === true
  useEffect(() => {
    if (running) {
      setWatched(true)
      return
    }
    if (!watched) return
    setWatched(false)
    const { total = 0, problems = 0 } = progress.data ?? {}
    const added = justAdded.get()
    justAdded.set(0)
    const title = t('check.done', counted(total))
    const faulty = t('check.problems', counted(problems))
    if (added > 0) {
      // Their addition was already reported.
      if (problems > 0) toast.warning(title, faulty)
      return
    }
    if (problems === 0) toast.success(title, t('check.all_working'))
    else toast.warning(title, faulty)
  }, [running, watched, progress.data, t])

  if (!running || progress.data === undefined) return null
  const { done, total } = progress.data
  const words = t('check.running', { done: formatNumber(done), total: formatNumber(total) })
  return (
    <div className="card grid gap-8 size-13 secondary mt-12 p-12-16" role="status">
      <span>{words}</span>
      <Progress label={words} value={done} total={total} />
    </div>
  )
}
