import { useTranslation } from 'react-i18next'
import { settingCatalog } from '#shared/features/domains/settings/catalog.ts'
import type { SettingsPatch } from '#shared/features/domains/settings/schema.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { useQuestion, type Question } from './use-question.ts'
import type { Current, ZoneSettings } from './queries.ts'

type Value<K extends keyof Current> = NonNullable<SettingsPatch[K]>

interface SettingControl<K extends keyof Current> {
  value: Current[K]
  /** Why changes are disabled. */
  locked: string | null
  /** Sends the change, or asks for confirmation first if it is dangerous. */
  change: (value: Value<K>) => void
  question: Question | null
}

/** Changes one setting in a separate call: optimistic, rolled back with its own error, with undo. `wordsOf` describes a value in a few words. */
export function useSetting<K extends keyof Current>(
  zone: ZoneSettings,
  key: K,
  { name, failure, wordsOf }: { name: string; failure: string; wordsOf: (value: Value<K>) => string },
): SettingControl<K> {
  const { t } = useTranslation('security')
  const utils = trpc.useUtils()
  const id = zone.domainId
  // Calls of one setting run in the order of its changes.
  const options = { meta: { failure }, scope: { id: `setting-${id}-${key}` } }
  const update = trpc.zoneSettings.update.useMutation(options)
  const setDevelopmentMode = trpc.zoneSettings.setDevelopmentMode.useMutation(options)
  const setUniversal = trpc.zoneSettings.setUniversal.useMutation(options)
  const { question, ask } = useQuestion(zone.state)
  const value = zone.current[key]

  const call = async (patch: SettingsPatch): Promise<void> => {
    if (patch.universalSsl !== undefined) {
      const answer = await setUniversal.mutateAsync({ id, enabled: patch.universalSsl })
      utils.zoneSettings.ssl.setData({ id, fresh: true }, answer)
      await utils.domains.settings.invalidate({ id })
    } else if (patch.developmentMode !== undefined) {
      zone.take((await setDevelopmentMode.mutateAsync({ id, enabled: patch.developmentMode })).settings)
    } else {
      zone.take((await update.mutateAsync({ id, ...patch })).settings)
    }
  }

  const send = async (next: Value<K>, before: Current[K]): Promise<void> => {
    const patch: SettingsPatch = { [key]: next }
    const release = zone.hold(patch)
    try {
      await call(patch)
      const message = t('changed', { name, value: wordsOf(next) })
      if (before === null) toast.success(message)
      else toast.undoable(message, t('undo'), () => void send(before as Value<K>, next as Current[K]), `setting-${id}-${key}`)
    } catch {
      // The mutation itself reports its failure.
    } finally {
      release()
    }
  }

  const editable = zone.settings.values[settingCatalog[key].id]?.editable !== false
  return {
    value,
    locked: zone.locked ?? (editable ? null : t('not_editable')),
    change: (next) => ask({ [key]: next }, () => void send(next, zone.current[key])),
    question,
  }
}
