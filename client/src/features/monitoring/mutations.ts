import { useTranslation } from 'react-i18next'
import { readAgain } from '#client/lib/live-queries.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'

type Done = () => void

/** Actions on monitored domains; each reports its result. */
export function useWatching() {
  const { t } = useTranslation('monitoring')
  const after =
    (key: 'done.checking' | 'done.paused' | 'done.resumed' | 'done.muted' | 'done.unmuted') =>
    ({ domains }: { domains: number }, { ids }: { ids: readonly string[] }) => {
      void readAgain('monitoring')
      const title = t(key, counted(domains))
      if (domains === 0) toast.info(t(key === 'done.checking' ? 'done.none_checking' : 'done.none'))
      else if (domains < ids.length)
        toast.warning(title, t('done.some', { done: formatNumber(domains), count: ids.length, formatted: formatNumber(ids.length) }))
      else toast.success(title)
    }
  const meta = { failure: t('failed.act') }
  const check = trpc.monitoring.checkNow.useMutation({ meta, onSuccess: after('done.checking') })
  const pause = trpc.monitoring.pause.useMutation({
    meta,
    onSuccess: (answer, asked) => after(asked.minutes === null ? 'done.resumed' : 'done.paused')(answer, asked),
  })
  const mute = trpc.monitoring.mute.useMutation({
    meta,
    onSuccess: (answer, asked) => after(asked.minutes === null ? 'done.unmuted' : 'done.muted')(answer, asked),
  })
  return {
    check: (ids: string[], done?: Done) => check.mutate({ ids }, { ...(done && { onSuccess: done }) }),
    pause: (ids: string[], minutes: number | 'forever' | null, done?: Done) =>
      pause.mutate({ ids, minutes }, { ...(done && { onSuccess: done }) }),
    mute: (ids: string[], minutes: number | null, done?: Done) => mute.mutate({ ids, minutes }, { ...(done && { onSuccess: done }) }),
    busy: check.isPending || pause.isPending || mute.isPending,
  }
}

/** The offered durations in minutes; a longer one than a day would be forgotten. */
export const muteSpans = [60, 120, 480, 1440] as const
export const pauseSpans = [60, 480, 1440] as const
