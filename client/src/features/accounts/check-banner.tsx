import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '#client/lib/format.ts'
import { useLive } from '#client/lib/live.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { Progress } from '#client/ui/progress.tsx'
import classes from './accounts.module.css'

/** How far a health check of accounts has come, whoever started it and whichever process does it; tells when it is done. */
export function CheckBanner() {
  const { t } = useTranslation('accounts')
  const utils = trpc.useUtils()
  const progress = trpc.accounts.checkProgress.useQuery(undefined, { staleTime: 0 })
  const [watched, setWatched] = useState(false)
  useLive((event) => {
    if (event.kind === 'accounts') void progress.refetch()
  })

  const running = progress.data?.running === true
  useEffect(() => {
    if (running) {
      setWatched(true)
      return
    }
    if (!watched) return
    setWatched(false)
    const total = progress.data?.total ?? 0
    void utils.accounts.list.fetch({}).then(({ accounts }) => {
      const problems = accounts.filter(({ health }) => health === 'auth_error' || health === 'api_error').length
      const title = t('check.done', { count: total, formatted: formatNumber(total) })
      if (problems === 0) toast.success(title, t('check.all_working'))
      else toast.warning(title, t('check.problems', { count: problems, formatted: formatNumber(problems) }))
    })
  }, [running, watched, progress.data, t, utils])

  if (!running || progress.data === undefined) return null
  const { done, total } = progress.data
  const words = t('check.running', { done: formatNumber(done), total: formatNumber(total) })
  return (
    <div className={classes['banner']} role="status">
      <span>{words}</span>
      <Progress label={words} value={done} total={total} />
    </div>
  )
}
